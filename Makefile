# Quarterdeck. `make demo` to see it play, `make test` to check everything; both set up what they need.
PY := .venv/bin/python

.PHONY: help demo serve test lint types contracts unit bench accuracy lock golden pictures twin networks clean setup setup-dev service service-off update

help:
	@echo "make demo    play a whole game on the virtual table, with the scoreboard in your browser"
	@echo "make setup   install what playing needs (demo and serve do so by themselves, service does not)"
	@echo "make serve OPTIONS='--camera picamera2 ...'  open the table for real; without OPTIONS all is"
	@echo "             told by phone"
	@echo "make service OPTIONS='--camera picamera2 ...'  open it at every start of the Pi, from now on;"
	@echo "             make service-off no longer"
	@echo "make update  fetch and set up the newest version; the games are copied first"
	@echo "make test    set up, then lint, types, import contracts and every test"
	@echo "make bench   speed of each step, from the picture to the phone"
	@echo "make accuracy  how well the pictures are read (docs/accuracy.md)"

setup:
	@deploy/setup.sh

setup-dev:
	@deploy/setup.sh --dev

demo: setup
	@.venv/bin/quarterdeck demo

serve: setup
	@.venv/bin/quarterdeck serve $(OPTIONS)

# Both by root; not after `setup`, or what is set up would be root's.
service:
	@deploy/service.sh on $(OPTIONS)

service-off:
	@deploy/service.sh off

update:
	@deploy/update.sh

# Checks leave no compiled files among the sources. The tests keep theirs in the environment: much of what
# they start is compiled only once then.
test lint types contracts bench accuracy twin golden: export PYTHONDONTWRITEBYTECODE := 1
unit: export PYTHONDONTWRITEBYTECODE :=
unit: export PYTHONPYCACHEPREFIX := $(CURDIR)/.venv/pycache
# Two workers share the cores already: OpenCV's threads would only wait for each other.
unit: export OPENCV_FOR_THREADS_NUM := 1
# The room of one picture is kept for the next: asking the system for it anew takes a tenth of the time.
unit: export MALLOC_TRIM_THRESHOLD_ := 268435456
unit: export MALLOC_MMAP_THRESHOLD_ := 33554432

test: setup-dev lint types contracts unit

lint:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types:
	$(PY) -m mypy

contracts:
	.venv/bin/lint-imports --no-cache

unit:
	$(PY) -m pytest -q -n 2 --dist worksteal -rs

# The peers that the rules are measured against live in an environment of the benchmarks' own.
.bench-venv/ready: benchmarks/requirements.txt deploy/requirements.lock
	python3 -m venv --clear .bench-venv
	.bench-venv/bin/pip install -q -r deploy/requirements.lock -r benchmarks/requirements.txt
	touch $@

bench: setup-dev .bench-venv/ready
	.bench-venv/bin/python -m benchmarks

accuracy: setup-dev
	$(PY) -m benchmarks.accuracy_board --half report
	$(PY) -m benchmarks.accuracy_virtual piecepack-sea
	$(PY) -m benchmarks.accuracy_tags
	$(PY) -m benchmarks.accuracy_tags virtual
	$(PY) -m benchmarks.accuracy_dice virtual
	$(PY) -m benchmarks.accuracy_dice traced --folder "$${QUARTERDECK_FRAMES:-../shared/frames}/dev/dice"
	$(PY) -m benchmarks.accuracy_dice photographs --folder "$${QUARTERDECK_DICE:-../shared/dice}"
	$(PY) -m benchmarks.hobby_dice --folder "$${QUARTERDECK_DICE:-../shared/dice}"

# Hold 10,000 random positions of every set of options against the slow twins of the rules.
twin: setup-dev
	QUARTERDECK_TWIN=10000 nice -n 19 $(PY) -m pytest -q tests/property -k twin

# Take the README's picture anew, of a demo game; needs Chromium.
pictures: setup-dev
	$(PY) docs/pictures/take.py

# Train every network of the readers anew, dice and boards; takes a day or two (benchmarks/dice_training/README.md).
networks:
	$(MAKE) -f benchmarks/networks.mk

# Write the golden playthroughs anew; read the difference like code.
golden: setup-dev
	$(PY) -m tests.playthroughs.test_playthroughs

# Pin the versions that tests and installations use (needs uv: pip install uv).
lock:
	uv pip compile -q --universal --python-version 3.11 --no-annotate --no-header \
	  pyproject.toml --group pyproject.toml:build -o deploy/requirements.lock
	uv pip compile -q --universal --python-version 3.11 --no-annotate --no-header \
	  pyproject.toml --group pyproject.toml:build --group pyproject.toml:dev -o deploy/requirements-dev.lock

clean:
	rm -rf .venv .bench-venv build dist *.egg-info
