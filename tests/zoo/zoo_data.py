"""The data of the zoo: small, seeded, one file to train on and NAME_new to predict. Standard library only."""

import math
import random
import struct

TRAIN, NEW = 24, 7


def table(names, rows):
    return "\n".join([",".join(names)] + [",".join(map(str, row)) for row in rows]) + "\n"


def number(value):
    return f"{value:.3f}"


def normals(draw, columns):
    return [draw.gauss(0, 1) for _ in range(columns)]


def two(draw, count, labels=("raw", "ripe")):
    rows = []
    for _ in range(count):
        x = normals(draw, 5)
        x[4] = x[3] + 0.3 * x[4]
        label = labels[x[0] - x[1] + draw.gauss(0, 0.7) > 0]
        rows.append([*map(number, x), label])
    return rows


def numbers(draw, count):
    rows = []
    for _ in range(count):
        x = normals(draw, 3)
        rows.append([*map(number, x), number(3 * x[0] - 2 * x[1] + 1 + draw.gauss(0, 0.3))])
    return rows


def three(draw, count, labelled=None):
    rows = []
    for t in range(count):
        k = t % 3
        x = [1.5 * math.cos(2.1 * k) + draw.gauss(0, 0.7), 1.5 * math.sin(2.1 * k) + draw.gauss(0, 0.7), draw.gauss(0, 1)]
        rows.append([*map(number, x), "xyz"[k] if labelled is None or t < labelled else ""])
    return rows


def texts(draw, count):
    """Columns of texts, one of them with commas, quotes and letters beyond ASCII."""
    rows = []
    for _ in range(count):
        colour = draw.choice(("red", "blue", '"pale, ""warm"" grün"'))
        size, shape = draw.gauss(2, 1), draw.choice(("flat", "round", "long"))
        label = "yes" if (colour == "red") + (shape == "round") + draw.gauss(0, 0.4) > 0.7 else "no"
        rows.append([colour, shape, number(size), label])
    return rows


def holes(draw, count):
    """The same with gaps in every column."""
    return [["" if draw.random() < 0.12 else cell for cell in row[:-1]] + row[-1:] for row in texts(draw, count)]


def clusters(draw, count, labelled, sure=False):
    rows = []
    for t in range(count):
        side = 1 - 2 * (t % 2)
        x = [draw.gauss(1.5 * side, 1), draw.gauss(1.5 * side, 1), draw.gauss(0, 2)]
        label = ("ripe" if side > 0 else "raw") if t < labelled else ""
        rows.append([*map(number, x), *([(0.9, 0.7, 1)[t % 3]] if sure else []), label])
    return rows


def values(draw, count, kind):
    """Counts, durations or bits of two classes."""
    rows = []
    for t in range(count):
        level = 1 + t % 2
        if kind == "counts":
            row = [sum(draw.random() < 0.2 * level for _ in range(9)) for _ in range(2)] + [draw.randint(0, 4)]
        elif kind == "times":
            row = [number(draw.expovariate(level)) for _ in range(3)]
        else:
            first = draw.randint(0, 1)
            row = [first, (first + (level == 2) + (draw.random() < 0.1)) % 2, draw.randint(0, 1), int(draw.random() < 0.3 * level)]
        rows.append([*row, "ab"[t % 2]])
    return rows


def gaps(draw, count):
    return [[x if draw.random() > 0.1 else "" for x in row[:-1]] + [row[-1]] for row in two(draw, count)]


def bumps(draw, count, length):
    rows = []
    for t in range(count):
        place, side = length // 2 + draw.randint(-1, 1), (-1, 1)[t % 2]
        row = [number(4 * math.exp(-(i - place) ** 2) + 2 * math.exp(-2 * (i - place - side) ** 2) + draw.gauss(0, 0.2)) for i in range(length)]
        rows.append([*row, t % 2])
    return rows


def steps(draw, count):
    """Sequences of two channels with a step whose height is the class."""
    for t in range(count):
        length, change, height = draw.randint(8, 11), draw.randint(3, 5), (2, 4)[t % 2]
        yield ([number(height * (tau >= change) + draw.gauss(0, 0.4)) for tau in range(length)],
               [number(draw.gauss(0, 1)) for _ in range(length)], ("low", "high")[t % 2])


def series(draw, count):
    lines = ["@problemName steps", "@classLabel true low high", "@data"]
    return "\n".join(lines + [",".join(a) + ":" + ",".join(b) + ":" + kind for a, b, kind in steps(draw, count)]) + "\n"


def long_table(draw, count):
    rows = [[f"w{t}", tau, a[tau], b[tau], kind] for t, (a, b, kind) in enumerate(steps(draw, count)) for tau in range(len(a))]
    return table(["walk", "second", "height", "noise", "kind"], rows)


