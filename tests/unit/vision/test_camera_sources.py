from __future__ import annotations

import os
import struct
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zlib import compress, crc32

import cv2
import numpy as np
import pytest

from companion.errors import CameraUnavailable, PictureError
from tests.pi_camera import package
from vision.camera import open_camera
from vision.camera.folder import FolderCamera, load_picture, picture_paths
from vision.camera.pi import TRAY_ZONE, PiCamera
from vision.camera.usb import UsbCamera
from vision.camera.zone import ZonedCamera

SMALL = np.full((48, 64, 3), 120, np.uint8)


def clock():
    return 1.0


def encoded(suffix, picture):
    return cv2.imencode(suffix, picture)[1].tobytes()


class Device:
    """A configurable stand-in for cv2.VideoCapture."""

    def __init__(self, opens=True, picture=SMALL):
        self.opens, self.picture, self.released = opens, picture, False

    def isOpened(self):
        return self.opens

    def set(self, key, value):
        return False

    def get(self, key):
        return 0

    def read(self):
        return self.picture is not None, self.picture

    def release(self):
        self.released = True


EXPOSURE, FOCUS = ("AeConstraintMode", "ExposureValue"), ("AfMode", "AfTrigger")
NOISE = "NoiseReductionMode"


def test_a_folder_is_played_in_order_with_its_trays_and_without_empty_boards(tmp_path):
    for name in ("002.jpg", "001.jpg", "001.tray.jpg", "001.empty.jpg", "notes.txt"):
        if name.endswith("jpg"):
            cv2.imwrite(str(tmp_path / name), SMALL)
        else:
            (tmp_path / name).write_text("no picture")
    camera = open_camera(f"folder:{tmp_path}", clock)
    first, second = camera.read(), camera.read()
    assert (first.id, second.id, camera.read()) == ("001", "002", None)
    assert first.tray is not None
    assert second.tray is None


def test_pictures_are_played_as_people_count(tmp_path):
    for name in ("die (10)", "die (2)", "die (1)"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), SMALL)
    assert [path.stem for path in picture_paths(tmp_path)] == ["die (1)", "die (2)", "die (10)"]


def test_no_picture_of_a_folder_is_left_out_unsaid(tmp_path):
    (tmp_path / "1.HEIC").write_bytes(bytes(4) + b"ftypheic" + bytes(9))
    cv2.imwrite(str(tmp_path / "2.tiff"), SMALL)
    (tmp_path / "._2.tiff").write_bytes(b"a Mac was here")
    camera = open_camera(f"folder:{tmp_path}", clock)
    with pytest.raises(PictureError, match=r"1\.HEIC' is a HEIC picture"):
        camera.read()
    assert (camera.read().id, camera.read()) == ("2", None)


def test_a_missing_folder_is_named():
    with pytest.raises(CameraUnavailable, match="there is no folder 'nowhere'"):
        open_camera("folder:nowhere")


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(CameraUnavailable, match="holds no"):
        FolderCamera(str(tmp_path), clock)


def test_a_damaged_picture_is_named_and_the_next_one_comes(tmp_path):
    (tmp_path / "1.jpg").write_bytes(b"nothing")
    cv2.imwrite(str(tmp_path / "2.png"), SMALL)
    camera = FolderCamera(str(tmp_path), clock)
    with pytest.raises(PictureError, match="damaged"):
        camera.read()
    assert camera.read().id == "2"
    with pytest.raises(PictureError, match="no picture"):
        load_picture(tmp_path / "3.jpg")


def jpeg_header(width, height):
    """Return a JPEG picture that says that it is so large."""
    data = encoded(".jpg", SMALL)
    at = data.index(b"\xff\xc0") + 5
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4 :]


