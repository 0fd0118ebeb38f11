"""Makes the fonts of the pages: python make.py NODE_MODULES. README.md has the rest."""

import cmath
import math
import sys
from itertools import accumulate
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates

HERE = Path(__file__).parent.parent / "assets" / "fonts"
FROM = Path(sys.argv[1])
VARIABLE = "@fontsource-variable/alegreya/files/alegreya"
SANS = "@expo-google-fonts/alegreya-sans"
MEDIUM = f"{SANS}/500Medium/AlegreyaSans_500Medium.ttf"
EXTRA_BOLD = f"{SANS}/800ExtraBold/AlegreyaSans_800ExtraBold.ttf"

ASCII = range(0x20, 0x7F)
LATIN_1 = range(0xA0, 0x100)
LATIN_A = [*range(0x100, 0x131), *range(0x132, 0x152), *range(0x154, 0x180)]
LETTERS = [c for c in LATIN_1 if chr(c).isalpha() and c not in b"\xaa\xb5\xba"]
TEXT = [*ASCII, *LATIN_1, *map(ord, "ıŒœ‐‑‒–—―‘’‚“”„†‡•…‹›⁄€←↑→↓−✕")]
TITLE = [*(c for c in ASCII if chr(c).isalnum()), *LETTERS, *map(ord, "ıŒœ \xa0!\"%&'()+,-./:;=?¡·¿×–—‘’“”…−")]

# File, name of the family, name of the style, source, characters.
TEXTS = [
    ("text", "Fracas Text", "Regular", f"{VARIABLE}-latin-wght-normal.woff2", TEXT),
    ("text-ext", "Fracas Text", "Regular", f"{VARIABLE}-latin-ext-wght-normal.woff2", LATIN_A),
    ("text-italic", "Fracas Text", "Italic", f"{VARIABLE}-latin-wght-italic.woff2", TEXT),
    ("text-italic-ext", "Fracas Text", "Italic", f"{VARIABLE}-latin-ext-wght-italic.woff2", LATIN_A),
    ("sans", "Fracas Sans", "Medium", MEDIUM, TEXT),
    ("sans-ext", "Fracas Sans", "Medium", MEDIUM, LATIN_A),
    ("sans-bold", "Fracas Sans", "ExtraBold", EXTRA_BOLD, TEXT),
    ("sans-bold-ext", "Fracas Sans", "ExtraBold", EXTRA_BOLD, LATIN_A),
]
# File, name, source.
TITLES = [
    ("title-judge", "Fracas Judge Title", "@expo-google-fonts/caudex/700Bold/Caudex_700Bold.ttf"),
    ("title-truth", "Fracas Truth Title", "@expo-google-fonts/im-fell-english/400Regular/IMFellEnglish_400Regular.ttf"),
    ("title-afraid", "Fracas Afraid Title", "@fontsource/cutive/files/cutive-latin-400-normal.woff2"),
    ("title-clash", "Fracas Clash Title", "@expo-google-fonts/rye/400Regular/Rye_400Regular.ttf"),
    ("title-ruins", "Fracas Ruins Title", "@expo-google-fonts/pirata-one/400Regular/PirataOne_400Regular.ttf"),
]
# File, source.
LICENCES = [
    ("OFL-alegreya.txt", "@expo-google-fonts/alegreya/LICENSE_FONT"),
    ("OFL-alegreya-sans.txt", f"{SANS}/LICENSE_FONT"),
    ("OFL-caudex.txt", "@expo-google-fonts/caudex/LICENSE_FONT"),
    ("OFL-im-fell-english.txt", "@expo-google-fonts/im-fell-english/LICENSE_FONT"),
    ("OFL-cutive.txt", "@fontsource/cutive/LICENSE"),
    ("OFL-rye.txt", "@expo-google-fonts/rye/LICENSE_FONT"),
    ("OFL-pirata-one.txt", "@expo-google-fonts/pirata-one/LICENSE_FONT"),
]


