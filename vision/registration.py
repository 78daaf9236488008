"""Where the board lies in the picture: four printed markers -> a camera pose, or a reason why not.

A plain homography would bend with the lens by several millimetres in the middle of the board, so a
small camera model is fitted instead (focal length, one radial term, pose), held by mild priors
where one picture cannot tell. Points above the board can be projected with it as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from companion.table.observation import Unreadable
from vision.aruco import SQUARE, dictionary_of, drawn_marker
from vision.blank import BLANK, is_blank
from vision.frame import Array, Image
from vision.marker_edges import sharpen_corners

MIN_MARKERS = 3
"""Fewer give a fit whose error cannot be judged."""

MAX_ERROR_MM = 1.5
"""Mean corner error above which a fit is not trusted; a good one has 0.1 to 0.3 mm."""

FOCAL_PRIOR = (0.95, 0.2)
"""Focal length over picture width: mean and spread over common board cameras."""

RADIAL_PRIOR = (-0.02, 0.05)
"""First radial distortion term: mean and spread."""

CORNER_SIGMA_PX = 0.25
"""How well a marker corner is found."""

MIN_MARKER_MATCH = 0.6
"""Correlation with the printed pattern from which a marker is believed."""


@dataclass(frozen=True, eq=False)
class BoardFit:
    """The camera as seen from the board; board millimetres in, pixels out."""

    focal_px: float
    radial: float
    rotation: Array
    """Rodrigues vector, shape (3,): board frame to camera frame."""
    translation_mm: Array
    """Shape (3,)."""
    size_px: tuple[int, int]
    """Width and height of the picture it was fitted to."""
    error_mm: float
    """Mean reprojection error of the marker corners, corrected for the fitted parameters."""
    seen: Mapping[int, Array]
    """The markers the fit rests on: id -> corners, shape (4, 2) px."""

    @property
    def markers(self) -> frozenset[int]:
        """Ids of the markers the fit rests on."""
        return frozenset(self.seen)

    @cached_property
    def matrix(self) -> Array:
        """Camera matrix, shape (3, 3); the optical axis goes through the picture's centre."""
        width, height = self.size_px
        f = self.focal_px
        return np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])

    @cached_property
    def camera_mm(self) -> Array:
        """Where the camera is in the board frame, shape (3,); z is negative (above the board)."""
        turn, _ = cv2.Rodrigues(self.rotation)
        return np.asarray(-turn.T @ self.translation_mm)

    def project(self, points_mm: Array) -> Array:
        """Return the pixels of board points.

        Parameters
        ----------
        points_mm : ndarray of shape (N, 2) or (N, 3)
            Board frame; z into the table, 0 when left out.

        Returns
        -------
        ndarray of shape (N, 2), (x, y) px.
        """
        points = np.asarray(points_mm, np.float64)
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        pixels, _ = cv2.projectPoints(
            points, self.rotation, self.translation_mm, self.matrix, self._distortion
        )
        return np.asarray(pixels.reshape(-1, 2))

    def to_board(self, pixels: Array, height_mm: float = 0.0) -> Array:
        """Return the points, shape (N, 2) mm, that pixels show at a height above the board."""
        rays = cv2.undistortPoints(
            np.asarray(pixels, np.float64).reshape(-1, 1, 2), self.matrix, self._distortion
        ).reshape(-1, 2)
        turn, _ = cv2.Rodrigues(self.rotation)
        rays_board = np.column_stack([rays, np.ones(len(rays))]) @ turn
        reach = (-height_mm - self.camera_mm[2]) / rays_board[:, 2:]
        return np.asarray((self.camera_mm + reach * rays_board)[:, :2])

    def lean_mm(self, points_mm: Array, height_mm: float) -> Array:
        """Return how far, shape (N, 2) mm, things of a height seem shifted on the board."""
        points = np.asarray(points_mm, np.float64)
        high = -self.camera_mm[2]
        return np.asarray((points - self.camera_mm[:2]) * (height_mm / (high - height_mm)))

    def shift_from(self, other: BoardFit, profile: BoardProfile) -> float:
        """Return how far the board has moved in the picture since another fit, in board mm."""
        corners = marker_corners(profile).reshape(-1, 2)
        now = self.project(corners)
        return float(np.linalg.norm(other.to_board(now) - corners, axis=1).mean())

    def slopes(self, points_mm: Array) -> tuple[Array, Array]:
        """Return the pixels (N, 2) of points (N, 3), and how they move with the camera's values.

        The slopes have the shape (2 N, 8): by rotation (3), translation (3), focal length and
        radial term, as `stepped` takes them.
        """
        pixels, by_all = cv2.projectPoints(
            points_mm, self.rotation, self.translation_mm, self.matrix, self._distortion
        )
        # projectPoints: rotation 3, translation 3, fx, fy, cx, cy, k1 ...
        own = [by_all[:, :6], by_all[:, 6] + by_all[:, 7], by_all[:, 10]]
        return pixels.reshape(-1, 2), np.column_stack(own)

    def lens_pull(self) -> tuple[Array, Array]:
        """Return rows (2, 8) and misses (2,), in standard deviations, of what lenses are like."""
        width = self.size_px[0]
        rows = np.zeros((2, 8))
        rows[0, 6], rows[1, 7] = 1 / (FOCAL_PRIOR[1] * width), 1 / RADIAL_PRIOR[1]
        off = np.array([FOCAL_PRIOR[0] * width - self.focal_px, RADIAL_PRIOR[0] - self.radial])
        return rows, rows[[0, 1], [6, 7]] * off

    def stepped(self, step: Array) -> BoardFit:
        """Return the camera with its values changed by a `step` (8,), as far as lenses allow."""
        width = self.size_px[0]
        return replace(
            self,
            rotation=self.rotation + step[:3],
            translation_mm=self.translation_mm + step[3:6],
            focal_px=float(np.clip(self.focal_px + step[6], 0.4 * width, 3 * width)),
            radial=float(np.clip(self.radial + step[7], -0.5, 0.5)),
        )

    @property
    def _distortion(self) -> Array:
        return np.array([self.radial, 0.0, 0.0, 0.0])


