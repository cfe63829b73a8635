"""Modules of their own, of text that Triton has printed."""

import tempfile

from triton._C.libtriton import ir, nvidia


def new_context():
    context = ir.context()
    ir.load_dialects(context)
    nvidia.load_dialects(context)
    return context


def parsed(text: str, context=None):
    """With its context, None: one of its own."""
    context = context or new_context()
    module = parsed_in(context, text)
    module.context = context
    return module


def parsed_in(context, text: str):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        return ir.parse_mlir_module(file.name, context)
