"""What a pass decided, from what it left, in the words of our passes (core/pass/remarks.def). Why it did so, nobody says."""


def remarks_of(name, buffers, before):
    """Of the pass of this name; `before`: the layouts of buffers before it, by id."""
    if name == "tl.LayoutInference":
        return [remark("LayoutChosen", [buffer], f"'{buffer.name}' gets layout {buffer.layout}")
                for buffer in buffers.now if buffer.layout and buffer.layout != before.get(buffer.id)]
    if name == "tl.MergeSharedMemoryAllocations":
        placed = [buffer for buffer in buffers.now if None not in (buffer.offset, buffer.bytes)]
        return [placement(buffer, [other for other in placed if other is not buffer and share_bytes(buffer, other)])
                for buffer in placed]
    return []


def remark(kind, about, text):
    line = about[0].line
    return {"id": kind, "buffers": [buffer.id for buffer in about], "text": text} | (
        {"span": [line, 1, line, 1]} if line else {})


def share_bytes(first, second):
    return first.offset < second.offset + second.bytes and second.offset < first.offset + first.bytes


def placement(buffer, others):
    names = ", ".join(f"'{other.name}'" for other in others)
    text = f"'{buffer.name}' lies at [{buffer.offset:,}, {buffer.offset + buffer.bytes:,}): "
    return remark("BufferPlaced", [buffer, *others], text + (f"shares bytes with {names}" if names else "shares none"))
