"""How the solver's kernels are compiled: one decorator, and one line for the person who waits for it.

Machine code is cached beside the source (or in numba's own cache folder when that is read-only), so a computer
compiles once. With NUMBA_DISABLE_JIT=1 every kernel is the plain Python function it is written as, slow and open to a
debugger.

Kernels allocate nothing: all memory comes with the arguments (`workspace`), and numba refuses a kernel that makes an
array. So nobody counts who refers to what, which would take a fifth longer to compile and a tenth longer to run.

Machine code is made only for the kernels that Python calls; those that kernels call are `parts`.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

try:
    from bot.solver.kernels.parts import PartCompiler
except ImportError:  # a numba whose inside is another: it compiles three times as long, to the same code
    PartCompiler = None  # type: ignore[assignment,misc]

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}

_sources: set[Path] = set()
_parts = 0  # compiled so far


def compiled(function: Kernel) -> Kernel:
    """Compile a kernel with numba: cached on disk, without the interpreter's lock, dividing by zero as numpy does."""
    _sources.add(Path(function.__code__.co_filename))
    kernel: Any = numba.njit(cache=True, **_OPTIONS)(function)
    if kernel is not function:
        _mend_its_cache(kernel)
        part = kernel
        if PartCompiler is not None:
            as_part = _OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}
            part = numba.njit(**as_part)(function)
            part.compile = _counted(part.compile)
            kernel.get_overload = part.get_overload
        kernel.get_call_template = _one_integer_type(part.get_call_template)
        kernel.compile = _uninterrupted(kernel.compile)
    return cast(Kernel, kernel)


def _mend_its_cache(kernel: Any) -> None:
    """Let a damaged file of machine code, or a disk with no room for it, cost time and nothing else.

    And load machine code without what only compiling needs: numba would first install all functions it knows, which
    takes a quarter of the time in which `minebot solve` answers. Who compiles installs them then.
    """
    cache = kernel._cache
    load, save = getattr(cache, "_load_overload", cache.load_overload), cache.save_overload

    def load_or_compile(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except Exception:  # whatever a file with any content can lead to
            index = Path(cache._cache_file._index_path)
            print(f"the compiled solver was damaged ({index.name}); compiling it again", file=sys.stderr, flush=True)
            with suppress(OSError):
                index.unlink()
            return None

    def save_if_possible(signature: Any, result: Any) -> None:
        with suppress(OSError):
            save(signature, result)

    cache.load_overload, cache.save_overload = load_or_compile, save_if_possible


def _uninterrupted(compile_kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Compile without looking for garbage: all of the many new objects stay, and looking takes a fifth longer."""

    def compile_it(signature: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        before = _parts
        try:
            return compile_kernel(signature)
        finally:
            if _parts // PARTS_A_DOT > before // PARTS_A_DOT:
                _show("\n")
            if collecting:
                gc.enable()

    return compile_it


def _one_integer_type(template: Callable[..., Any]) -> Callable[..., Any]:
    """Let kernels that call a kernel pass it all signed integers as int64.

    Left alone, numba compiles a kernel anew for int32, for int64 and for every constant, and its callees with it.
    """

    def widened(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return template(tuple(map(_widen, args)), {name: _widen(arg) for name, arg in kws.items()})

    return widened


def _widen(numba_type: Any) -> Any:
    types: Any = numba.types
    plain = types.unliteral(numba_type)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


PARTS_A_DOT = 5


def _counted(compile_part: Callable[..., Any]) -> Callable[..., Any]:
    """Show somebody who waits that it goes on: a dot for every few parts."""

    def compile_it(signature: Any) -> Any:
        global _parts
        result = compile_part(signature)
        _parts += 1
        if _parts % PARTS_A_DOT == 0:
            _show(".")
        return result

    return compile_it


def _show(mark: str) -> None:
    """Print on a terminal; where a bar stands on it, which is redrawn by lines, a mark would become a line."""
    terminal = sys.stderr
    if terminal is sys.__stderr__ and terminal is not None and terminal.isatty():
        print(mark, end="", file=terminal, flush=True)


def announce(kernel: Callable[..., Any], what: str, seconds: int = 0) -> None:
    """Say on stderr that `what` is about to be compiled, unless this computer has it in the cache.

    `seconds` is what that takes on a quiet machine, of the processor's time.

    Call it before the first call of a kernel. Numba only notices changes to the file a kernel stands in, not to those
    of the kernels it calls, so machine code older than any of our sources is thrown away first.
    """
    stats = getattr(kernel, "stats", None)
    if stats is None or getattr(kernel, "signatures", False):  # plain Python, or this process has it already
        return
    newest = max(source.stat().st_mtime for source in _sources if source.exists())
    indexes = list(Path(stats.cache_path).glob("*.nbi"))
    for index in indexes:
        with suppress(FileNotFoundError):  # another process may be throwing it away too
            if index.stat().st_mtime < newest:
                index.unlink()
    module = kernel.__module__.rpartition(".")[2]
    if not any(index.exists() for index in indexes if index.name.startswith(f"{module}.{kernel.__name__}-")):
        about = f", about {seconds} s" if seconds else ""
        print(f"compiling {what}{about}; this happens once", file=sys.stderr, flush=True)