def register(
    image: Image, profile: BoardProfile, previous: BoardFit | None = None, frame_id: str = ""
) -> BoardFit | Unreadable:
    """Find the board in a picture.

    Parameters
    ----------
    image : ndarray of shape (H, W, 3) or (H, W), uint8
    profile : BoardProfile
    previous : BoardFit, optional
        The last fit of this camera: its markers are looked for first, which is five times faster.
    frame_id : str
        Named by the `Unreadable`.

    Returns
    -------
    BoardFit or Unreadable
        The second says in plain words why not: fewer than `MIN_MARKERS` are seen, nothing at all
        is, or they are off by more than `MAX_ERROR_MM`.
    """
    gray = _gray(image)
    size = (gray.shape[1], gray.shape[0])
    if previous is not None and previous.size_px == size:
        found = _find_again(gray, profile, previous, {})
        if len(found) == len(profile.markers):
            fit = _fit_camera(found, profile, size)
            if fit.error_mm <= MAX_ERROR_MM:
                return fit
    found = _detect(gray, profile)
    if not found and is_blank(gray):
        return Unreadable(BLANK, frame_id)
    if len(found) < 2:
        return Unreadable(missing_text(set(found), profile), frame_id)
    rough = _fit_camera(found, profile, size)
    found = _find_again(gray, profile, rough, found)
    if len(found) < MIN_MARKERS:
        return Unreadable(missing_text(set(found), profile), frame_id)
    fit = _fit_camera(found, profile, size)
    if fit.error_mm > MAX_ERROR_MM:
        fit = _without_worst(found, profile, fit)
    if fit.error_mm > MAX_ERROR_MM:
        return Unreadable(
            f"the markers do not agree with this board (they are {fit.error_mm:.1f} mm off); "
            "lay the board flat and check that it is the right one",
            frame_id,
        )
    return fit


def marker_ids(image: Image, dictionary: str) -> set[int]:
    """Return the numbers of a dictionary's markers that are seen in a picture."""
    _, ids, _ = _detector(dictionary).detectMarkers(_gray(image))
    return set() if ids is None else {int(i) for i in ids.ravel()}


def _gray(image: Image) -> Array:
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def _detect(gray: Array, profile: BoardProfile) -> dict[int, Array]:
    """Return the corners, shape (4, 2) px, of each marker of the board that is found."""
    corners, ids, _ = _detector(profile.dictionary).detectMarkers(gray)
    if ids is None:
        return {}
    wanted = {m.id for m in profile.markers}
    seen = [int(i) for i in ids.ravel()]
    # The same id twice means a stray print on the table: neither can be trusted.
    return {
        i: sharpen_corners(gray, quad.reshape(4, 2).astype(np.float64))
        for i, quad in zip(seen, corners, strict=True)
        if i in wanted and seen.count(i) == 1
    }


def _find_again(
    gray: Array, profile: BoardProfile, fit: BoardFit, known: dict[int, Array]
) -> dict[int, Array]:
    """Return `known` and the markers that are seen where the fit expects them."""
    found = dict(known)
    places = marker_corners(profile)
    for marker, corners_mm in zip(profile.markers, places, strict=True):
        if marker.id in found:
            continue
        quad = fit.project(corners_mm)
        refined = _refine(gray, quad)
        if refined is not None and _match(gray, refined, marker.id, profile) > MIN_MARKER_MATCH:
            found[marker.id] = refined
    return found


def _refine(gray: Array, quad: Array) -> Array | None:
    """Return the quad with its corners moved to where the picture has them, if near."""
    height, width = gray.shape
    side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
    reach = max(2, round(side / 9))
    inside = (quad > reach + 2).all() and (quad < (width - reach - 3, height - reach - 3)).all()
    if side < 8 or not inside:
        return None
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    corners = quad.astype(np.float32).reshape(-1, 1, 2)
    moved = cv2.cornerSubPix(gray, corners, (reach, reach), (-1, -1), stop).reshape(4, 2)
    if np.abs(moved - quad).max() > 1.5 * reach:
        return None
    return sharpen_corners(gray, moved.astype(np.float64))


