"""Compilation of the kernels.

Kernels use files of this package only; the stamp of their cache is a digest of all of them, which is read faster than
their imports are followed.

A kernel is made of some dozens of parts. Numba would optimise each part and translate it to machine code by itself, and
do it all over again in every kernel that it is linked into. Here only the kernels are: compiling all of them takes about
20 s of one core instead of 30.

That uses what Numba does not document, so ``pyproject.toml`` bounds its version. A new version is admitted after the tests
of the engine, which hold every kernel against sums over all state paths, and those of the cache, slow ones included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from ...core.compiled import compiled


def _digest_of_sources() -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_STAMP = _digest_of_sources()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls, and cache it."""
    return compiled(stamp=_STAMP)(function)


class _Part(JITCodeLibrary):
    """Code of a part, neither optimised nor translated by itself: that is done once, in the kernels it is linked into."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    """The usual lowering, without the entry that Python would call."""

    _name = "kinseq_lower_part"

    def run_pass(self, state: Any) -> bool:
        code = state["library"] = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba finds a function again by its entry, which must be unique and built in; nobody calls this one.
        entry: Any = [].append
        state.targetctx.insert_user_function(entry, state["cr"].fndesc, [code])
        state["cr"] = state["cr"]._replace(cfunc=entry)
        return True


class _PartCompiler(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [(_LowerPart if step is NativeLowering else step, why) for step, why in pipeline.passes]
        pipeline.finalize()
        return [pipeline]


def part(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call: no entry from Python, and cached as part of its callers."""
    return numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_PartCompiler)(
        function
    )
