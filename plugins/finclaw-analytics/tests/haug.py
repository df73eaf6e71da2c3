"""Values of European options from E. G. Haug, The Complete Guide to Option Pricing Formulas (McGraw-Hill 1998).

The figures as they are listed in QuantLib's test-suite/europeanoption.cpp (testValues and testGreekValues).
"""

from __future__ import annotations

# kind, strike, spot, dividend yield, rate, years, volatility, value
_SINGLE = (
    ("call", 65.00, 60.00, 0.00, 0.08, 0.25, 0.30, 2.1334),
    ("put", 95.00, 100.00, 0.05, 0.10, 0.50, 0.20, 2.4648),
    ("put", 19.00, 19.00, 0.10, 0.10, 0.75, 0.28, 1.7011),
    ("call", 19.00, 19.00, 0.10, 0.10, 0.75, 0.28, 1.7011),
    ("call", 1.60, 1.56, 0.08, 0.06, 0.50, 0.12, 0.0291),
    ("put", 70.00, 75.00, 0.05, 0.10, 0.50, 0.35, 4.0870),
    ("call", 40.00, 42.00, 0.08, 0.04, 0.75, 0.35, 5.0975),
)
# Futures options: strike 100, rate 10 %, by kind, years and volatility the values at 90, 100 and 110.
_FUTURES = (
    ("call", 0.10, 0.15, (0.0205, 1.8734, 9.9413)),
    ("call", 0.10, 0.25, (0.3150, 3.1217, 10.3556)),
    ("call", 0.10, 0.35, (0.9474, 4.3693, 11.1381)),
    ("call", 0.50, 0.15, (0.8069, 4.0232, 10.5769)),
    ("call", 0.50, 0.25, (2.7026, 6.6997, 12.7857)),
    ("call", 0.50, 0.35, (4.9329, 9.3679, 15.3086)),
    ("put", 0.10, 0.15, (9.9210, 1.8734, 0.0408)),
    ("put", 0.10, 0.25, (10.2155, 3.1217, 0.4551)),
    ("put", 0.10, 0.35, (10.8479, 4.3693, 1.2376)),
    ("put", 0.50, 0.15, (10.3192, 4.0232, 1.0646)),
    ("put", 0.50, 0.25, (12.2149, 6.6997, 3.2734)),
    ("put", 0.50, 0.35, (14.4452, 9.3679, 5.7963)),
)
VALUES = (
    *_SINGLE,
    *(
        (kind, 100.0, spot, 0.10, 0.10, years, vol, value)
        for kind, years, vol, values in _FUTURES
        for spot, value in zip((90.0, 100.0, 110.0), values, strict=True)
    ),
)
# what, per what part of our unit, kind, strike, spot, dividend yield, rate, years, volatility, value
GREEKS = (
    ("delta", 1, "call", 100.0, 105.0, 0.10, 0.10, 0.5, 0.36, 0.5946),
    ("delta", 1, "put", 100.0, 105.0, 0.10, 0.10, 0.5, 0.36, -0.3566),
    ("gamma", 1, "call", 60.0, 55.0, 0.00, 0.10, 0.75, 0.30, 0.0278),
    ("gamma", 1, "put", 60.0, 55.0, 0.00, 0.10, 0.75, 0.30, 0.0278),
    ("vega", 100, "call", 60.0, 55.0, 0.00, 0.10, 0.75, 0.30, 18.9358),
    ("vega", 100, "put", 60.0, 55.0, 0.00, 0.10, 0.75, 0.30, 18.9358),
    ("theta", 365, "put", 405.0, 430.0, 0.05, 0.07, 1 / 12, 0.20, -31.1924),
    ("theta", 1, "put", 405.0, 430.0, 0.05, 0.07, 1 / 12, 0.20, -0.0855),
    ("rho", 100, "call", 75.0, 72.0, 0.00, 0.09, 1.0, 0.19, 38.7325),
)
