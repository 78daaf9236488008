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

# A supported Python (3.11 to 3.13), the newest first; QUARTERDECK_PYTHON overrides.
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

make_venv() {
  local python
  python=$(find_python)
  if [ -z "$python" ]; then
    need "Python 3.11, 3.12 or 3.13 is needed" python3 python3-venv || exit 1
    python=$(find_python)
    [ -n "$python" ] || { say "this system offers no Python 3.11 to 3.13" >&2; exit 1; }
  fi
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    need "Python's venv module is missing" python3-venv || exit 1
  # picamera2 comes from Raspberry Pi OS and is not to be built from source: let the system's be seen.
  if "$python" -c 'import picamera2' 2>/dev/null; then
    "$python" -m venv --clear --system-site-packages .venv
  else
    "$python" -m venv --clear .venv
  fi
}

install_packages() {
  local lock=$1 pip=".venv/bin/python -m pip --disable-pip-version-check -q"
  say "installing Python packages (once; a few minutes on a Raspberry Pi)"
  if .venv/bin/python -c 'import picamera2' 2>/dev/null; then
    # The system's picamera2 is built against the system's numpy, so that one must stay.
    .venv/bin/python -c 'import numpy; print(f"numpy=={numpy.__version__}")' >.venv/constraints.txt
    $pip install -c .venv/constraints.txt -e .
    [ "$dev" = no ] || $pip install -c .venv/constraints.txt -r "$lock"
  else
    $pip install -r "$lock"
    $pip install --no-build-isolation --no-deps -e .
  fi
}

# opencv-python is linked against the desktop's OpenGL, X and GLib, which a bare Debian lacks.
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

# The page tests drive a real browser. Without one they are left out and say so.
check_browser() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
    need "the page tests want Chromium (without it they are left out)" chromium || true
  # Playwright's own driver is linked against it, and a bare Debian 12 lacks it.
  .venv/bin/python -m playwright --version >/dev/null 2>&1 ||
    need "the page tests want libatomic" libatomic1 || exit 1
}

lock=deploy/requirements.lock
[ "$dev" = no ] || lock=deploy/requirements-dev.lock
wanted=$(cat pyproject.toml "$lock" deploy/setup.sh | sha256sum | cut -c1-16)
stamp=.venv/.quarterdeck-$dev
if [ "$(cat "$stamp" 2>/dev/null || true)" != "$wanted" ]; then
  make_venv
  install_packages "$lock"
  echo "$wanted" >"$stamp"
fi
check_opencv
[ "$dev" = no ] || check_browser
# What the tests need holds what playing needs.
[ "$dev" = no ] || cat pyproject.toml deploy/requirements.lock deploy/setup.sh | sha256sum |
  cut -c1-16 >.venv/.quarterdeck-no
