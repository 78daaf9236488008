"""How well tags are read, and what others read: the figures of docs/accuracy_boards.md.

    python -m benchmarks.accuracy_tags [--half tune|report|all] [--frames FRAMES/dev]
    python -m benchmarks.accuracy_tags virtual [--tables 40]

The even-numbered pictures were used to choose ("tune"), the odd-numbered were not ("report", the
default); nor was any picture of the virtual table. Times are those of one processor, one thread,
the camera known from the picture before (as it is in play).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import Placed, Pose, make_layout
from companion.table.observation import Unreadable
from vision.camera.folder import load_picture, picture_paths
from vision.frame import Frame
from vision.registration import register
from vision.tags.codes import codes_of
from vision.tags.detect import detect_tags
from vision.tags.reader import TagReader
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

HEIGHT_SIGMA_MM = 1.5
"""People measure the height of a tag so well; the labels know it exactly."""

APART_MM = 150.0
"""Pieces of a virtual table; nearer ones would hide one another's tags."""

REPEATS = 5
"""Each picture is read so often for the times."""


@dataclass(frozen=True)
class Picture:
    """A picture of an open table and what is true of it."""

    frame: Frame
    truth: Mapping[int, Placed]
    """Tags that are in full view."""


Found = Mapping[int, Pose]
Read = Callable[[Picture, BoardProfile], tuple[Found, list[float]]]
"""Reads a picture: the poses by tag, and the times it took, milliseconds."""


@dataclass
class Tally:
    """Counts over pictures."""

    tags: int = 0
    read: int = 0
    false: int = 0
    off_mm: list[float] = field(default_factory=list)
    turned_deg: list[float] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, picture: Picture, found: Found, times_ms: list[float]) -> None:
        self.times_ms += times_ms
        self.tags += len(picture.truth)
        self.false += len(found.keys() - picture.truth.keys())
        self.missed += [
            f"{picture.frame.id}/{t}" for t in sorted(picture.truth.keys() - found.keys())
        ]
        for tag in found.keys() & picture.truth.keys():
            pose, true = found[tag], picture.truth[tag].pose
            self.read += 1
            self.off_mm.append(math.dist((pose.x_mm, pose.y_mm), (true.x_mm, true.y_mm)))
            self.turned_deg.append(abs((pose.heading_deg - true.heading_deg + 180) % 360 - 180))

    def print(self, title: str) -> None:
        print(
            f"  {title:<34}{self.read:>4} of {self.tags:<5}{self.false:>3} false"
            f"{_spread(self.off_mm, 'mm'):>26}{_spread(self.turned_deg, 'deg'):>27}"
            f"{_spread(self.times_ms, 'ms', 0):>20}"
        )
        if self.missed:
            print(f"      missed: {', '.join(self.missed)}")


def _spread(values: list[float], unit: str, digits: int = 2) -> str:
    if not values:
        return "-"
    numbers = [np.median(values), np.percentile(values, 95)]
    if digits:
        numbers.append(max(values))
    return " / ".join(f"{n:.{digits}f}" for n in numbers) + f" {unit}"


def ours(known: bool) -> Read:
    """Return our reader, told the heights of the pieces or not."""

    def read(picture: Picture, profile: BoardProfile) -> tuple[Found, list[float]]:
        rng = np.random.default_rng(len(picture.truth))
        heights = {
            tag: piece.height_mm + float(rng.normal(0, HEIGHT_SIGMA_MM))
            for tag, piece in sorted(picture.truth.items())
            if known
        }
        reader = TagReader(profile, lambda: heights)
        reader.read(picture.frame)
        seen, times = _timed(lambda: reader.read(picture.frame))
        return {tag: reading.pose for tag, reading in seen.tags.items()}, times

    return read


