# Trains every network of the readers from nothing: `make networks`, from the project's root.
#
# Pictures and weights are kept in build/networks: stopped halfway, it goes on there. A network is
# trained in goes, the last more slowly, and put into its place, for what comes after reads
# pictures with it. Beside them, what is read with them: boxes, strays, leans and found of
# dice_training. SCALE=0.01 draws and trains a hundredth: to try the way. Nothing is put into place then.

SCALE ?= 1
ifeq ($(shell echo '$(SCALE)' | grep -xE '1|0?\.[0-9]+'),)
$(error SCALE is 1, or less to try the way, such as 0.002; not $(SCALE))
endif
DICE := $(or $(QUARTERDECK_DICE),../shared/dice)
FRAMES := $(or $(QUARTERDECK_FRAMES),../shared/frames)/dev

W := build/networks/$(SCALE)
PY := $(W)/venv/bin/python
DICE_NETS := finder teller pips close plain lean lying facing sides
BOARD_NETS := ships coins
T := $(PY) -m benchmarks.dice_training
installed = $(if $(filter 1,$(SCALE)),cp $(1) vision/$(2))
n = $(shell awk 'BEGIN { n = int($(1) * $(SCALE)); print n < 1 ? 1 : n }')

.PHONY: all
.DELETE_ON_ERROR:
all: $(DICE_NETS:%=$(W)/%.onnx.gz) $(BOARD_NETS:%=$(W)/%.onnx)

# An environment of their own: the product needs neither PyTorch nor Mitsuba.
$(W)/venv/ready: benchmarks/networks.txt
	@test -e "$(DRJIT_LIBLLVM_PATH)" || { echo "Dice that fall are drawn by way of LLVM: apt-get install libllvm19" >&2; exit 1; }
	@test -d "$(DICE)" || { echo "There are no photographs in $(DICE): QUARTERDECK_DICE names their folder" >&2; exit 1; }
	@test -d "$(FRAMES)" || { echo "There are no pictures in $(FRAMES): QUARTERDECK_FRAMES names the folder around it" >&2; exit 1; }
	python3 -m venv --clear $(W)/venv
	$(PY) -m pip install -q -r $<
	touch $@
