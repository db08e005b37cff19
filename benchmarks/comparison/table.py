"""The results as Markdown: the bars, then every fit. A document keeps its prose and gives the part between two markers."""

import os

BEGIN, END = "<!-- compare: begin -->", "<!-- compare: end -->"


def number(value, digits=3):
    if value is None:
        return ""
    return f"{value:.{digits}g}" if value < 1000 else f"{value:,.0f}"


def seconds(value):
    return "" if value is None else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def gap(value):
    return "" if value is None else f"{value:.0e}"


def verdict(met):
    return {True: "yes", False: "**no**", None: ""}[met]


def bar_line(row):
    measured = row.get("ratio", row.get("value"))
    shown = number(measured)
    for key, sign in (("ratio_above", ">"), ("ratio_below", "<")):
        shown = f"{sign} {number(row[key])}" if key in row else shown
    ours = seconds(row.get("our_seconds")) or (number(row["our_mb"]) + " MB" if "our_mb" in row else "")
    theirs = seconds(row.get("peer_seconds")) or (number(row["peer_mb"]) + " MB" if "peer_mb" in row else "")
    wanted = f"≥ {row['at_least']:g}" if "at_least" in row else "" if row["at_most"] is None else f"≤ {row['at_most']:g}"
    cells = [row["bar"], row["set"], ours, theirs, row.get("peer", ""), shown, wanted, verdict(row["met"]), row["note"]]
    return "| " + " | ".join(cells) + " |"


def fit_line(contest, result, rounds):
    passes, time = result.get("passes") or None, result.get("seconds")
    pace = time / passes / contest["stored"] * 1e9 if passes and time else None
    roles = f" ({', '.join(result['roles'])})" if result["roles"] else ""
    accuracy, visits = result.get("accuracy"), len(result.get("visits", []))
    notes = [result["why_not"]] if result["why_not"] else []
    if time and visits < rounds:
        notes.append(f"{visits} of {rounds} rounds in time")
    reached = {"confirmed": "~ ", "unknown": "? "}.get(accuracy, "") + gap(result.get("gap"))
    cells = [contest["set"], result["name"] + roles, seconds(time), reached, gap(result["tolerance"] or None),
             number(passes), number(pace), number(result.get("peak_mb")), number(result.get("weights")), "; ".join(notes)]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def count(rows):
    return f"{sum(row['met'] for row in rows)} of {len(rows)}"


def summary(rows):
    """Bars met, with ratios to peers apart from ratios to our own fits: the second say nothing of how fast we are."""
    judged = [row for row in rows if row["met"] is not None]
    own = [row for row in judged if "against our" in row["bar"] or "against c = 5" in row["bar"]]
    peers = [row for row in judged if row not in own and " against " in row["bar"] and not row["bar"].startswith("growth")]
    rest = [row for row in judged if row not in own and row not in peers]
    doubtful = sum(bool(row["met"]) and row.get("peer_accuracy") in ("unknown", "inaccurate") for row in peers)
    return (f"**Bars met: {count(peers)} against peers** ({doubtful} of them against a peer that is not known to be accurate), "
            f"{count(own)} against our own fits, {count(rest)} others.")


def markdown(report):
    lines = [report["note"], ""] if report["note"] else []
    lines += [
        f"Version {report['version']} ({report['commit']}), {report['machine']}, {report['date']}; limit {report['limit']:g} s "
        f"per fit, {report['repeat']} rounds.", "", summary(report["rows"]), "",
        "| bar | set | ours, s | peer, s | peer | ratio or value | bar | met | note |", "|---|---|--:|--:|---|--:|--:|---|---|",
        *[bar_line(row) for row in report["rows"]], "",
        "### Every fit", "",
        "Gap: what the fit lacks at most, relative, as proved. ~: 1e-6 is not proved but confirmed by a tolerance a decade smaller;",
        "?: it is neither. Passes: over the data; iterations where a peer counts those. ns: per stored number and pass. MB: peak",
        "memory above the loaded data. Weights: those above a thousandth of the largest.", "",
        "| set | fit | s | gap | tolerance | passes | ns | MB | weights | note |", "|---|---|--:|--:|--:|--:|--:|--:|--:|---|",
        *[fit_line(contest, result, report["repeat"]) for contest in report["contests"] for result in contest["results"]],
    ]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Replaces what stands between the markers of a document, or writes the text where there is none."""
    if os.path.exists(path):
        document = open(path, encoding="utf-8").read()
        if BEGIN in document and END in document:
            head, rest = document.split(BEGIN, 1)
            text = head + BEGIN + "\n\n" + text + "\n" + END + rest.split(END, 1)[1]
    aside = path + ".part"
    with open(aside, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(aside, path)
