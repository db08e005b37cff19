"""What was measured, kept line by line in a file, so that a long run can be ended and gone on with."""

import json
import os


class Records:
    """Rows by problem, repetition and name of the way; of a way that gave nothing there is an empty list."""

    def __init__(self, path=None, told_only=False):
        self.path, self.rows, self.told_only = path, {}, told_only
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    try:
                        kept = json.loads(line)
                        self.rows[tuple(kept["key"])] = kept["rows"]
                    except (ValueError, KeyError, TypeError):
                        raise SystemExit(f"{path}:{number}: this is no run with a key and rows; delete the line to measure it "
                                         "again") from None

    def of(self, key, measure):
        """The rows of this key, measured now unless they are there, or unless only what is there is to be told."""
        if key not in self.rows and self.told_only:
            return []
        if key not in self.rows:
            self.rows[key] = measure()
            if self.path:
                with open(self.path, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"key": key, "rows": self.rows[key]}) + "\n")
        return self.rows[key]
