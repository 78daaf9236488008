"""Camera sources behind one port: recorded folders, USB cameras, the Raspberry Pi camera."""

from vision.camera.opening import KINDS, open_camera

__all__ = ["KINDS", "open_camera"]