def plain_opencv(enlarged: int) -> Read:
    """Return OpenCV's own detector on the picture, enlarged so many times."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(dictionary, parameters)

    def detect(gray: np.ndarray) -> dict[int, np.ndarray]:
        if enlarged > 1:
            gray = cv2.resize(gray, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_CUBIC)
        corners, ids, _ = detector.detectMarkers(gray)
        numbers = [] if ids is None else ids.ravel().tolist()
        return {
            int(tag): (quad.reshape(4, 2) + 0.5) / enlarged - 0.5
            for tag, quad in zip(numbers, corners, strict=True)
        }

    return _peer(detect)


def apriltag(decimate: float) -> Read:
    """Return the AprilTag library (pupil-apriltags), its picture shrunk so many times first."""
    from pupil_apriltags import Detector

    detector = Detector("tag36h11", nthreads=1, quad_decimate=decimate)

    def detect(gray: np.ndarray) -> dict[int, np.ndarray]:
        # Its corners go the other way round, and its pixels begin at their edge.
        return {d.tag_id: np.roll(d.corners[::-1], 2, axis=0) - 0.5 for d in detector.detect(gray)}

    return _peer(detect)


def _peer(detect: Callable[[np.ndarray], dict[int, np.ndarray]]) -> Read:
    """Place what another detector finds by our camera and the exact heights."""

    def read(picture: Picture, profile: BoardProfile) -> tuple[Found, list[float]]:
        fit = register(picture.frame.board, profile)
        gray = cv2.cvtColor(picture.frame.board, cv2.COLOR_BGR2GRAY)
        found, times = _timed(lambda: detect(gray))
        poses = {}
        for tag, quad in found.items():
            height = picture.truth[tag].height_mm if tag in picture.truth else 0.0
            corners = fit.to_board(quad, height)
            ahead = corners[1] - corners[0] + corners[2] - corners[3]
            x, y = corners.mean(axis=0)
            poses[tag] = Pose(float(x), float(y), math.degrees(math.atan2(ahead[1], ahead[0])))
        return poses, times

    return read


def _timed(read: Callable[[], object]) -> tuple[object, list[float]]:
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        result = read()
        times.append((time.process_time() - begun) * 1000)
    return result, times


def traced(folder: Path, half: str) -> Iterator[Picture]:
    for path in picture_paths(folder):
        if (int(path.stem) % 2 == 1) != (half == "report"):
            continue
        label = json.loads(path.with_suffix(".json").read_text())
        truth = {
            s["tag_id"]: Placed(
                Pose(s["x_mm"], s["y_mm"], s["heading_deg"]), "ship", "", height_mm=s["height_mm"]
            )
            for s in label["ships"]
            if s["visible"] == 1.0
        }
        yield Picture(Frame(path.stem, 0.0, load_picture(path)), truth)


def rendered(profile: BoardProfile, tables: int) -> Iterator[Picture]:
    """Yield virtual tables with up to ten ships and five islands each, in any light."""
    for number in range(tables):
        rng = np.random.default_rng(7000 + number)
        pieces: dict[int, Placed] = {}
        width, height = profile.markers[2].centre_mm
        for tag in (*range(10, 20), *range(100, 105)):
            at = (float(rng.uniform(40, width - 40)), float(rng.uniform(40, height - 40)))
            lying = [(p.pose.x_mm, p.pose.y_mm) for p in pieces.values()]
            if all(math.dist(at, other) > APART_MM for other in lying):
                pieces[tag] = _piece(tag, at, rng)
        table = VirtualTable(profile, Scene.random(rng), rng)
        table.lay(make_layout({}, (), pieces))
        truth = table.tagged
        yield Picture(Frame(f"v{number}", 0.0, table.frame().board), truth)


def _piece(tag: int, at: tuple[float, float], rng: np.random.Generator) -> Placed:
    pose = Pose(*at, float(rng.uniform(0, 360)))
    if tag >= 100:
        angles = np.linspace(0, 2 * np.pi, 9)[:-1]
        shore = tuple((float(55 * np.cos(a)), float(42 * np.sin(a))) for a in angles)
        return Placed(pose, "island", "", "", shore, 2.0)
    long, beam = float(rng.uniform(50, 140)), float(rng.uniform(20, 50))
    hull = ((-0.5, -0.45), (0.3, -0.5), (0.5, 0.0), (0.3, 0.5), (-0.5, 0.45))
    outline = tuple((x * long, y * beam) for x, y in hull)
    colour = ("red", "blue", "black", "white", "yellow", "green")[tag % 6]
    return Placed(pose, "ship", "", colour, outline, float(rng.uniform(25, 115)))


def decoys(frames: Path) -> None:
    """Look for tags where there are none: boards of cells, whose markers are of another kind."""
    codes, pictures, false = codes_of("DICT_APRILTAG_36h11"), 0, 0
    for folder, name in (("hex", "hex-ocean"), ("hex_seq", "hex-ocean"), ("grid", "sea-grid")):
        profile = load_profile(name)
        for path in sorted((frames / folder).rglob("*.jpg")):
            image = load_picture(path)
            fit = register(image, profile)
            if isinstance(fit, Unreadable):
                continue
            pictures += 1
            gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            for side_mm in (12.0, 18.0, 24.0):
                false += len(detect_tags(gray, fit, codes, side_mm))
    print(f"\nboards without tags: {false} found in {pictures} pictures, looked for in three sizes")


def judge(title: str, pictures: list[Picture], profile: BoardProfile, peers: bool) -> None:
    print(f"\n{title}: {len(pictures)} pictures")
    head = ("position", "heading", "processor")
    print(f"  {'':<50}{head[0]:>26}{head[1]:>27}{head[2]:>20}")
    readers = {
        "Quarterdeck, heights known": ours(True),
        "Quarterdeck, heights estimated": ours(False),
    }
    if peers:
        readers["OpenCV"] = plain_opencv(1)
        readers["OpenCV, enlarged twice"] = plain_opencv(2)
        if find_spec("pupil_apriltags"):
            readers["AprilTag 3"] = apriltag(1.0)
    for name, read in readers.items():
        tally = Tally()
        for picture in pictures:
            tally.add(picture, *read(picture, profile))
        tally.print(name)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    beside = Path(__file__).parents[2] / "shared" / "frames"
    frames = Path(os.environ.get("QUARTERDECK_FRAMES") or beside) / "dev"
    parser.add_argument("what", nargs="?", choices=("traced", "virtual"), default="traced")
    parser.add_argument("--frames", type=Path, default=frames)
    parser.add_argument("--half", choices=("tune", "report", "all"), default="report")
    parser.add_argument("--tables", type=int, default=40)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    profile = load_profile("open-table")
    if arguments.what == "virtual":
        for name in ("open-table", "open-table-small"):
            board = load_profile(name)
            judge(f"virtual {name}", list(rendered(board, arguments.tables)), board, False)
        return
    if not (arguments.frames / "tags").is_dir():
        sys.exit(
            f"no pictures in {str(arguments.frames)!r}: set QUARTERDECK_FRAMES or give --frames"
        )
    for half in ("tune", "report") if arguments.half == "all" else (arguments.half,):
        judge(half, list(traced(arguments.frames / "tags", half)), profile, True)
    decoys(arguments.frames)


if __name__ == "__main__":
    main()
