#!/usr/bin/env bash
# Bring this checkout of Quarterdeck to its newest version; `make update` calls it.
#
# First the ledger is copied (`quarterdeck backup`), for a game that a newer version has written an
# older one may not read. Nothing is merged: who has changed something here is told so.
set -euo pipefail
cd "$(dirname "$0")/.."

data=$HOME/.local/share/quarterdeck
unit=${DESTDIR-}/etc/systemd/system/quarterdeck.service

say() { echo "update: $*"; }

fail() {
  say "$*" >&2
  exit 1
}

# The copy bears the name of the version that wrote it, so that a later update leaves it alone.
copy_games() {
  if [ -f "$data/ledger.sqlite3" ] && [ -x .venv/bin/quarterdeck ]; then
    .venv/bin/quarterdeck backup "$data/before-update-${before:0:8}.sqlite3" --data "$data" ||
      fail "the games could not be copied, so nothing was changed"
    tell_older_copies
  elif [ -f "$unit" ] && grep -q -- --data "$unit"; then
    say "the games in a folder of your own (--data) are not copied: quarterdeck backup does that"
  fi
}

# Each is as large as all games with their pictures: a card of many updates fills up.
tell_older_copies() {
  local older
  older=$(find "$data" -maxdepth 1 -name 'before-update-*.sqlite3' ! -name "*-${before:0:8}.sqlite3" -exec du -ch --apparent-size {} + | tail -n 1)
  if [ -n "$older" ]; then
    say "the copies of earlier updates in $data take ${older%%[[:space:]]*}; delete what nobody needs"
  fi
}

# A function, for bash reads it whole before git puts another version of this file in its place.
main() {
  # By root, the games of root would be copied, and what is fetched would be root's.
  [ -O . ] || fail "this folder belongs to $(stat -c %U .): let them type make update, without sudo"
  git rev-parse --git-dir >/dev/null 2>&1 ||
    fail "this folder was not made by git clone: unpack the new version over it and type make setup"
  before=$(git rev-parse HEAD)
  git fetch -q || fail "git could not ask for the newest version (above it says why)"
  if [ "$(git rev-parse '@{upstream}')" != "$before" ]; then
    copy_games
    git merge --ff-only '@{upstream}' ||
      fail "git could not bring the newest version (above it says why)"
  fi
  deploy/setup.sh  # in any case: the last time it may have been broken off
  if [ "$(git rev-parse HEAD)" = "$before" ]; then
    say "this is the newest version"
  elif [ -f "$unit" ]; then
    say "done. The table that is open still runs the old version; please type:"
    say "  sudo systemctl restart quarterdeck"
  else
    say "done"
  fi
}

main
exit
