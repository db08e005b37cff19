"""The runs of one file, by set, answer and split, and the figures that are taken from them."""

import itertools

import numpy as np

MEDLAR = ("medlar", "medlar-tube", "medlar-gaussian")


def mean_of(values):
    values = [value for value in values if value is not None]
    return float(np.mean(values)) if values else None


def overlap(a, b, features):
    """Jaccard of two choices, of which None is all features; two that are empty are the same."""
    if a is None or b is None:
        return 1.0 if a is b else len(b if a is None else a) / features
    return len(set(a) & set(b)) / len(set(a) | set(b)) if a or b else 1.0


class Runs:
    """Medlar's are those of one label; real sets those with this many fitted rows at most."""

    def __init__(self, records, label, most):
        self.rows, self.ran, self.why = {}, {}, {}
        for (name, split, rows, way, *labels), answers in records.items():
            if rows not in (0, most) or (way in MEDLAR and labels != [label]):
                continue
            self.ran.setdefault((name, way), set()).add(split)
            for row in answers:
                if "failed" in row:
                    self.why.setdefault((name, way), []).append(row["failed"])
                    continue
                margin = f", {way.removeprefix('medlar-')}" if way in MEDLAR[1:] else ""
                self.rows.setdefault((name, row["answer"] + margin), {})[split] = row

    def of(self, name, answer, field):
        """The values of a field, by split."""
        rows = self.rows.get((name, answer), {})
        return {split: row[field] for split, row in sorted(rows.items()) if row.get(field) is not None}

    def mean(self, name, answer, field):
        return mean_of(self.of(name, answer, field).values())

    def task(self, name):
        return next((row["task"] for (other, _), rows in self.rows.items() if other == name for row in rows.values()), None)

    def shape(self, name):
        """Fitted examples and features."""
        found = [row for (other, _), rows in self.rows.items() if other == name for row in rows.values()]
        return (found[0]["fitted"], found[0]["features"]) if found else None

    def complete(self, name, ways):
        """Whether each of these ways was run on every split that Medlar was run on, and there are two at least."""
        splits = self.ran.get((name, "medlar"), set())
        return len(splits) > 1 and all(splits <= self.ran.get((name, way), set()) for way in ways)

    def ended_without(self, name, way, reason=""):
        """Whether a run of this way has no answer, for a reason that begins so."""
        return any(why.startswith(reason) for why in self.why.get((name, way), []))

    def difference(self, name, answer, other, field="error"):
        """Mean and standard error of answer less other, over the splits that both have; None where these are not two."""
        ours, theirs = self.of(name, answer, field), self.of(name, other, field)
        both = sorted(set(ours) & set(theirs))
        if len(both) < 2:
            return None
        apart = np.array([ours[split] - theirs[split] for split in both])
        return float(apart.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart)))

    def hardest(self, name, answer, peers, field="error"):
        """(peer, mean, standard error): the peer that is ahead of the answer by most."""
        found = [(peer, *apart) for peer in peers if (apart := self.difference(name, answer, peer, field))]
        return max(found, key=lambda each: each[1], default=None)

    def jaccard(self, name, answer):
        rows = self.rows.get((name, answer), {}).values()
        return mean_of(overlap(a["chosen"], b["chosen"], a["features"]) for a, b in itertools.combinations(rows, 2))
