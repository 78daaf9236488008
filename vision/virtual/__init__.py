"""The virtual table: a camera source that renders the truth of a table into pictures.

It knows no rules and talks to nobody: whoever wants to know what lies on it must read its pictures.
"""

from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

__all__ = ["Scene", "VirtualCamera", "VirtualTable"]
