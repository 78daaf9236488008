"""A die on trial: rolled again and again before a camera or by hand, counted, kept and judged."""
