"""A contact sheet of maps, for people to choose from by looking."""

from collections.abc import Iterable

from shapely.geometry.base import BaseGeometry

from tools.mapgen.documents import Document
from tools.mapgen.survey import Survey

COLORS = {"forest": "#8fae84", "mountain": "#cfccc4", "steppe": "#e3cfa0", "grassland": "#c6d69a"}


def contact_sheet(maps: Iterable[tuple[int, Document, Document]]) -> str:
    """An HTML page with a plain picture of each map, its seed above it."""
    pictures = [f"<figure><figcaption>{seed}</figcaption>{_picture(Survey(*pair))}</figure>" for seed, *pair in maps]
    style = "body{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin:8px}figure{margin:0}"
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(pictures)}\n"


def _picture(survey: Survey) -> str:
    parts = [f'<svg viewBox="0 0 {survey.outlines["width"]} {survey.outlines["height"]}">']
    for name, shape in survey.territories.items():
        parts.append(_path(shape, f'fill="{COLORS[survey.rows[name]["terrain"]]}" stroke="#555" stroke-width=".8"'))
    for region in survey.regions.values():
        whole = survey.union(region)
        parts.append(_path(whole, 'fill="none" stroke="#7a3b2a" stroke-width="5" opacity=".45"'))
    parts += [_path(bed, 'fill="#4f86a8"') for bed in survey.beds]
    parts += [_path(lake, 'fill="#9cc3d6" stroke="#23506b" stroke-width="2"') for lake in survey.lakes.values()]
    parts.append(_path(survey.land, 'fill="none" stroke="#222" stroke-width="2.5"'))
    for name, row in survey.outlines["territories"].items():
        (x, y), (left, top) = row["huts"], row["name"]
        parts.append(f'<circle cx="{x}" cy="{y}" r="{row["radius"]}" fill="#fff" opacity=".3"/>')
        parts.append(f'<text x="{left}" y="{top + 5}" font-size="14" text-anchor="middle">{name}</text>')
    return "".join((*parts, "</svg>"))


def _path(shape: BaseGeometry, dress: str) -> str:
    polygons = getattr(shape, "geoms", [shape])
    rings = [ring for polygon in polygons for ring in (polygon.exterior, *polygon.interiors)]
    data = "".join("M" + " ".join(f"{x:.0f},{y:.0f}" for x, y in ring.coords) + "z" for ring in rings)
    return f'<path d="{data}" {dress}/>'
