"""Bars that are not a contest on one set: small fits, growth with the data, end to end from a file, the reader, paths."""

import json
import math
import os
import re
import subprocess
import time

from . import bars, contestants


def row(bar, set_name, at_most=None, **more):
    return {"bar": bar, "set": set_name, "at_most": at_most, "met": None, "note": "", **more}


def not_measured(bar, set_name, why):
    return row(bar, set_name, note="not measured: " + why)


def small(programs, repeat):
    """T = 50, n = 100 from C++, by Google Benchmark: the least of the repetitions, in microseconds."""
    bar = "small fits (T = 50, n = 100), microseconds"
    binary = os.path.join(programs, "bench-small_fits")
    command = [binary, "--benchmark_format=json", "--benchmark_min_time=0.2", f"--benchmark_repetitions={repeat}"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    if result.returncode != 0:
        return [not_measured(bar, "generated", "bench-small_fits failed")]
    least, failed = {}, {}
    for run in json.loads(result.stdout)["benchmarks"]:
        name = run["run_name"].split("/")[1].replace("_", "=").replace("1e", "1e-")
        if run.get("error_occurred"):
            failed[name] = run["error_message"]
        elif run["run_type"] == "iteration":
            least[name] = min(least.get(name, math.inf), run["real_time"])
    return [row(bar, name, 300, value=us, met=us <= 300) for name, us in least.items()] + \
           [row(bar, name, 300, met=False, note=why) for name, why in failed.items()]


def growth(binary, rules):
    """Slope of log time against log non-zeros over S1 with its first 1/16, 1/8, ... of the rows."""
    times = {"p0=1": [], "p0=1e-3": []}
    why = {}
    for part in ("S1/16", "S1/8", "S1/4", "S1/2", "S1"):
        contest = contestants.hold(binary, {**rules, "set": {"name": part},
                                            "contestants": [contestants.medlar(name, **contestants.OURS[name]) for name in times]})
        for result in contest["results"] if contest else []:
            if bars.usable(result) and "seconds" in result:
                times[result["id"]].append((math.log(contest["stored"]), math.log(result["seconds"])))
            else:
                why.setdefault(result["id"], f"from {part} on: {result['why_not'] or result['status']}")
    rows = []
    for name, points in times.items():
        bar = f"growth, {name}: log-log slope of time against non-zeros"
        if len(points) < 3:
            rows.append(not_measured(bar, "S1", why.get(name, "too few fits ended")))
            continue
        slope = least_squares_slope(points)
        ended = len(points) == 5
        rows.append(row(bar, "S1", 1.1, value=slope, met=ended and slope <= 1.1, note=why.get(name, "")))
    return rows


def least_squares_slope(points):
    x, y = zip(*points)
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in points) / sum((a - mx) ** 2 for a in x)