export DRJIT_LIBLLVM_PATH ?= $(firstword $(wildcard /usr/lib/*/libLLVM.so.19.1))

# --- pictures ---------------------------------------------------------------------------------------
# $(call pictures,PART,SOURCE,GENERATOR,OPTIONS): the last folder's name is the source whose share
# `train` knows; drawn pictures of other names make up the rest.

define pictures
$(1) += $(W)/$(2)
$(W)/$(2)/ready: $(W)/venv/ready
	mkdir -p $$(@D)
	$(T).$(3) $$(@D) $(4)
	touch $$@
endef
drawn = $(eval $(call pictures,$(1),$(2),generate,--count $(call n,$(3)) $(4)))
tables = $(eval $(call pictures,$(1),$(2),tables,--scenes $(call n,$(3)) $(4)))
cast = $(eval $(call pictures,$(1),$(2),cast,--count $(call n,$(3)) --most 19 --samples 12 $(4)))
boards = $(eval $(call pictures,$(1),$(2),boards,--scenes $(call n,$(3)) $(4)))

NUMBERED := d8 d10 d100 d12 d20
BLANK := colour colour colour colour piecepack piecepack
MIXED := sail cannon piecepack d6 d6 colour d20 d8 d10 d12

$(call drawn,GENERAL,general,20000,--seed 1 --awkward 0.06)
$(call drawn,AWKWARD,awkward,6000,--seed 2 --awkward 0.3 --cocked 0)
$(call drawn,COCKED,cocked,3500,--seed 3 --cocked 0.35)
$(call drawn,NEAR,near,18000,--seed 11 --near --awkward 0.05)
$(call drawn,NEAR_AWKWARD,near_awkward,3600,--seed 12 --near --awkward 0.27)
$(call drawn,NEAR_COCKED,near_cocked,2500,--seed 13 --near --cocked 0.2)
$(call drawn,ASLANT,aslant,7500,--seed 21 --aslant)
$(call drawn,ASLANT_COCKED,aslant_cocked,5500,--seed 22 --aslant --cocked 0.3)
$(call drawn,MOULDED,moulded,2300,--seed 31 --moulded)
$(call drawn,PIPS,pips/moulded,15000,--seed 32 --pips --awkward 0.05)
$(call drawn,PIPS_AWKWARD,pips_awkward/moulded,3700,--seed 33 --pips --awkward 0.25 --cocked 0.2)
$(call drawn,PLAIN,plain,6500,--seed 41 --plain)
$(call tables,TABLES,tables,230,--seed 9500 --rolls 8 --awkward 0.05 --kinds $(MIXED) d4 cannon sail)
$(call tables,TABLES_AWKWARD,tables_awkward/tables,560,--seed 9901 --rolls 6 --awkward 0.4 --kinds $(MIXED) cannon)
$(call tables,TABLES_ROUND,tables_round/tables,220,--seed 9910 --rolls 5 --awkward 0.45 --kinds cannon d20 cannon d20 d8 d10 d12 d6)
$(call tables,TABLES_BLANK,tables2,140,--seed 9800 --rolls 5 --kinds $(BLANK) d6)
$(call boards,BOARDS,boards,65,--seed 9601 --boards 4)
$(call cast,CAST,cast,5700,--seed 700)
$(call cast,CAST_ROUND,fell_round/cast,1800,--seed 750 --kinds $(NUMBERED) cannon)
$(call cast,APART,apart/cast,2400,--seed 720 --apart)
$(call cast,APART_NUMBERED,apart_numbered/cast,1350,--seed 740 --apart --kinds $(NUMBERED) cannon d6_numeral d4_barrel)
$(call cast,APART_BLANK,apart_blank/cast,2300,--seed 760 --apart --kinds $(BLANK) d6 sail)
FELL := $(CAST) $(CAST_ROUND) $(APART) $(APART_NUMBERED) $(APART_BLANK)

ready = $(addsuffix /ready,$(1))

# --- networks of the dice reader --------------------------------------------------------------------
# $(call train,NAME,WEIGHTS OUT,STEPS,RATE,MORE OPTIONS): into build/networks.

train = $(T).train $(1) --out $(W)/$(2).onnx.gz --steps $(call n,$(3)) --rate $(4)
REAL := --dice $(DICE) --traced $(FRAMES)/dice
BOXED := $(REAL) --boxes $(W)/boxes.json
CLEAN := $(BOXED) --strays $(W)/strays.json

# Where some photographs are labelled on top only, a first finder that has not seen them says how far
# their dice reach.
FIRST := $(GENERAL) $(TABLES)
$(W)/boxes.json: $(call ready,$(FIRST))
	$(call train,finder,first,2500,0.003) $(REAL) --without matteop_d6_wood --drawn $(FIRST)
	$(call installed,$(W)/first.onnx.gz,dice/finder.onnx.gz)
	$(T).boxes $(DICE) $@

FOUND := $(GENERAL) $(PIPS) $(NEAR) $(BOARDS) $(TABLES) $(TABLES_AWKWARD) $(TABLES_BLANK) $(CAST) $(APART) $(APART_NUMBERED) $(APART_BLANK)
$(W)/finder.onnx.gz: $(W)/boxes.json $(call ready,$(FOUND))
	$(call train,finder,finder_1,15000,0.003) $(BOXED) --bare $(FRAMES) --drawn $(FOUND) --seed 2
	$(call train,finder,finder,12000,0.0015) $(BOXED) --bare $(FRAMES) --drawn $(FOUND) --seed 3 --start $(W)/finder_1.pt
	$(call installed,$@,dice/$(@F))

$(W)/strays.json: $(W)/finder.onnx.gz
	$(T).strays $@ $(REAL)

SEEN := $(GENERAL) $(AWKWARD) $(NEAR) $(NEAR_AWKWARD) $(ASLANT) $(MOULDED) $(PIPS) $(PIPS_AWKWARD) $(TABLES) $(TABLES_AWKWARD) $(FELL)
$(W)/teller.onnx.gz: $(W)/strays.json $(call ready,$(SEEN))
	$(call train,teller,teller_1,30000,0.003) $(CLEAN) --drawn $(SEEN) --seed 4
	$(call train,teller,teller,20000,0.0015) $(CLEAN) --drawn $(SEEN) --seed 5 --start $(W)/teller_1.pt
	$(call installed,$@,dice/$(@F))

# How dice lean is learnt from drawn ones first: only then can it be told of photographs.
LEANING := $(GENERAL) $(COCKED) $(NEAR) $(ASLANT) $(MOULDED) $(PIPS) $(PIPS_AWKWARD) $(TABLES) $(FELL)
$(W)/leans.json: $(W)/boxes.json $(call ready,$(LEANING))
	$(call train,lean,lean_1,20000,0.004) --drawn $(LEANING) --batch 128 --seed 6
	$(call installed,$(W)/lean_1.onnx.gz,dice/lean.onnx.gz)
	$(T).leans $(DICE) $@ --boxes $(W)/boxes.json

LEANS := $(BOXED) --leans $(W)/leans.json --batch 128
$(W)/lean.onnx.gz: $(W)/leans.json
	$(call train,lean,lean,15000,0.004) $(LEANS) --drawn $(LEANING) --seed 7 --start $(W)/lean_1.pt
	$(call installed,$@,dice/$(@F))

COUNTED := $(GENERAL) $(MOULDED) $(PIPS) $(PIPS_AWKWARD) $(TABLES) $(CAST) $(APART)
$(W)/pips.onnx.gz: $(W)/leans.json $(W)/strays.json $(call ready,$(COUNTED))
	$(call train,pips,pips_1,30000,0.004) $(LEANS) --strays $(W)/strays.json --drawn $(COUNTED) --seed 8
	$(call train,pips,pips,20000,0.0025) $(LEANS) --strays $(W)/strays.json --drawn $(COUNTED) --seed 9 --start $(W)/pips_1.pt
	$(call installed,$@,dice/$(@F))

# Rolling logs and cubes with digits are learnt as no numeral, so sets of photographs with pips are left out.
LETTERED := $(NEAR) $(NEAR_AWKWARD) $(ASLANT) $(TABLES) $(FELL)
NUMERALS := $(CLEAN) --without nellbyler_d6 matteop_d6_wood --batch 128
$(W)/close.onnx.gz: $(W)/strays.json $(call ready,$(LETTERED))
	$(call train,close,close_1,30000,0.004) $(NUMERALS) --drawn $(LETTERED) --seed 10
	$(call train,close,close,20000,0.0025) $(NUMERALS) --drawn $(LETTERED) --seed 11 --start $(W)/close_1.pt
	$(call installed,$@,dice/$(@F))

BLANKS := $(GENERAL) $(PLAIN) $(TABLES_BLANK) $(APART) $(APART_BLANK)
$(W)/plain.onnx.gz: $(call ready,$(BLANKS))
	$(call train,plain,plain_1,15000,0.004) $(REAL) --drawn $(BLANKS) --seed 12
	$(call train,plain,plain,9000,0.002) $(REAL) --drawn $(BLANKS) --seed 13 --start $(W)/plain_1.pt
	$(call installed,$@,dice/$(@F))

# Around cocked dice and piles a finder's boxes are other than the true ones: how dice lie is learnt by its.
LYING := $(GENERAL) $(AWKWARD) $(COCKED) $(NEAR_AWKWARD) $(PIPS) $(PIPS_AWKWARD) $(TABLES) $(TABLES_AWKWARD) $(FELL)
BOXES_SEEN := $(TABLES) $(TABLES_AWKWARD) $(FELL)
$(W)/found: $(W)/finder.onnx.gz $(call ready,$(BOXES_SEEN))
	$(T).found $(BOXES_SEEN)
	touch $@

$(W)/lying.onnx.gz: $(W)/leans.json $(W)/found $(call ready,$(LYING))
	$(call train,lying,lying_1,25000,0.005) $(LEANS) --drawn $(LYING) --seed 14
	$(call train,lying,lying,20000,0.003) $(LEANS) --drawn $(LYING) --seed 15 --start $(W)/lying_1.pt
	$(call installed,$@,dice/$(@F))

FACING := $(COCKED) $(ASLANT_COCKED) $(NEAR_COCKED) $(PIPS_AWKWARD) $(TABLES) $(TABLES_ROUND) $(CAST_ROUND) $(APART)
$(W)/facing.onnx.gz: $(call ready,$(FACING))
	$(call train,facing,facing_1,15000,0.005) --traced $(FRAMES)/dice --batch 128 --drawn $(FACING) --seed 16
	$(call train,facing,facing,14000,0.004) --traced $(FRAMES)/dice --batch 128 --drawn $(FACING) --seed 17 --start $(W)/facing_1.pt
	$(call installed,$@,dice/$(@F))

$(W)/tetrahedra/drawn.npz: $(W)/venv/ready
	mkdir -p $(@D)
	$(T).tetrahedra $@ --count $(call n,4600) --seed 101

$(W)/tetrahedra/%.npz: $(W)/%/cast/ready
	mkdir -p $(@D)
	cp $(<D)/sides.npz $@

SIDES := $(patsubst %,$(W)/tetrahedra/%.npz,drawn apart apart_blank)
$(W)/sides.onnx.gz: $(SIDES)
	$(call train,sides,sides_1,8000,0.004) --views $(<D) --seed 18
	$(call train,sides,sides,6000,0.003) --views $(<D) --seed 19 --start $(W)/sides_1.pt
	$(call installed,$@,dice/$(@F))

# --- networks of the board reader -------------------------------------------------------------------

B := $(PY) -m benchmarks.board_net
board = $(B).train $(1) --out $(W)/$(2).onnx --invented $(call n,$(3)) --steps $(call n,$(4)) --rate $(5)

$(W)/ships.onnx: $(W)/venv/ready
	$(call board,ships,ships_1,280000,14000,0.004) --seed 21
	$(call board,ships,ships,140000,18000,0.003) --seed 61 --resume $(W)/ships_1.onnx --frames $(FRAMES)/hex
	$(call installed,$@,board/$(@F))

$(W)/scenes.npz: $(W)/venv/ready
	$(B).scenes --out $@ --scenes $(call n,150) --seed 500000

$(W)/crowned.npz: $(W)/venv/ready
	$(B).scenes --out $@ --scenes $(call n,60) --seed 510000 --layouts 2 --crowned 0.6

$(W)/coins.onnx: $(W)/scenes.npz $(W)/crowned.npz
	$(call board,coins,coins_1,60000,3600,0.004) --seed 2
	$(call board,coins,coins_2,40000,1800,0.002) --seed 3 --batch 160 --resume $(W)/coins_1.onnx --scenes $<
	$(call board,coins,coins,40000,1000,0.0015) --seed 3 --batch 144 --resume $(W)/coins_2.onnx --scenes $^
	$(call installed,$@,board/$(@F))
