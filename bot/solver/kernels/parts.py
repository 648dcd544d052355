"""A kernel as a part of those that call it: taken as far as LLVM's language, never made into machine code of its own.

Numba by itself optimises and translates every kernel together with all that it calls, and caches it: what five kernels
share is then translated five times, and once more for each level between. This reaches into numba's inside; where a
version lacks something of it, importing this file fails and `compiled` does without.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


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


class PartCompiler(CompilerBase):
    """Numba's usual passes, up to `_PartLowering`."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_PartLowering if each is NativeLowering else each, why) for each, why in passes.passes]
        passes.finalize()
        return [passes]