def png_header(width, height):
    """Return a PNG picture that says how large it is, and holds next to nothing."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", crc32(kind + content))
        )

    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", size), chunk(b"IDAT", compress(bytes(100))), chunk(b"IEND", b""))
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged"),
        (png_header(60000, 60000), "too large: 60000x60000 pixels"),
        (jpeg_header(60000, 50000), "too large: 60000x50000 pixels"),
        (encoded(".png", SMALL[:3, :1]), "too small to show anything: 1x3 pixels"),
        (encoded(".jpg", SMALL)[:-2], "it breaks off"),
        (encoded(".jpg", SMALL)[:-2] + bytes(100), "it breaks off"),
    ],
    ids=["empty", "vast", "vast jpeg", "tiny", "cut", "padded"],
)
def test_what_is_no_whole_picture_is_told_in_plain_words(tmp_path, content, words):
    (tmp_path / "1.picture").write_bytes(content)
    with pytest.raises(PictureError, match=words):
        load_picture(tmp_path / "1.picture")


def test_a_jpeg_that_breaks_off_is_told_of_a_folder_too(tmp_path):
    """A small picture within it has an end of its own."""
    small, large = encoded(".jpg", SMALL[:16, :16]), encoded(".jpg", SMALL)
    within = b"\xff\xe1" + struct.pack(">H", len(small) + 2) + small
    (tmp_path / "1.jpg").write_bytes(large[:2] + within + large[2 : len(large) // 2])
    (tmp_path / "2.jpg").write_bytes(large[:2] + within + large[2:] + b"added by the camera")
    camera = FolderCamera(str(tmp_path), clock)
    with pytest.raises(PictureError, match="it breaks off"):
        camera.read()
    assert camera.read().board.shape == SMALL.shape


def test_a_picture_that_may_not_be_read_is_told(tmp_path, monkeypatch):
    (tmp_path / "1.png").write_bytes(encoded(".png", SMALL))

    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    with pytest.raises(PictureError, match=r"1\.png' cannot be opened: Permission denied"):
        load_picture(tmp_path / "1.png")


def test_a_film_is_not_read_into_memory(tmp_path, monkeypatch):
    (tmp_path / "1.png").write_bytes(encoded(".png", SMALL))
    monkeypatch.setattr("vision.camera.folder.MOST_BYTES", 10)
    with pytest.raises(PictureError, match="is it a film"):
        load_picture(tmp_path / "1.png")


def test_a_name_that_is_no_text_is_read(tmp_path):
    name = os.fsencode(tmp_path) + b"/bad\xffname.png"
    Path(os.fsdecode(name)).write_bytes(encoded(".png", SMALL))
    frame = open_camera(f"folder:{tmp_path}", clock).read()
    assert (frame.id, frame.board.shape) == ("bad?name", SMALL.shape)


def test_a_picture_is_turned_as_its_camera_was_and_has_eight_bits_a_channel(tmp_path):
    picture = encoded(".jpg", SMALL)
    # EXIF, big-endian: one entry, 0x112 (orientation), a short, 6: turn to the right.
    tags = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    exif = b"\xff\xe1" + struct.pack(">H", len(tags) + 2) + tags
    (tmp_path / "1.jpg").write_bytes(picture[:2] + exif + picture[2:])
    assert load_picture(tmp_path / "1.jpg").shape == (64, 48, 3)
    deep = np.dstack([SMALL, SMALL[..., :1]]).astype(np.uint16) * 257
    (tmp_path / "2.png").write_bytes(encoded(".png", deep))
    assert (load_picture(tmp_path / "2.png") == SMALL).all()


@pytest.mark.parametrize(
    "spec", ["", "webcam", "folder:", "v4l2:", "v4l2:usb", "v4l2:²", f"v4l2:{10**20}", "virtual"]
)
def test_an_unknown_camera_lists_what_there_is(spec):
    with pytest.raises(CameraUnavailable, match="say one of folder:PATH"):
        open_camera(spec)


def test_a_usb_camera_that_does_not_open_says_what_to_look_at():
    device = Device(opens=False)
    with pytest.raises(CameraUnavailable, match="plugged in"):
        UsbCamera("7", clock, lambda _: device)
    assert device.released


def test_a_usb_camera_that_falls_silent_says_so():
    with pytest.raises(CameraUnavailable, match="check its cable"):
        UsbCamera("0", clock, lambda _: Device(picture=None)).read()


def test_the_next_picture_of_a_usb_camera_was_exposed_before_it_was_asked_for():
    """It was dated when it had come, and the ring could be dimmed meanwhile."""
    now = iter((10.0, 10.5))
    frame = UsbCamera("0", lambda: next(now), lambda _: Device()).read()
    assert 9.9 < frame.time_s < 10.0


def test_a_usb_camera_that_is_plugged_in_again_comes_back():
    """Else whoever stumbles over its cable ends the looking for the whole evening."""
    pulled, absent, back = Device(picture=None), Device(opens=False), Device()
    devices = [pulled, absent, back]
    camera = UsbCamera("0", clock, lambda _: devices.pop(0))
    with pytest.raises(CameraUnavailable, match="check its cable"):
        camera.read()
    assert pulled.released
    with pytest.raises(CameraUnavailable, match="plugged in"):
        camera.read()
    assert [camera.read().id, camera.read().id] == ["v000001", "v000002"]
    assert devices == []
    camera.close()
    with pytest.raises(CameraUnavailable, match="closed"):
        camera.read()


def test_a_usb_camera_is_not_taken_away_from_who_reads_it(monkeypatch):
    monkeypatch.setattr("vision.camera.usb._A_PICTURE_S", 0.0)
    device, is_asked, comes = Device(), threading.Event(), threading.Event()

    def read():
        is_asked.set()
        assert comes.wait(10)
        return False, None

    device.read = read
    camera = UsbCamera("0", clock, lambda _: device)
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(camera.read)
        assert is_asked.wait(10)
        camera.close()
        assert not device.released
        comes.set()
        with pytest.raises(CameraUnavailable, match="check its cable"):
            reading.result(10)
    assert device.released


def test_a_usb_camera_may_be_plugged_in_after_the_table_was_opened(capfd):
    camera = open_camera("v4l2:97@0,0,1,1", clock, may_be_missing=True)
    for _ in range(2):
        with pytest.raises(CameraUnavailable, match="v4l2:97 cannot be opened: is it plugged in"):
            camera.read()
    assert capfd.readouterr().err == ""  # OpenCV's own warnings come twice a second
    devices = [Device(opens=False), Device()]
    usb = UsbCamera("0", clock, lambda _: devices.pop(0), may_be_missing=True)
    with pytest.raises(CameraUnavailable, match="plugged in"):
        usb.read()
    assert usb.read().id == "v000001"


def test_a_usb_camera_is_opened_by_the_opencv_of_bookworm_too(monkeypatch):
    """4.11 is the newest that goes with its numpy; every USB camera failed with it."""
    levels = [3]

    def set_log_level(level):
        levels.append(level)
        return levels[-2]

    monkeypatch.setattr(cv2, "setLogLevel", set_log_level, raising=False)
    monkeypatch.delattr(cv2.utils, "logging", raising=False)
    with pytest.raises(CameraUnavailable, match="is it plugged in"):
        open_camera("v4l2:97", clock)
    assert levels == [3, 2, 3]


class Webcam(Device):
    """Offers large pictures as MJPG only, as most do; one that knows none refuses it."""

    def __init__(self, knows_mjpg):
        super().__init__()
        self.knows_mjpg, self.most, self.size = knows_mjpg, (640, 480), {}

    def set(self, key, value):
        if key == cv2.CAP_PROP_FOURCC:
            if self.knows_mjpg and value == cv2.VideoWriter.fourcc(*"MJPG"):
                self.most = (3840, 2160)
            return self.knows_mjpg
        self.size[key] = min(value, self.most[key == cv2.CAP_PROP_FRAME_HEIGHT])
        return True

    def get(self, key):
        return self.size[key]

    def read(self):
        width, height = self.size[cv2.CAP_PROP_FRAME_WIDTH], self.size[cv2.CAP_PROP_FRAME_HEIGHT]
        return True, np.zeros((height, width, 3), np.uint8)


@pytest.mark.parametrize(("knows_mjpg", "shape"), [(True, (2160, 3840, 3)), (False, (480, 640, 3))])
def test_a_usb_camera_reaches_its_full_size_in_the_format_that_has_it(knows_mjpg, shape):
    camera = UsbCamera("0", clock, lambda _: Webcam(knows_mjpg), is_full=True)
    assert camera.read().board.shape == shape


@pytest.mark.parametrize(("knows_mjpg", "shape"), [(True, (960, 1280, 3)), (False, (480, 640, 3))])
def test_a_usb_camera_over_the_board_alone_is_not_left_at_its_small_uncompressed_size(
    knows_mjpg, shape
):
    camera = UsbCamera("0", clock, lambda _: Webcam(knows_mjpg))
    assert camera.read().board.shape == shape


def test_a_usb_camera_that_has_the_size_uncompressed_is_not_asked_for_mjpg():
    webcam = Webcam(knows_mjpg=True)
    webcam.most = (1920, 1080)
    assert UsbCamera("0", clock, lambda _: webcam).read().board.shape == (960, 1280, 3)
    assert webcam.most == (1920, 1080)


def test_a_pi_camera_may_be_there_only_after_the_table_was_opened(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", package("open"))
    camera = open_camera("picamera2", clock, may_be_missing=True)
    with pytest.raises(CameraUnavailable, match="ribbon cable"):
        camera.read()
    monkeypatch.setitem(sys.modules, "picamera2", package())
    assert open_camera("picamera2", clock, may_be_missing=True).read().tray is not None


def test_without_picamera2_the_package_to_install_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraUnavailable, match="apt install python3-picamera2"):
        open_camera("picamera2")


def test_a_picamera2_that_does_not_go_with_its_numpy_is_told(monkeypatch, tmp_path):
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CameraUnavailable, match=r"numpy\.dtype size changed.*make setup"):
        open_camera("picamera2")


@pytest.mark.parametrize("number", ["left", "²", "9" * 5000])
def test_a_camera_number_must_be_one(number):
    with pytest.raises(CameraUnavailable, match="no camera number"):
        open_camera(f"picamera2:{number}")


def test_the_pi_camera_gives_a_small_board_and_a_full_size_tray():
    frame = ZonedCamera(PiCamera(clock, package=package()), TRAY_ZONE).read()
    assert frame.board.shape == (720, 1280, 3)
    assert frame.tray.shape == (1037, 1382, 3)


def test_the_pi_camera_spares_bright_places_keeps_its_pace_and_focuses_once():
    module = package(controls=[*EXPOSURE, NOISE, *FOCUS])
    PiCamera(clock, package=module)
    exposed, started, focused = module.Picamera2.asked
    assert exposed == {"AeConstraintMode": 1, "ExposureValue": -0.7, NOISE: 1}
    assert started == "start"
    assert focused == {"AfMode": 1, "AfTrigger": 0}


def test_a_lens_that_could_not_be_focused_in_the_dark_is_asked_again_until_it_is():
    """It stayed out of focus for the whole evening."""
    module = package(controls=FOCUS)
    module.Picamera2.sensor_resolution = (64, 48)
    camera = PiCamera(clock, package=module)
    asked = module.Picamera2.asked
    for state, more in ((3, 2), (2, 0), (3, 1)):
        before = len(asked)
        module.Picamera2.af_state = state
        for _ in range(30 * more or 60):
            camera.read()
        assert asked[before:] == [{"AfMode": 1, "AfTrigger": 0}] * more


def test_of_a_pi_camera_that_lacks_controls_none_is_asked_for():
    module = package(controls=[])
    assert PiCamera(clock, package=module).read().board.shape == (2592, 4608, 3)
    assert module.Picamera2.asked == [{}, "start", {}]


def test_the_pi_camera_is_opened_with_a_tray(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", package())
    frame = open_camera("picamera2", clock).read()
    assert frame.tray_zone == TRAY_ZONE
    other = open_camera("picamera2:1@0,0,0.5,0.5", clock).read()
    assert other.tray_zone == (0, 0, 0.5, 0.5)


def test_a_missing_pi_camera_says_what_to_look_at():
    with pytest.raises(CameraUnavailable, match="ribbon cable"):
        PiCamera(clock, package=package("open"))


def test_a_pi_camera_that_another_program_has_is_not_said_to_be_missing():
    with pytest.raises(CameraUnavailable, match="another program"):
        PiCamera(clock, package=package("busy"))


@pytest.mark.parametrize("failure", ["open", "busy"])
def test_a_pi_camera_may_be_waited_for_as_long_as_it_takes(failure):
    """Each try left one end of a pipe open: after a quarter of an hour no phone could connect."""
    camera = PiCamera(clock, package=package(failure), may_be_missing=True)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        with pytest.raises(CameraUnavailable):
            camera.read()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_pi_camera_that_falls_silent_says_so():
    with pytest.raises(CameraUnavailable, match="failed to lock"):
        PiCamera(clock, package=package("capture")).read()


def test_a_pi_camera_without_a_picture_is_not_waited_for_for_ever_and_opened_anew():
    module = package()
    module.Picamera2.failures[:] = ["hang", "open", "capture", None]
    camera = PiCamera(clock, package=module)
    with pytest.raises(CameraUnavailable, match=r"none within 10 s.*ribbon cable"):
        camera.read()
    assert module.Picamera2.closed == 1
    for said in ("is not there", "failed to lock"):
        with pytest.raises(CameraUnavailable, match=said):
            camera.read()
    assert camera.read().id == "p000001"
    camera.close()
    assert module.Picamera2.closed == 3
    with pytest.raises(CameraUnavailable, match="closed"):
        camera.read()


def test_a_usb_camera_is_not_taken_for_a_pi_camera_whose_cable_is_loose():
    """It was opened, gave pictures in a format of its own, and was busy for `v4l2`."""
    with pytest.raises(CameraUnavailable, match="is not there"):
        PiCamera(clock, package=package("open"))
    with pytest.raises(CameraUnavailable, match="picamera2:2 is not there"):
        PiCamera(clock, number=2, package=package())


def test_a_picture_that_picamera2_has_kept_is_as_old_as_its_exposure():
    """It was dated at its reading, up to half a second after it had been exposed."""
    module = package()
    module.Picamera2.age_s = 0.5
    assert PiCamera(lambda: 10.0, package=module).read().time_s == pytest.approx(9.5, abs=0.2)


def test_a_pi_without_room_for_the_pictures_is_not_said_to_have_a_loose_cable():
    with pytest.raises(CameraUnavailable, match="no room for its pictures") as refused:
        PiCamera(clock, package=package("memory"))
    assert "cable" not in str(refused.value)


@pytest.mark.parametrize("failure", ["start", "memory", "unknown control"])
def test_a_pi_camera_that_does_not_start_is_let_go(failure):
    module = package(failure)
    with pytest.raises(CameraUnavailable, match="cannot be started"):
        PiCamera(clock, package=module)
    assert module.Picamera2.closed == 1


def test_a_pi_camera_that_will_not_close_ends_nothing(caplog):
    PiCamera(clock, package=package("close")).close()
    assert "did not close" in caplog.text
