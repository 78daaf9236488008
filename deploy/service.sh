#!/usr/bin/env bash
# Let systemd start `quarterdeck serve` whenever the Pi is switched on, and again if it ever ends.
#
#   deploy/service.sh on [OPTION...]     for the one who typed sudo, from this folder, with these
#                                        options of `quarterdeck serve`; again to change them
#   deploy/service.sh off                no longer
#   deploy/service.sh show [OPTION...]   only print the unit
#
# `make service OPTIONS="..."` and `make service-off` call it. DESTDIR: where to write, for packagers.
set -euo pipefail
cd "$(dirname "$0")/.."

unit=${DESTDIR-}/etc/systemd/system/quarterdeck.service

say() { echo "service: $*"; }

fail() {
  say "$*" >&2
  exit 1
}

# Those groups of the Pi's devices that this system has.
device_groups() {
  local group found=()
  for group in video gpio spi; do
    getent group "$group" >/dev/null && found+=("$group")
  done
  echo "${found[*]}"
}

# A word as systemd reads it: in quotes, and nothing in it means anything else.
quoted() {
  local word=$1
  word=${word//\\/\\\\}
  word=${word//\"/\\\"}
  word=${word//%/%%}
  printf '"%s"' "${word//\$/\$\$}"
}

# show_unit OPTION...: fill in the template.
show_unit() {
  local text options=() word
  for word in "$@"; do options+=("$(quoted "$word")"); done
  text=$(<deploy/quarterdeck.service)
  text=${text//@USER@/"${SUDO_USER:-$(id -un)}"}
  text=${text//@GROUPS@/"$(device_groups)"}
  text=${text//@FOLDER@/"${PWD//%/%%}"}
  echo "${text//@OPTIONS@/"${options[*]}"}"
}

need_root() {
  command -v systemctl >/dev/null || fail "there is no systemd here, which starts things at boot"
  [ "$(id -u)" = 0 ] || fail "only root may say what starts at boot. Please type: sudo $*"
}

word=${1-}
[ $# = 0 ] || shift
case "$word" in
  show) show_unit "$@" ;;
  on)
    need_root "make service OPTIONS=\"$*\""
    [ -x .venv/bin/quarterdeck ] ||
      fail "Quarterdeck is not set up yet. Please type, without sudo: make setup"
    # A misspelt option is better told now than to the journal every five seconds.
    PYTHONDONTWRITEBYTECODE=1 .venv/bin/python -c '
import sys
from companion.cli import build_parser
build_parser().parse_args(["serve", *sys.argv[1:]])' "$@" || fail "nothing was changed"
    mkdir -p "$(dirname "$unit")"
    show_unit "$@" >"$unit"
    systemctl daemon-reload
    systemctl enable quarterdeck
    systemctl restart quarterdeck
    say "started, and from now on at boot; its address and all it says: journalctl -u quarterdeck" ;;
  off)
    need_root "make service-off"
    systemctl disable --now quarterdeck || true
    rm -f "$unit"
    systemctl daemon-reload
    say "it no longer starts at boot" ;;
  *) fail "say on, off or show" ;;
esac
