#!/usr/bin/env bash
# Make the virtual environment .venv and install Quarterdeck into it. May be run again at any time.
#
#   deploy/setup.sh          what is needed to play
#   deploy/setup.sh --dev    also what is needed to test
#
# Missing system packages are installed when run as root; otherwise the exact line to type is shown.
set -euo pipefail
cd "$(dirname "$0")/.."

dev=no
case "${1-}" in
  "") ;;
  --dev) dev=yes ;;
  *) echo "setup: unknown word '$1'; use no word at all, or --dev" >&2; exit 2 ;;
esac

say() { echo "setup: $*"; }

# need REASON PACKAGE...: install Debian packages, or say how.
need() {
  local reason=$1
  shift
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "$reason; installing $*"
    # A machine that has been offline for long knows only old package lists.
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 ||
      { apt-get update -qq && apt-get install -y --no-install-recommends "$@" >/dev/null; }
  else
    say "$reason. Please type this line and then run the same command again:" >&2
    echo "    sudo apt install $*" >&2
    return 1
  fi
}

# A supported Python (3.11 to 3.13): the system's own first, for it alone sees the packages of camera
# and pins that Raspberry Pi OS brings; QUARTERDECK_PYTHON overrides.
find_python() {
  local candidate
  for candidate in ${QUARTERDECK_PYTHON-} python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null &&
      "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
        2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
}

# What this Python has of the packages that drive the Pi, and which numpy they are built against.
# They are looked for and not imported: that takes seconds, and this runs before each `make serve`.
device_packages() {
  "$1" -c '
from importlib import metadata, util
seen = [name for name in ("picamera2", "lgpio", "spidev") if util.find_spec(name)]
if "picamera2" in seen:
    seen.append("numpy==" + metadata.version("numpy"))
print(*seen)'
}

