"""The hand that draws terrains: trees, peaks, tufts and blades, no two of them alike.

A glyph is a body (filled, with an outline) and loose strokes, both as SVG path data.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.mapgen.mesh import Spot

Hand = random.Random


@dataclass
class Drawn:
    """Path data of all glyphs of a terrain, collected."""

    bodies: list[str] = field(default_factory=list)
    shades: list[str] = field(default_factory=list)
    strokes: list[str] = field(default_factory=list)


Glyph = Callable[[Spot, Hand, Drawn], None]


def conifer(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """A fir: a ragged cone on a short trunk, hatched on its lee side."""
    high, wide = hand.uniform(11, 16), hand.uniform(3.4, 4.8)
    x, y, lean = spot[0], spot[1] + high / 2, hand.uniform(-0.6, 0.6)
    tier, side = high * 0.3, wide * 0.62
    left = f"l{-wide:.1f}-.8 {wide - side:.1f} {-tier:.1f} -.8-.3 {side + 0.8 + lean:.1f} {-high * 0.58:.1f}"
    right = f"{side + 0.8 - lean:.1f} {high * 0.58:.1f}-.8.3 {wide - side:.1f} {tier:.1f}"
    drawn.bodies.append(f"M{x:.1f} {y - 1.5:.1f}{left} {right}z")
    drawn.strokes.append(f"M{x:.1f} {y - 1.5:.1f}v2.2")
    for share in (0.3, 0.52, 0.74):
        reach = wide * share
        drawn.strokes.append(
            f"M{x + 0.5:.1f} {y - high * (1.02 - share):.1f}l{reach * 0.75:.1f} {reach * 0.3 + 0.5:.1f}"
        )


def broadleaf(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """A round tree: a crown of three or four humps, its shade on the right."""
    wide, high = hand.uniform(5, 7), hand.uniform(6.5, 8.5)
    x, y = spot[0] - wide, spot[1] + 2
    a, b = hand.uniform(0.55, 0.75), hand.uniform(0.3, 0.45)
    crown = (
        f"c{-wide * 0.5:.1f} {-high * 0.3:.1f} {-wide * 0.1:.1f} {-high * a:.1f} {wide * 0.4:.1f} {-high * 0.55:.1f}"
        f" {wide * 0.1:.1f} {-high * b:.1f} {wide * 0.9:.1f} {-high * 0.75:.1f} {wide * 1.1:.1f} {-high * 0.1:.1f}"
        f" {wide * 0.7:.1f} {-high * 0.1:.1f} {wide * 0.9:.1f} {high * 0.5:.1f} {wide * 0.5:.1f} {high * 0.65:.1f}z"
    )
    drawn.bodies.append(f"M{x:.1f} {y:.1f}{crown}")
    drawn.strokes.append(f"M{spot[0]:.1f} {y:.1f}v{hand.uniform(2.5, 3.5):.1f}")
    for step in range(3):
        left = spot[0] + wide * (0.15 + 0.2 * step)
        drawn.strokes.append(f"M{left:.1f} {y - high * (0.2 + 0.1 * step):.1f}q1.6.4 2-{1 + 0.5 * step:.1f}")


def wood(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """A tree of either kind; kinds keep together."""
    fir = (int(spot[0] // 60) + int(spot[1] // 60)) % 2 == 0
    (conifer if fir == (hand.random() < 0.8) else broadleaf)(spot, hand, drawn)


def peak(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """A mountain: a bent ridge, its lee side hatched downhill."""
    high, wide = hand.uniform(11, 17), hand.uniform(8, 11)
    x, y = spot[0], spot[1] + high / 2
    top, knee = hand.uniform(-1.5, 1.5), hand.uniform(0.45, 0.6)
    foot = f"M{x - wide:.1f} {y:.1f}"
    up = f"l{wide * knee:.1f} {-high * 0.42:.1f} {wide * (1 - knee) + top:.1f} {-high * 0.58:.1f}"
    down = f"{wide * 0.42 - top:.1f} {high * 0.5:.1f} {wide * 0.58:.1f} {high * 0.5:.1f}"
    drawn.bodies.append(f"{foot}{up} {down}")
    crest = f"M{x + top:.1f} {y - high:.1f}l{-wide * 0.12:.1f} {high * 0.35:.1f} {wide * 0.2:.1f} {high * 0.25:.1f}"
    lee = f"{-wide * 0.1:.1f} {high * 0.4:.1f}h{wide * 0.95:.1f}l{-wide * 0.58:.1f} {-high * 0.5:.1f}z"
    drawn.shades.append(f"{crest} {lee}")
    drawn.strokes.append(crest)
    for step in range(1, 4):
        share = step / 4
        left, above = x + top + wide * 0.8 * share, y - high * (1 - share)
        drawn.strokes.append(f"M{left:.1f} {above:.1f}l{-wide * 0.16:.1f} {high * (0.3 - 0.17 * share):.1f}")


def tuft(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """Dry grass: a few stiff stalks spread wide, dust beside them."""
    x, y, high = spot[0], spot[1] + 3, hand.uniform(6, 9)
    count = hand.choice((3, 4, 5))
    for stalk in range(count):
        aside = (stalk - (count - 1) / 2) * hand.uniform(1.7, 2.3)
        tall = high * (1 - 0.09 * abs(aside))
        drawn.strokes.append(
            f"M{x + aside * 0.35:.1f} {y:.1f}q{aside * 0.2:.1f} {-tall * 0.6:.1f} {aside:.1f} {-tall:.1f}"
        )
    side = hand.choice((-1, 1))
    drawn.strokes.append(f"M{x + side * 5:.1f} {y + 0.5:.1f}h{side * hand.uniform(2, 5):.1f}")
    drawn.strokes.append(f"M{x - side * hand.uniform(5, 8):.1f} {y - 1:.1f}h.1")


def blades(spot: Spot, hand: Hand, drawn: Drawn) -> None:
    """Lush grass: a clump of blades that bend the same way, now and then a flower."""
    x, y = spot[0] - 4, spot[1] + 3
    bend = hand.uniform(1.2, 3) * (1 if int(spot[0] // 90 + spot[1] // 70) % 2 else -1)
    count = hand.choice((3, 4, 4, 5))
    for blade in range(count):
        tall = hand.uniform(4, 7.5)
        root = x + blade * hand.uniform(1.9, 2.5)
        drawn.strokes.append(f"M{root:.1f} {y:.1f}q0 {-tall * 0.6:.1f} {bend:.1f} {-tall:.1f}")
    drawn.strokes.append(f"M{x - 2:.1f} {y + 0.4:.1f}q{count * 1.3:.1f} 1.4 {count * 2.2 + 3:.1f} 0")
    if hand.random() < 0.25:
        drawn.strokes.append(f"M{x + bend:.1f} {y - 9:.1f}h.1")


GLYPHS: dict[str, Glyph] = {"forest": wood, "mountain": peak, "steppe": tuft, "grassland": blades}
SPACING = {"forest": 14.5, "mountain": 21.0, "steppe": 20.0, "grassland": 18.0}
REACH = {"forest": 9.0, "mountain": 11.0, "steppe": 8.0, "grassland": 8.0}  # from a glyph's middle to its edge
