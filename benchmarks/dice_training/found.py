"""Note where the finder sees dice: ``python -m benchmarks.dice_training.found FOLDER ...``.

What tells how dice lie learns from these boxes (`pictures.Known.as_found`): around cocked dice and
piles they are other than the true ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.dice_training.pictures import FOUND, drawn_pictures
from vision.dice.finder import DieFinder


def main(argv: list[str] | None = None) -> int:
    """Read the pictures of each folder, store the boxes beside them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="of generate, tables, cast")
    folders, finder = parser.parse_args(argv).folders, DieFinder()
    for folder in folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder of pictures")
    for folder in folders:
        found = {
            str(known.path.relative_to(folder)): [
                [round(float(v), 1) for v in one.box] for one in finder.find(known.read())
            ]
            for known in drawn_pictures(folder)
        }
        (folder / FOUND).write_text(json.dumps(found), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
