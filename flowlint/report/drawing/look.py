"""The colours of pictures, for bright and for dark surroundings."""

from __future__ import annotations

_BRIGHT = {
    "paper": "#ffffff",
    "ink": "#1f2328",
    "quiet": "#59636e",
    "box": "#f6f8fa",
    "line": "#818b98",
    "error": "#cf222e",
    "warning": "#9a6700",
    "info": "#0969da",
    "error-box": "#ffebe9",
    "warning-box": "#fff8c5",
    "info-box": "#ddf4ff",
}
_DARK = {
    "paper": "#0d1117",
    "ink": "#e6edf3",
    "quiet": "#9198a1",
    "box": "#1c2128",
    "line": "#767f8a",
    "error": "#ff7b72",
    "warning": "#d29922",
    "info": "#58a6ff",
    "error-box": "#3c1618",
    "warning-box": "#33270a",
    "info-box": "#10243e",
}
_TONES = ("error", "warning", "info")


def styles() -> str:
    """The style sheet of drawings, with every colour in full: not all viewers know variables."""
    fixed = (
        ".flow text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;"
        "font-size:13px}"
        ".flow .name{font-weight:600;text-anchor:middle}"
        ".flow .kind{font-size:10.5px;font-weight:400;text-anchor:middle}"
        ".flow .label{font-size:11px}"
        ".flow .caption{font-size:11px}"
        ".flow .title{font-size:16px;font-weight:600}"
        ".flow .told{font-size:12px}"
        ".flow .number{font-size:10px;font-weight:700;text-anchor:middle}"
        ".flow .edge path{fill:none;stroke-width:1.4}"
        ".flow .edge .wide{stroke:transparent;stroke-width:12}"
        ".flow .edge.marked path.line{stroke-width:2.4}"
        ".flow .box{stroke-width:1.2}"
        ".flow .marked>.box{stroke-width:2.2}"
        ".flow .dashed,.flow .dashed>.box,.flow .dashed>path.line{stroke-dasharray:5 4}"
        ".flow .inner{stroke-dasharray:3 3;fill:none}"
    )
    dark = f"@media (prefers-color-scheme:dark){{{_colours(_DARK)}}}"
    return f"{fixed}{_colours(_BRIGHT)}{dark}"


def page_variables() -> str:
    """The same colours as variables, for the page around drawings."""

    def stated(colours: dict[str, str]) -> str:
        return "".join(f"--{name}:{value};" for name, value in colours.items())

    return (
        f":root{{color-scheme:light dark;{stated(_BRIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{stated(_DARK)}}}}}"
    )


def _colours(colours: dict[str, str]) -> str:
    c = colours
    rules = [
        f".flow .paper{{fill:{c['paper']}}}",
        f".flow text{{fill:{c['ink']}}}",
        f".flow .kind,.flow .caption{{fill:{c['quiet']}}}",
        f".flow .box{{fill:{c['box']};stroke:{c['line']}}}",
        f".flow .region>.box{{fill:{c['paper']}}}",
        f".flow .inner{{stroke:{c['line']}}}",
        f".flow .unknown>.box{{fill:{c['paper']};stroke:{c['error']}}}",
        f".flow .dot{{fill:{c['ink']};stroke:{c['ink']}}}",
        f".flow .ring{{fill:none;stroke:{c['ink']};stroke-width:1.4}}",
        f".flow .edge path.line{{stroke:{c['line']}}}",
        f".flow .edge .tip{{fill:{c['line']};stroke:none}}",
        f".flow .number{{fill:{c['paper']}}}",
    ]
    for tone in _TONES:
        rules += [
            f".flow .{tone}>.box{{stroke:{c[tone]};fill:{c[f'{tone}-box']}}}",
            f".flow .region.{tone}>.box{{fill:{c['paper']}}}",
            f".flow .edge.{tone} path.line{{stroke:{c[tone]}}}",
            f".flow .edge.{tone} .tip{{fill:{c[tone]}}}",
            f".flow .badge.{tone}{{fill:{c[tone]}}}",
        ]
    return "".join(rules)
