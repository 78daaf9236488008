"""Ahoy, Matey!: the game and its variants (rule numbers AHM-1 to 46 and AHM-V1 to V20)."""
