"""How the solver's kernels are compiled: one decorator, and one line for the person who waits for it.

Machine code is cached beside the source (or in numba's own cache folder when that is read-only), so a computer
compiles once. With NUMBA_DISABLE_JIT=1 every kernel is the plain Python function it is written as, slow and open to a
debugger.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_sources: set[Path] = set()


def compiled(function: Kernel) -> Kernel:
    """Compile a kernel with numba: cached on disk, without the interpreter's lock, dividing by zero as numpy does."""
    _sources.add(Path(function.__code__.co_filename))
    kernel: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    if hasattr(kernel, "get_call_template"):
        kernel.get_call_template = _one_integer_type(kernel.get_call_template)
    return cast(Kernel, kernel)


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
        if index.stat().st_mtime < newest:
            index.unlink(missing_ok=True)
    module = kernel.__module__.rpartition(".")[2]
    if not any(index.exists() for index in indexes if index.name.startswith(f"{module}.{kernel.__name__}-")):
        print(f"compiling {what}; this happens once", file=sys.stderr, flush=True)
