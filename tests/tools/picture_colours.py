"""The part of check_pictures.py that holds the fills of neighbours in an arena against each other, and numbers against
the fills below them, for all eyes.

What a picture says of thin lines and letters is blurred; tests/unit/theme_test.cpp compares the colours of texts.
"""

import collections
import itertools
import math

# Of CIELAB, between the fills of two neighbours.
LEAST_DIFFERENCE = 20
SETTINGS = [("800x600", 1), ("1600x1000", 1), ("3840x2160", 2)]
# Without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1): matrices on linear sRGB.
VISIONS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def times(rows, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]


def lab(colour, vision):
    channels = [(colour >> shift & 255) / 255 for shift in (16, 8, 0)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(max(c, 0), 1) for c in times(VISIONS[vision], linear)]
    white = times(XYZ, (1, 1, 1))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
               for t in (a / b for a, b in zip(times(XYZ, seen), white)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(a, b, vision):
    return math.dist(lab(a, vision), lab(b, vision))


def fill_of(picture, box):
    """What most of a buffer's box is filled with."""
    left, top, right, bottom = box
    counts = collections.Counter()
    for y in range(top + 4, bottom - 4):
        counts.update(picture.pixels[y * picture.width + left + 4:y * picture.width + right - 4])
    return counts.most_common(1)[0][0]


def touch(a, b):
    """Beside each other or one above the other, up to the width of a line."""
    x = min(a[2], b[2]) - max(a[0], b[0])
    y = min(a[3], b[3]) - max(a[1], b[1])
    return min(x, y) >= -2 and max(x, y) > 2


def check(name, picture, places, scale):
    boxes = {place.removeprefix("arena "): box for place, box in places.items()
             if place.startswith("arena ") and min(box[2] - box[0], box[3] - box[1]) > 12 * scale}
    if len(boxes) < 2:
        return [f"{name}: {len(boxes)} boxes are seen"]
    fills = {buffer: fill_of(picture, box) for buffer, box in boxes.items()}
    findings = []
    for (a, b), vision in itertools.product(itertools.combinations(boxes, 2), VISIONS):
        apart = difference(fills[a], fills[b], vision)
        if touch(boxes[a], boxes[b]) and apart < LEAST_DIFFERENCE:
            findings.append(f"{name}: fills of {a} and {b} differ by {apart:.1f} to {vision} eyes")
    return findings


def check_map(name, picture, places):
    """In the map of panel `peak` the shades are a scale: each number is read on its own."""
    cells = {place: box for place, box in places.items() if place.startswith("map ")}
    if len(cells) < 2:
        return [f"{name}: {len(cells)} cells are seen"]
    findings = []
    for cell, (left, top, right, bottom) in cells.items():
        fill = fill_of(picture, (left, top, right, bottom))
        colours = {colour for y in range(top + 1, bottom - 1)
                   for colour in picture.pixels[y * picture.width + left + 1:y * picture.width + right - 1]}
        for vision in VISIONS:
            apart = max(difference(fill, colour, vision) for colour in colours)
            if apart < LEAST_DIFFERENCE:
                findings.append(f"{name}: the number of {cell} differs from its fill by {apart:.1f} to {vision} eyes")
    return findings