def sparse(draw, count, indices=(1, 4, 9, 20, 24)):
    lines = []
    for _ in range(count):
        x = {i: draw.gauss(0, 1) for i in indices if draw.random() < 0.6}
        label = "+1" if x.get(indices[1], 0) - x.get(indices[2], 0) + draw.gauss(0, 0.3) > 0 else "-1"
        lines.append(" ".join([label] + [f"{i}:{value:.3f}" for i, value in x.items()]))
    return "\n".join(lines) + "\n"


def array(draw, count):
    """A .npy file of 8-byte floats, row by row."""
    rows = [list(map(float, row)) for row in numbers(draw, count)]
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, {len(rows[0])}), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"".join(struct.pack("<d", x) for row in rows for x in row)


def coded(draw, count):
    """Texts with U+001A, which model files write as a code, and with other signs that JSON escapes."""
    rows = [[*row[:2], row[2], row[5].replace("a", "\x1aa")] for row in two(draw, count)]
    return table(["caf\u00e9\x1a41", "b\\", '"c\t""d"""', "art"], rows)


def products(points, of):
    """Inner products e^{-distance^2 / 2} with the examples that are trained on."""
    names = [f"k{t}" for t in range(len(of))] + ["kind"]
    rows = [[f"{math.exp(-sum((float(a) - float(b)) ** 2 for a, b in zip(p[:3], q[:3])) / 2):.6f}" for q in of] + [p[-1]] for p in points]
    return table(names, rows)


def data_files():
    """Name and content of each file; the numbers of a file depend on its name alone."""
    files = {"means.csv": "a,0.5\nc,-0.25\n", "priors.csv": "a,0.9\nb,0.01\ne,1\n", "groups.csv": "a,left\nb,left\nc,right\n",
             "maps.csv": "1,0,0\n0,1,0\n0,0,1\n0,1,0\n1,0,0\n0,0,1\n", "directions.csv": "a,b,c\n1,1,0\n"}
    five, pixels = ["a", "b", "c", "d", "e", "kind"], [f"p{i}" for i in range(9)] + ["kind"]
    rows_of = {
        "two": (five, two), "gaps": (five, gaps), "numbers": (["a", "b", "c", "y"], numbers),
        "three": (["a", "b", "c", "kind"], three), "few": (["a", "b", "c", "kind"], lambda d, n: three(d, n, labelled=9)),
        "texts": (["colour", "shape", "size", "good"], texts),
        "holes": (["colour", "shape", "size", "good"], holes),
        "counts": (["a", "b", "c", "kind"], lambda d, n: values(d, n, "counts")),
        "times": (["a", "b", "c", "kind"], lambda d, n: values(d, n, "times")),
        "bits": (["a", "b", "c", "d", "kind"], lambda d, n: values(d, n, "bits")),
        "some": (["a", "b", "c", "kind"], lambda d, n: clusters(d, n, 8)),
        "sure": (["a", "b", "c", "sure", "kind"], lambda d, n: clusters(d, n, n, sure=True)),
        "bumps": (pixels, lambda d, n: bumps(d, n, 9)), "images": (pixels, lambda d, n: bumps(d, n, 9)),
        "axes": (["a", "b", "c", "kind"], lambda d, n: clusters(d, n, n)),
        "weighted": (["a", "b", "c", "d", "e", "weight", "kind"],
                     lambda d, n: [[*r[:5], number(d.uniform(0.2, 3)), r[5]] for r in two(d, n)]),
        "wide": ([f"c{i}" for i in range(14)] + ["kind"],
                 lambda d, n: [[*map(number, normals(d, 14)), "odd" if t == 0 else "usual"] for t in range(n)]),
    }
    for name, (names, rows) in rows_of.items():
        draw = random.Random(name)
        files[f"{name}.csv"] = table(names, rows(draw, 10 if name == "wide" else TRAIN))
        files[f"{name}_new.csv"] = table(names, rows(draw, NEW))
    others = {"steps.ts": series, "long.csv": long_table, "sparse.svm": sparse, "array.npy": array, "coded.csv": coded,
              "indices.svm": lambda d, n: sparse(d, n, (3, 7, 4294967299, 9223372036854775807)),
              "headless.csv": lambda d, n: "".join(",".join(row) + "\n" for row in numbers(d, n))}
    for file, make in others.items():
        draw = random.Random(file)
        files[file] = make(draw, TRAIN // 2 if file in ("steps.ts", "long.csv") else TRAIN)
        files[file.replace(".", "_new.")] = make(draw, NEW)
    draw = random.Random("products")
    of = two(draw, 12)
    files["products.csv"], files["products_new.csv"] = products(of, of), products(two(draw, NEW), of)
    return files
