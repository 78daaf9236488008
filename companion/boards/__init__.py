"""What the boards measure: profiles in millimetres, loaded into frozen values."""