def _match(gray: Array, quad: Array, marker_id: int, profile: BoardProfile) -> float:
    """Return the correlation of a quad's inside with the marker's printed pattern."""
    pattern = _pattern(profile.dictionary, marker_id)
    side = pattern.shape[0]
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
    seen = cv2.warpPerspective(gray, warp, (side, side), flags=cv2.INTER_LINEAR)
    if seen.std() < 8:
        return 0.0
    return float(np.corrcoef(seen.ravel(), pattern.ravel())[0, 1])


def _fit_camera(found: dict[int, Array], profile: BoardProfile, size: tuple[int, int]) -> BoardFit:
    """Fit focal length, radial term and pose to marker corners by Gauss-Newton with priors."""
    places = marker_corners(profile)
    order = [k for k, m in enumerate(profile.markers) if m.id in found]
    board = places[order].reshape(-1, 2)
    pixels = np.concatenate([found[profile.markers[k].id] for k in order])
    points = np.column_stack([board, np.zeros(len(board))])
    width, height = size
    focal, centre = FOCAL_PRIOR[0] * width, ((width - 1) / 2, (height - 1) / 2)
    rotation, translation = _first_pose(points, pixels, focal, centre)
    fit = BoardFit(focal, RADIAL_PRIOR[0], rotation, translation, size, 0.0, found)
    for _ in range(12):
        seen, slopes = fit.slopes(points)
        rows, pull = fit.lens_pull()
        misses = np.concatenate([(pixels - seen).ravel() / CORNER_SIGMA_PX, pull])
        step = np.linalg.lstsq(np.vstack([slopes / CORNER_SIGMA_PX, rows]), misses, rcond=None)[0]
        fit = fit.stepped(step)
        if np.abs(step[3:6]).max() < 1e-4:
            break
    off = np.linalg.norm(fit.to_board(pixels) - board, axis=1)
    # 8 values are fitted, 2 held by priors: uncorrected, three markers seem to fit too well.
    honest = (2 * len(board) / (2 * len(board) - 7)) ** 0.5
    error = float(off.mean() * honest) if np.isfinite(off).all() else float("inf")
    return replace(fit, error_mm=error)


def _first_pose(
    points: Array, pixels: Array, focal: float, centre: tuple[float, float]
) -> tuple[Array, Array]:
    """Return a rough pose by the planar closed form."""
    matrix = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    _, rotation, translation = cv2.solvePnP(
        points, pixels, matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE
    )
    return rotation.ravel(), translation.ravel()


def _without_worst(found: dict[int, Array], profile: BoardProfile, fit: BoardFit) -> BoardFit:
    """Return the best fit that leaves one marker out; a hand may bend a corner of the print."""
    if len(found) <= MIN_MARKERS:
        return fit
    fits = [
        _fit_camera({i: q for i, q in found.items() if i != left_out}, profile, fit.size_px)
        for left_out in found
    ]
    return min(fits, key=lambda f: f.error_mm)


def missing_text(seen: set[int], profile: BoardProfile) -> str:
    """Say in plain words which markers are missing."""
    numbers = ("none", "one", "two", "three", "four", "five", "six")
    total = len(profile.markers)
    missing = [m for m in profile.markers if m.id not in seen]
    count = numbers[len(seen)] if len(seen) < len(numbers) else str(len(seen))
    of = numbers[total] if total < len(numbers) else str(total)
    if not seen:
        return (
            f"I see none of the {of} markers; is the whole board in the picture, in enough light?"
        )
    names = _listed([_place_name(m.centre_mm, profile) for m in missing])
    are = "is" if len(missing) == 1 else "are"
    return f"I see {count} of {of} markers; the {names} {are} missing or in glare"


def _place_name(centre_mm: tuple[float, float], profile: BoardProfile) -> str:
    """Name a marker's place as one reads the board: far is the top of the print."""
    xs = [m.centre_mm[0] for m in profile.markers]
    ys = [m.centre_mm[1] for m in profile.markers]
    far = "far" if centre_mm[1] < (min(ys) + max(ys)) / 2 else "near"
    side = "left" if centre_mm[0] < (min(xs) + max(xs)) / 2 else "right"
    return f"{far}-{side} one"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and the {words[-1]}"


def marker_corners(profile: BoardProfile) -> Array:
    """Return the printed corners, shape (markers, 4, 2) mm, in ArUco's corner order."""
    middles = np.array([m.centre_mm for m in profile.markers])
    return np.asarray(middles[:, None, :] + profile.marker_side_mm / 2 * SQUARE)


@lru_cache(maxsize=4)
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(dictionary_of(dictionary), parameters)


@lru_cache(maxsize=64)
def _pattern(dictionary: str, marker_id: int) -> Array:
    """Return a marker's picture, shape (24, 24), softened as a camera would."""
    return cv2.GaussianBlur(drawn_marker(dictionary, marker_id, 24), (5, 5), 0)