def subset(source, characters, features):
    """A font with these characters and features, in no language's own forms."""
    font = TTFont(FROM / source, recalcTimestamp=False)
    unligature(font)
    options = Options()
    options.layout_features = features
    options.layout_scripts = ["latn.dflt", "DFLT.dflt"]
    options.hinting = False
    options.name_IDs = ["*"]
    options.notdef_outline = True
    options.drop_tables += ["MATH"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    return font


def unligature(font):
    """Drops ligatures of an accent that stands by itself, which make one letter of `~e`."""
    accents = {font.getBestCmap().get(ord(c)) for c in "~´¨"}
    for lookup in font["GSUB"].table.LookupList.Lookup if "GSUB" in font else []:
        for table in lookup.SubTable:
            table = getattr(table, "ExtSubTable", table)
            if table.LookupType == 4:
                table.ligatures = {k: v for k, v in table.ligatures.items() if k not in accents}


def rename(font, family, style):
    """Gives a font our name. Whose it is, and under which licence, stays."""
    names = font["name"]
    version = names.getDebugName(5).strip()
    source = f"{names.getDebugName(1)}, {version}"
    kept = {n: names.getDebugName(n) for n in (0, 9, 13, 14) if names.getDebugName(n)}
    whole = family if style == "Regular" else f"{family} {style}"
    plain = style in ("Regular", "Italic")
    named = {
        1: family if plain else whole,
        2: style if plain else "Regular",
        3: f"{whole}; {version}",
        4: whole,
        5: version,
        6: f"{family}-{style}".replace(" ", ""),
        10: f"A modified version of {source}.",
        13: "This Font Software is licensed under the SIL Open Font License, Version 1.1.",
    }
    if not plain:
        named |= {16: family, 17: style}
    names.names = []
    if "fvar" in font:
        # Browsers read no names of weights.
        del font["STAT"]
        font["fvar"].instances = []
        font["fvar"].axes[0].axisNameID = 256
        named[256] = "Weight"
    for number, text in sorted((named | kept).items()):
        names.setName(text, number, 3, 1, 0x409)


def set_lines(font, above, below):
    """Sets the height of a line above and below the base, the same on every platform."""
    hhea, os2 = font["hhea"], font["OS/2"]
    hhea.ascent, hhea.descent, hhea.lineGap = above, -below, 0
    os2.sTypoAscender, os2.sTypoDescender, os2.sTypoLineGap = above, -below, 0
    os2.usWinAscent, os2.usWinDescent = above, below


def centre_capitals(font):
    """Lets capitals stand in the middle of a line."""
    em = font["head"].unitsPerEm
    capital = font["glyf"][font.getBestCmap()[ord("H")]].yMax
    above = round((1.28 * em + capital) / 2)
    set_lines(font, above, above - capital)


def contours(font, name):
    """The outlines of a glyph, as lists of a point (a complex number) and whether the
    outline goes through it."""
    glyph = font["glyf"][name]
    if glyph.isComposite() or glyph.numberOfContours <= 0:
        return []
    points, ends, flags = glyph.getCoordinates(font["glyf"])
    starts = [0, *(end + 1 for end in ends)]
    return [[(complex(*points[i]), flags[i] & 1) for i in range(a, b)] for a, b in zip(starts, starts[1:])]


def set_contours(font, name, outlines):
    glyph = font["glyf"][name]
    points = [point for outline in outlines for point in outline]
    glyph.numberOfContours = len(outlines)
    glyph.coordinates = GlyphCoordinates([(round(p.real), round(p.imag)) for p, _ in points])
    glyph.flags = bytearray(through for _, through in points)
    glyph.endPtsOfContours = [sum(map(len, outlines[: n + 1])) - 1 for n in range(len(outlines))]
    glyph.recalcBounds(font["glyf"])
    font["hmtx"][name] = (font["hmtx"][name][0], glyph.xMin)


def simplify(font, em, tolerance):
    """Draws each outline anew with few points, about as near as the tolerance, on an em of so
    many units."""
    scale = em / font["head"].unitsPerEm
    drawn = {}
    for name in font.getGlyphOrder():
        outlines = [[(p * scale, through) for p, through in o] for o in contours(font, name)]
        drawn[name] = [o for o in (redrawn(o, tolerance) for o in outlines) if len(o) > 2]
    scale_upem(font, em)
    for name, outlines in drawn.items():
        if outlines:
            set_contours(font, name, outlines)


def redrawn(outline, tolerance):
    """The outline with the fewest points: a line costs one, a curve two."""
    walk, stops = walked(outline)
    last = len(stops) - 1
    cheapest = [(0, None, None)] + [(math.inf, None, None)] * last
    for a in range(last):
        misses = 0
        for b in range(a + 1, last + (a > 0)):
            piece = walk[stops[a] : stops[b] + 1]
            straight = is_line(piece, tolerance)
            bend = None if straight else curve(piece, tolerance)
            fits = straight or bend is not None
            cost = cheapest[a][0] + (1 if bend is None else 2)
            if (fits or b == a + 1) and cost < cheapest[b][0]:
                cheapest[b] = (cost, a, bend)
            misses = 0 if fits else misses + 1
            if misses > 3:
                break
    points, at = [], last
    while at > 0:
        _, before, bend = cheapest[at]
        points += [(walk[stops[at]], 1)] if bend is None else [(walk[stops[at]], 1), (bend, 0)]
        at = before
    return [point for n, point in enumerate(points[::-1]) if not is_implied(points[::-1], n, tolerance)]


def is_implied(points, at, tolerance):
    """Whether the outline goes through a point without it: halfway between two beside it."""
    (before, a), (point, through), (after, b) = points[at - 1], points[at], points[(at + 1) % len(points)]
    return through and not a and not b and abs((before + after) / 2 - point) <= 0.7 * tolerance


def walked(outline):
    """Points along a closed outline, from its sharpest corner back to it, and the places among
    them where its own lines and curves end."""
    full = []
    for n, (point, through) in enumerate(outline):
        after, next_through = outline[(n + 1) % len(outline)]
        full.append((point, through))
        if not through and not next_through:
            full.append(((point + after) / 2, 1))

    def sharpness(n):
        (point, through), before, after = full[n], full[n - 1][0], full[(n + 1) % len(full)][0]
        turn = cmath.phase(point - before) - cmath.phase(after - point)
        return abs(math.remainder(turn, math.tau)) if through else -1

    first = max(range(len(full)), key=sharpness)
    full = full[first:] + full[: first + 1]
    walk, stops, n = [], [], 0
    while n < len(full) - 1:
        stops.append(len(walk))
        is_curve = not full[n + 1][1]
        a, b = full[n][0], full[n + 1 + is_curve][0]
        c = full[n + 1][0] if is_curve else (a + b) / 2
        parts = max(2, math.ceil((abs(c - a) + abs(b - c)) / 12))
        walk += [on_curve(a, c, b, part / parts) for part in range(parts)]
        n += 1 + is_curve
    return [*walk, walk[0]], [*stops, len(walk)]


def on_curve(a, c, b, t):
    return (1 - t) ** 2 * a + 2 * t * (1 - t) * c + t * t * b


def is_line(walk, tolerance):
    a, length = walk[0], abs(walk[-1] - walk[0])
    if length == 0:
        return False
    along = (walk[-1] - a).conjugate() / length
    places = (along * (point - a) for point in walk)
    return all(abs(p.imag) <= tolerance and -tolerance <= p.real <= length + tolerance for p in places)


def curve(walk, tolerance):
    """The middle point of the quadratic curve that fits best, if it fits."""
    a, b = walk[0], walk[-1]
    times = list(accumulate((abs(q - p) for p, q in zip(walk, walk[1:])), initial=0.0))
    times = [time / times[-1] for time in times]
    for _ in range(4):
        weights = [2 * t * (1 - t) for t in times]
        needs = (w * (p - (1 - t) ** 2 * a - t * t * b) for p, t, w in zip(walk, times, weights))
        c = sum(needs) / sum(w * w for w in weights)
        off = [on_curve(a, c, b, t) - p for p, t in zip(walk, times)]
        worst = max(map(abs, off))
        if worst <= tolerance:
            return c
        if worst > 4 * tolerance:
            return None
        # One step of Newton's method moves each time to where the curve is nearest.
        bent = 2 * (a - 2 * c + b)
        for n in range(1, len(walk) - 1):
            speed = 2 * (c - a) + times[n] * bent
            slope = abs(speed) ** 2 + (off[n].conjugate() * bent).real
            if slope > 0:
                times[n] = min(1, max(0, times[n] - (off[n].conjugate() * speed).real / slope))
    return None


def thin_kerning(font, least):
    """Drops kerns of fewer units."""
    for table in font["kern"].kernTables:
        table.kernTable = {pair: by for pair, by in table.kernTable.items() if abs(by) >= least}


def save(font, file):
    font["post"].formatType = 3.0
    # Smooth at every size.
    font["gasp"].gaspRange = {0xFFFF: 15}
    font.flavor = "woff2"
    font.save(HERE / f"{file}.woff2")


for file, family, style, source, characters in TEXTS:
    font = subset(source, characters, ["kern", "liga", "lnum", "onum", "tnum", "pnum", "frac", "rvrn"])
    set_lines(font, font["hhea"].ascent, -font["hhea"].descent)
    rename(font, family, style)
    save(font, file)
for file, family, source in TITLES:
    font = subset(source, TITLE, ["kern", "liga"])
    if file == "title-truth":
        simplify(font, 1000, 2)
        thin_kerning(font, 18)
    centre_capitals(font)
    rename(font, family, "Regular")
    save(font, file)
for file, source in LICENCES:
    (HERE / file).write_text((FROM / source).read_text())
