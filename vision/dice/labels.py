"""What the network tells of one die, and the size of the picture it is shown."""

from __future__ import annotations

from companion.rules.layout import Die

PATCH_PX = 72
PX_PER_MM = 2.5
"""Scale of the rectified tray and of the patches cut from it."""
TOP_MM = 11.0
"""A patch is centred this much higher over the tray than the middle of the die's outline: on the
top face of the largest die, the icosahedron of 22 mm."""

NOTHING = 0
"""No die, one that cannot be told, or something else."""
FACES: dict[int, Die] = {
    **{k: Die("cannon", k) for k in range(1, 6)},
    **{4 + k: Die("sail", k) for k in range(2, 5)},
    **{8 + k: Die("d6", k) for k in range(1, 7)},
}
"""Classes that are faces of dice."""
OTHER = 15
"""A die of a kind that is not told here: printed cubes."""
CLASSES = 16
