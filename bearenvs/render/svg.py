"""A scene as SVG text."""

from html import escape
from typing import Literal

from bearenvs.render.lettering import nominal_width
from bearenvs.render.palette import PALETTES, Theme
from bearenvs.render.scene import SIZE, Circle, Line, Polygon, Rect, Scene, Shape

FONT = "'Liberation Sans',Arial,Helvetica,sans-serif"
BASELINE = 0.36
"""How far below a text's middle its baseline lies, in sizes."""


def to_svg(scene: Scene, theme: Theme | Literal["css"] = "light", size: int = SIZE) -> str:
    """Return ``scene`` as an ``<svg>`` element, ``size`` pixels wide. A shape's tag is its attribute ``data-tag``.

    The theme ``css`` names colors as variables, ``var(--honey)``: the page declares them
    (:func:`~bearenvs.render.palette.css_variables`), and size the element.
    """

    def paint(role: str | None) -> str:
        if role is None:
            return "none"
        return f"var(--{role})" if theme == "css" else PALETTES[theme][role]

    def outline(shape: Rect | Circle | Polygon) -> str:
        stroke = "" if shape.stroke is None else f' stroke="{paint(shape.stroke)}" stroke-width="{shape.line:g}"'
        return f'fill="{paint(shape.fill)}"{stroke}'

    def element(shape: Shape) -> str:
        tag = f' data-tag="{escape(shape.tag)}"' if shape.tag else ""
        match shape:
            case Rect():
                box = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
                corners = f' rx="{shape.radius:g}"' if shape.radius else ""
                return f"<rect {box}{corners} {outline(shape)}{tag}/>"
            case Circle():
                return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" {outline(shape)}{tag}/>'
            case Polygon():
                points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
                return f'<polygon points="{points}" {outline(shape)}{tag}/>'
            case Line():
                ends = f'x1="{shape.x:g}" y1="{shape.y:g}" x2="{shape.x2:g}" y2="{shape.y2:g}"'
                return f'<line {ends} stroke="{paint(shape.stroke)}" stroke-width="{shape.line:g}"{tag}/>'
            case _:
                anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
                place = f'x="{shape.x:g}" y="{shape.y + BASELINE * shape.size:g}" font-size="{shape.size:g}"'
                # A stand-in for the font may be wider: this squeezes it.
                wide = f' textLength="{nominal_width(shape.text, shape.size):.1f}" lengthAdjust="spacingAndGlyphs"'
                return f'<text {place}{wide} fill="{paint(shape.fill)}"{anchor}{tag}>{escape(shape.text)}</text>'

    dimensions = "" if theme == "css" else f' width="{size}" height="{size}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}"{dimensions} role="img"'
        f' font-family="{FONT}" font-weight="600"><title>{escape(scene.title)}</title>'
    )
    paper = f'<rect width="{SIZE}" height="{SIZE}" fill="{paint("paper")}"/>'
    return "\n".join([head, paper, *map(element, scene.shapes), "</svg>\n"])
