"""PNG files of 8 bits a channel without interlace: RGB, RGBA and palette are read, palette is written."""

import array
import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Bytes of a pixel by colour type.
PIXEL_BYTES = {2: 3, 3: 1, 6: 4}
RGB, PALETTE = 2, 3


class Picture:
    """`pixels` are numbers 0xRRGGBB, row by row from the top."""

    def __init__(self, width, height, pixels):
        self.width, self.height, self.pixels = width, height, pixels


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def paeth(left, above, corner):
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]


def unfilter(kind, row, above, step):
    """The bytes of a row; `above` is the row before it, `step` the bytes of a pixel."""
    if kind == 0:
        return row
    if kind == 2:
        return bytearray((byte + up) & 255 for byte, up in zip(row, above))
    for at, up in enumerate(above):
        left = row[at - step] if at >= step else 0
        corner = above[at - step] if at >= step else 0
        row[at] = (row[at] + (left if kind == 1 else (left + up) // 2 if kind == 3 else paeth(left, up, corner))) & 255
    return row


def rows(data, width, height, step):
    above = bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        above = unfilter(data[begin], bytearray(data[begin + 1:begin + 1 + width * step]), above, step)
        yield above


def read(data):
    assert data[:len(SIGNATURE)] == SIGNATURE, "no PNG"
    parts = collections.defaultdict(bytes)
    for kind, content in chunks(data):
        parts[kind] += content
    width, height, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert depth == 8 and color in PIXEL_BYTES and not interlace, "a PNG of another kind"
    step = PIXEL_BYTES[color]
    content = b"".join(rows(zlib.decompress(parts[b"IDAT"]), width, height, step))
    if color == PALETTE:
        palette = [int.from_bytes(parts[b"PLTE"][at:at + 3], "big") for at in range(0, len(parts[b"PLTE"]), 3)]
        return Picture(width, height, array.array("I", [palette[index] for index in content]))
    # Four bytes a pixel, most significant first: none, red, green, blue.
    wide = bytearray(4 * width * height)
    for channel in range(3):
        wide[channel + 1::4] = content[channel::step]
    pixels = array.array("I")
    pixels.frombytes(wide)
    if struct.pack("=I", 1) == struct.pack("<I", 1):
        pixels.byteswap()
    return Picture(width, height, pixels)


def distance(one, other):
    """Of two colours: the largest difference of a channel."""
    return max(abs((one >> shift & 255) - (other >> shift & 255)) for shift in (0, 8, 16))


def palette_of(pixels, size=256):
    """Frequent colours that are apart, and for every colour of the pixels the index of one near it."""
    palette, nearest = [], {}
    spread = 0
    counts = collections.Counter(pixels).most_common()
    while True:
        palette, nearest = [], {}
        for color, _ in counts:
            index = next((index for index, chosen in enumerate(palette) if distance(color, chosen) <= spread), None)
            if index is None:
                index = len(palette)
                palette.append(color)
            nearest[color] = index
            if len(palette) > size:
                break
        if len(palette) <= size:
            return palette, nearest
        spread += 4


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def write(picture):
    """With at most 256 colours, each a little off where there were more."""
    palette, nearest = palette_of(picture.pixels)
    indices = bytes(nearest[color] for color in picture.pixels)
    lines = b"".join(b"\0" + indices[at:at + picture.width] for at in range(0, len(indices), picture.width))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, PALETTE, 0, 0, 0)
    colors = b"".join(color.to_bytes(3, "big") for color in palette)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"PLTE", colors) + chunk(b"IDAT", zlib.compress(lines, 9)) +
            chunk(b"IEND", b""))