# Camera, buttons and ring are all optional, so what they need is named and not installed.
name_missing_packages() {
  local package missing=()
  grep -qs "Raspberry Pi" /proc/device-tree/model || return 0
  for package in picamera2 lgpio spidev; do
    [[ " $devices " == *" $package "* ]] || missing+=("python3-$package")
  done
  [ ${#missing[@]} = 0 ] && return
  say "missing here: ${missing[*]} (picamera2 is for a Camera Module, lgpio for buttons and LEDs,"
  say "spidev for a WS2812 ring). Whoever has such a part types this line, then \`make setup\` again:"
  echo "    sudo apt install ${missing[*]}"
}

# Whoever waits for hours should know it, and what for.
warn_of_32_bits() {
  [ "$(getconf LONG_BIT)" = 32 ] || return 0
  say "this system is of 32 bits, for which PyPI has no ready-made NumPy, OpenCV, SciPy and Pillow:"
  say "building them here takes hours, if it works at all. From the Pi 3 on the 64-bit Raspberry Pi OS"
  say "spares you that"
}

# One `sudo make` is enough for what is set up here to be root's; nobody else can renew that.
check_owner() {
  local other
  [ "$(id -u)" != 0 ] || return 0
  other=$(find .venv ! -uid "$(id -u)" -print -quit 2>/dev/null || true)
  [ -n "$other" ] || return 0
  say "$other belongs to $(stat -c %U "$other"), as after \`sudo make\`, and cannot be renewed by you." >&2
  say "Please type this line and then run the same command again, without sudo:" >&2
  echo "    sudo chown -R $(id -un): $(printf %q "$PWD")" >&2
  exit 1
}

# Debian packages with the libraries that a bare system lacks: opencv-python is linked against the
# desktop's OpenGL, X and GLib, Playwright against libatomic.
missing_libraries() {
  local known pair libraries="libGL.so.1:libgl1 libxcb.so.1:libxcb1 libgthread-2.0.so.0:libglib2.0-0"
  [ "$dev" = no ] || libraries+=" libatomic.so.1:libatomic1"
  known=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null) || return 0
  for pair in $libraries; do
    [[ $known == *"${pair%:*} "* ]] || echo "${pair#*:}"
  done
}

# Whatever is missing is named in one line, and before packages are fetched for minutes.
need_system() {
  local missing=()
  "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  mapfile -t -O ${#missing[@]} missing < <(missing_libraries)
  [ ${#missing[@]} = 0 ] ||
    need "this system lacks what Python packages are to be installed with, or linked against" "${missing[@]}"
}

make_venv() {
  # Camera and pins are driven by packages of Raspberry Pi OS, which are not to be built from
  # source: let the system's be seen.
  if [ -n "$devices" ]; then
    "$python" -m venv --clear --system-site-packages .venv
  else
    "$python" -m venv --clear .venv
  fi
}

install_packages() {
  local lock=$1 pip=".venv/bin/python -m pip --disable-pip-version-check -q"
  say "installing Python packages (once; a few minutes on a Raspberry Pi)"
  if [[ "$devices" == *numpy==* ]]; then
    # The system's picamera2 is built against the system's numpy, so that one must stay, and what is
    # built against numpy itself is chosen to suit it; everything else is as it was tested.
    echo "${devices##* }" >.venv/constraints.txt
    grep -vE '^(numpy|opencv-python|scipy)==' "$lock" >.venv/requirements.txt
    $pip install -c .venv/constraints.txt -r .venv/requirements.txt -e .
  else
    $pip install -r "$lock"
    $pip install --no-build-isolation --no-deps -e .
  fi
}

# Whether the packages can be fetched now: an environment that works is not given up for one that
# cannot be had. An upgrade of the system may have changed Python while there is no network.
can_fetch() {
  local lock=$1 got folder
  .venv/bin/python -c 'import companion' 2>/dev/null || return 0  # nothing to lose
  folder=$(mktemp -d)
  .venv/bin/python -m pip --disable-pip-version-check -q --retries 1 --timeout 10 download \
    --no-deps -d "$folder" "$(grep '^segno==' "$lock")" 2>/dev/null && got=yes || got=no
  rm -r "$folder"
  [ $got = yes ]
}

# Where the libraries could not be looked for, or are removed later.
check_opencv() {
  local complaint
  if ! complaint=$(.venv/bin/python -c 'import cv2' 2>&1); then
    case "$complaint" in
      *"cannot open shared object file"*)
        need "OpenCV needs libGL, libxcb and GLib, which this system lacks" libgl1 libxcb1 libglib2.0-0 || exit 1
        .venv/bin/python -c 'import cv2' ;;
      *) echo "$complaint" >&2; exit 1 ;;
    esac
  fi
}

# The page tests drive a real browser. Without one they are left out and say so. The one that has no
# window is smaller, and a third quicker with them; it is not to be had everywhere.
check_browser() {
  command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null ||
    need "the page tests want Chromium (without it they are left out)" chromium-headless-shell ||
    need "where there is no such package, the whole of Chromium will do" chromium || true
  # Playwright's own driver is linked against it, and a bare Debian 12 lacks it.
  .venv/bin/python -m playwright --version >/dev/null 2>&1 ||
    need "the page tests want libatomic" libatomic1 || exit 1
}

# What the environment is made from: of another state it is made anew.
state() {
  { cat pyproject.toml "$1" deploy/setup.sh; "$python" --version; echo "$devices"; } | sha256sum | cut -c1-16
}

python=$(find_python)
if [ -z "$python" ]; then
  mapfile -t libraries < <(missing_libraries)
  need "Python 3.11, 3.12 or 3.13 is needed" python3 python3-venv "${libraries[@]}" || exit 1
  python=$(find_python)
  [ -n "$python" ] || { say "this system offers no Python 3.11 to 3.13" >&2; exit 1; }
fi
devices=$(device_packages "$python")
lock=deploy/requirements.lock
[ "$dev" = no ] || lock=deploy/requirements-dev.lock
wanted=$(state "$lock")
stamp=.venv/.quarterdeck-$dev
if [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ]; then
  :
elif ! can_fetch "$lock"; then
  say "the Python packages cannot be fetched now: what is installed is used as it is"
else
  check_owner
  name_missing_packages
  warn_of_32_bits
  need_system || exit 1
  make_venv
  install_packages "$lock"
  echo "$wanted" >"$stamp"
fi
check_opencv
[ "$dev" = no ] || check_browser
# What the tests need holds what playing needs.
[ "$dev" = no ] || state deploy/requirements.lock >.venv/.quarterdeck-no