def timed(command, limit):
    """Wall seconds and peak memory in MB of a command; None when it failed or reached the limit."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        seconds = time.perf_counter() - start
        if pid:
            process.returncode = status
            return (seconds, usage.ru_maxrss / 1024) if status == 0 else None
        if seconds > limit:
            process.kill()
            process.wait()
            return None
        time.sleep(0.002)


def end_to_end(programs, binary, folder, contest, rules):
    """`medlar train FILE` against liblinear-train on S1 written as svmlight: wall time and memory, nothing written."""
    bar = "end to end against liblinear-train"
    peer = bars.fastest(contest["results"], ["s1", "s3"]) if contest else None
    if not peer:
        return [not_measured(bar, "S1", "the p0=1 bar on S1 tells liblinear's kindest setting, and was not held")]
    path = os.path.join(folder, "S1.svm")
    if not contestants.hold(binary, {"set": {"name": "S1"}, "write": path}):
        return [not_measured(bar, "S1", "the file could not be written")]
    medlar = os.path.join(programs, "medlar")
    ours = [medlar, "train", path, "--p0", "1", "--c", "5", "--scale", "none", "--quiet"]
    if "--precision" in subprocess.run([medlar, "train", "--help"], capture_output=True, text=True).stdout:
        ours += ["--precision", "float"]
    solver, bias = re.search(r"-s (\d+) -B (\S+)", peer["name"]).groups()
    theirs = ["liblinear-train", "-s", solver, "-B", bias, "-c", "5", "-e", f"{peer['tolerance']:g}", "-q", path, os.devnull]
    commands = {"one thread": ours + ["--threads", "1"], "all threads": ours, "peer": theirs}
    runs = {name: [] for name in commands}
    for _ in range(rules["rounds"]):
        for name, command in commands.items():
            if None not in runs[name]:
                runs[name].append(timed(command, 2 * rules["limit"]))
    if not runs["peer"] or None in runs["peer"]:
        return [not_measured(bar, "S1", "liblinear-train failed (install liblinear-tools)")]
    rows = []
    for name, bar_of in (("one thread", {"time": 0.2, "memory": 0.6}), ("all threads", {})):
        if None in runs[name]:
            rows.append(row(f"{bar}, {name}", "S1", bar_of.get("time"), met=False if bar_of else None,
                            note=f"we take more than {2 * rules['limit']:g} s"))
            continue
        (seconds, memory), (peer_seconds, peer_memory) = ([min(values) for values in zip(*runs[who])] for who in (name, "peer"))
        for what, mine, other in (("time", seconds, peer_seconds), ("memory", memory, peer_memory)):
            unit = {"our_seconds": mine, "peer_seconds": other} if what == "time" else {"our_mb": mine, "peer_mb": other}
            most = bar_of.get(what)
            rows.append(row(f"{bar}, {name}, {what}", "S1", most, peer=" ".join(theirs[:5]), ratio=mine / other,
                            met=None if most is None else mine / other <= most, **unit))
    return rows


def reader(programs, folder):
    """GB of text per second, as bench-reading tells: lines "| what | MB | seconds | GB/s |"."""
    binary, place = os.path.join(programs, "bench-reading"), os.path.join(folder, "reading")
    if not os.path.exists(binary):
        return [not_measured("reader", "text", "bench-reading is not built")]
    os.makedirs(place, exist_ok=True)
    result = subprocess.run([binary, place], capture_output=True, text=True)
    pace = {cells[1]: float(cells[4]) for cells in ([cell.strip() for cell in line.split("|")] for line in result.stdout.splitlines())
            if len(cells) == 6 and re.fullmatch(r"[0-9.]+", cells[4])}
    svmlight, csv, loop = (pace.get(name) for name in ("svmlight, all threads", "csv, all threads", "svmlight, liblinear's loop"))
    if result.returncode != 0 or None in (svmlight, csv, loop):
        return [not_measured("reader", "text", "bench-reading failed or speaks of other things")]
    wanted = (("reader, svmlight, all threads, GB/s", svmlight, 1), ("reader, csv, all threads, GB/s", csv, 0.5),
              ("reader, svmlight, times the pace of liblinear-train's loop", svmlight / loop, 10))
    return [row(bar, "text", at_least=least, value=value, met=value >= least) for bar, value, least in wanted]


def path(binary, rules, peers):
    """50 values of p0 at gap 1e-3, against the hardest of our own cold fits and against glmnet's own 50 lambdas."""
    bar, glmnet, rows = "50-value p0 path at gap 1e-3", peers.spec("glmnet"), []
    for name in ("S1", "S2", "S3"):
        cold = {f"cold p0={p0}": {"p0": p0, "c": contestants.C, "tolerance": 1e-3} for p0 in (1, 0.1, 1e-3, 1e-5)}
        ours = [contestants.medlar("path", path=50, c=contestants.C, tolerance=1e-3)]
        ours += [contestants.medlar(one, **settings) for one, settings in cold.items()]
        contest = contestants.hold(binary, {**rules, "set": {"name": name}, "contestants": ours + ([glmnet] if glmnet else [])})
        seconds = {result["id"]: result["seconds"] for result in contest["results"]
                   if result.get("status") == "converged" and "seconds" in result} if contest else {}
        if "path" not in seconds:
            rows.append(not_measured(bar, name, "the path reached the limit in time"))
            continue
        hardest = max((seconds[one] for one in cold if one in seconds), default=math.nan)
        rows.append(row(f"{bar}, in cold fits at its hardest value", name, 8, our_seconds=seconds["path"], peer_seconds=hardest,
                        ratio=seconds["path"] / hardest, met=seconds["path"] <= 8 * hardest))
        peer = glmnet_path(rules["folder"], rules["rounds"]) if glmnet else None
        if peer is None:
            rows.append(not_measured(bar + ", against glmnet's 50 lambdas", name, "glmnet failed or is missing"))
            continue
        rows.append(row(f"{bar}, against glmnet's 50 lambdas", name, 1.0, peer="glmnet", our_seconds=seconds["path"],
                        peer_seconds=peer, ratio=seconds["path"] / peer, met=seconds["path"] <= peer))
    return rows


def glmnet_path(folder, rounds):
    """Seconds of glmnet's own path on the set that was exported last; None when it fails."""
    command = ["Rscript", os.path.join(contestants.PEERS, "glmnet.R"), folder]
    orders = "path 50 1e-7\n" * rounds
    result = subprocess.run(command, input=orders, capture_output=True, text=True)
    times = [float(words[1]) for words in map(str.split, result.stdout.splitlines()) if words[:1] == ["done"]]
    return min(times) if len(times) == rounds else None
