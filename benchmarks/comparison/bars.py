"""The bars: what is compared with what, on which sets, and how large the ratio may be. Each judged row is a dictionary."""

SYNTHETIC = ["S1", "S2", "S3", "S4", "R4"]
REAL = ["a9a", "dorothea", "news20", "news20_unit", "basehock", "arcene", "golub", "mushrooms", "rcv1", "california", "splice"]
REGRESSIONS = ["R4", "california"]
QUICK = ["S2", "a9a", "golub"]
SMALL = ["S2", "arcene", "golub", "rcv1", "splice"]  # for LIBSVM and for peers in Python
STRICT = ["S1", "S2", "S3", "S4", "a9a"]


class Bar:
    """Our fit `ours` against the fastest accurate one among `peers`, at most `limit` times as long."""

    def __init__(self, name, ours, peers, limit, on="classification"):
        self.name, self.ours, self.peers, self.on = name, ours, peers, on
        self.limit = limit if callable(limit) else lambda set_name: limit

    def applies(self, set_name):
        if isinstance(self.on, list):
            return set_name in self.on
        return (set_name in REGRESSIONS) == (self.on == "regression")

    def ids(self):
        return [self.ours, *self.peers]


BARS = {
    "p0=1": [Bar("p0 = 1 against liblinear -s 1, -s 3", "p0=1", ["s1", "s3"], lambda s: 0.5 if s in STRICT else 1.0)],
    "switches": [Bar(f"p0 = {p} against our p0 = 1", f"p0={p}", ["p0=1"], 2.0) for p in ("0.1", "1e-3", "1e-5")],
    "l1": [Bar("p0 = 1e-3 against liblinear -s 5, -s 6", "p0=1e-3", ["s5", "s6"], 0.7)],
    "glmnet": [Bar("p0 = 1e-5 against glmnet, one lambda", "p0=1e-5", ["glmnet"], 1.0)],
    "c": [Bar(f"p0 = {p}, c = {c} against c = 5", f"p0={p} c={c}", [f"p0={p}"], 4.0) for p in ("1", "1e-3") for c in (50, 500)],
    "regression": [
        Bar("tube, p0 = 1, against liblinear -s 11", "tube p0=1", ["s11"], 0.5, "regression"),
        Bar("tube, p0 = 1, against liblinear -s 13", "tube p0=1", ["s13"], 0.05, "regression"),
        Bar("tube, p0 = 1e-3, against liblinear -s 11", "tube p0=1e-3", ["s11"], 1.0, "regression"),
        Bar("tube, p0 = 1e-3, against liblinear -s 13", "tube p0=1e-3", ["s13"], 0.1, "regression"),
    ],
    # No bar, but of interest: the same problem as a peer's, and peers from Python.
    "others": [
        Bar("hinge against libsvm, same problem", "hinge", ["libsvm"], None, SMALL),
        Bar("squared hinge, B = 1, against liblinear -s 1 -B 1, same problem", "squared hinge B=1", ["s1 -B 1"], None, SMALL),
        Bar("hinge, B = 1, against liblinear -s 3 -B 1, same problem", "hinge B=1", ["s3 -B 1"], None, SMALL),
        Bar("svr, B = 1, against liblinear -s 13 -B 1, same problem", "svr B=1", ["s13 -B 1"], None, "regression"),
        *[Bar(f"p0 = 1e-5 against {peer}", "p0=1e-5", [peer], None, SMALL) for peer in ("scikit-learn", "skglm", "celer")],
    ],
}


def contestants(bars, set_name):
    """Ids of all who are needed on a set; 's1 -B 1' is found among the results of s1."""
    ids = [one.split(" -B")[0] for name in bars for bar in BARS.get(name, []) if bar.applies(set_name) for one in bar.ids()]
    return sorted(set(ids), key=ids.index)


def found(results, name):
    """The result of an id: of a solver at several bias values the kindest, or with ' -B 1' that one."""
    base, role = (name[: -len(" -B 1")], "B = 1") if name.endswith(" -B 1") else (name, "kindest")
    for result in results:
        if result["id"] == base and (not result["roles"] or role in result["roles"]):
            return result
    return None


def usable(result):
    return result.get("accuracy") in ("proved", "confirmed")


def fastest(results, names):
    """Of the accurate ones the fastest; if there is none, of those whose accuracy is unknown; then of all that ended."""
    ended = [r for r in (found(results, name) for name in names) if r and "seconds" in r]
    unknown = [r for r in ended if r["accuracy"] == "unknown"]
    return min([r for r in ended if usable(r)] or unknown or ended, key=lambda r: r["seconds"], default=None)


def doubt(peer):
    """What is to be said of a peer that is not known to be as accurate as we are."""
    if usable(peer):
        return []
    known = f"gap at most {peer['gap']:.0e}" if peer.get("gap", 2) < 1 else "no gap known"
    if peer["accuracy"] == "inaccurate":
        return [f"the peer is inaccurate, gap {peer.get('gap', float('nan')):.0e} ({peer['why_not']})"]
    return [f"the peer's accuracy is unknown, {known} ({peer['why_not']})"]


def judge(bar, contest, limit_seconds):
    """One row of the table: our time, theirs, the ratio and whether it is small enough."""
    results = contest["results"]
    ours, peer = found(results, bar.ours), fastest(results, bar.peers)
    row = {"bar": bar.name, "set": contest["set"], "at_most": bar.limit(contest["set"]), "note": "", "met": None}
    if ours is None:
        return {**row, "note": "not measured: our fit did not run"}
    notes = []
    if "seconds" in ours:
        row.update(our_seconds=ours["seconds"], our_gap=ours.get("gap"))
        if not usable(ours):
            notes.append(f"we end {ours['status']} at gap {ours['gap']:.0e}")
    else:
        notes.append(f"we stop: {ours['why_not']}")
    absent = [one["why_not"] for one in (found(results, name) for name in bar.peers) if one and "seconds" not in one]
    if peer is not None:
        row.update(peer=peer["name"], peer_seconds=peer["seconds"], peer_gap=peer.get("gap"), peer_accuracy=peer["accuracy"])
        notes += doubt(peer)
    elif absent and set(absent) == {"time limit"}:
        notes.append("the peer stops: time limit")
    else:  # a peer that failed for another reason is no one to be faster than
        return {**row, "note": "not measured: " + ("; ".join(sorted(set(absent))) or "no peer took part")}
    if "seconds" in ours and peer is not None:
        row["ratio"] = ours["seconds"] / peer["seconds"]
    elif "seconds" in ours:
        row["ratio_below"] = ours["seconds"] / limit_seconds
    elif peer is not None:
        row["ratio_above"] = limit_seconds / peer["seconds"]
    if row["at_most"] is not None:
        row["met"] = usable(ours) and row.get("ratio", row.get("ratio_below", float("inf"))) <= row["at_most"]
    row["note"] = "; ".join(notes)
    return row
