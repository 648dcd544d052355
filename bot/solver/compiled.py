"""How the solver's kernels are compiled: one decorator, and one line for the person who waits for it.

Machine code is cached beside the source (or in numba's own cache folder when that is read-only), so a computer
compiles once. With NUMBA_DISABLE_JIT=1 every kernel is the plain Python function it is written as, slow and open to a
debugger.

Numba by itself would optimise and translate every kernel together with all that it calls, and cache it: what five
kernels share is then translated five times, and once more for each level between. Here a kernel that another one calls
is only taken as far as LLVM's language; machine code is made for what Python calls.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

_sources: set[Path] = set()


def compiled(function: Kernel) -> Kernel:
    """Compile a kernel with numba: cached on disk, without the interpreter's lock, dividing by zero as numpy does."""
    _sources.add(Path(function.__code__.co_filename))
    kernel: Any = numba.njit(cache=True, **_OPTIONS)(function)
    if kernel is not function:
        as_part = _OPTIONS | {"no_cpython_wrapper": True, "pipeline_class": _PartCompiler}
        part: Any = numba.njit(**as_part)(function)
        kernel.get_call_template = _one_integer_type(part.get_call_template)
        kernel.get_overload = part.get_overload
        kernel.compile = _uninterrupted(kernel.compile)
    return cast(Kernel, kernel)


class _PartLibrary(JITCodeLibrary):
    """A kernel for other kernels to link in, never run by itself: neither optimised as a whole nor translated."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    """Lowers a kernel into a `_PartLibrary` and makes it known to its callers."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        name: list[Any] = []  # numba knows a function by a builtin of its own, which for parts nobody calls
        state.cr = state.cr._replace(cfunc=name.append)
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


class _PartCompiler(CompilerBase):
    """Numba's usual passes, up to `_PartLowering`."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_PartLowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes.finalize()
        return [passes]


def _uninterrupted(compile_kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Compile without looking for garbage: all of the many new objects stay, and looking takes a fifth longer."""

    def compile_it(signature: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return compile_kernel(signature)
        finally:
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


def announce(kernel: Callable[..., Any], what: str) -> None:
    """Say on stderr that `what` is about to be compiled, unless this computer has it in the cache.

    Call it before the first call of a kernel. Numba only notices changes to the file a kernel stands in, not to those
    of the kernels it calls, so machine code older than any of our sources is thrown away first.
    """
    stats = getattr(kernel, "stats", None)
    if stats is None:
        return
    newest = max(source.stat().st_mtime for source in _sources if source.exists())
    indexes = list(Path(stats.cache_path).glob("*.nbi"))
    for index in indexes:
        with suppress(FileNotFoundError):  # another process may be throwing it away too
            if index.stat().st_mtime < newest:
                index.unlink()
    module = kernel.__module__.rpartition(".")[2]
    if not any(index.exists() for index in indexes if index.name.startswith(f"{module}.{kernel.__name__}-")):
        print(f"compiling {what}; this happens once", file=sys.stderr, flush=True)
