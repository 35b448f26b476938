"""A page that shows flows with what was found in them. It works without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from flowlint.findings.model import Finding, Severity
from flowlint.graph.model import FlowGraph
from flowlint.report.drawing.look import page_variables, styles
from flowlint.report.drawing.marks import Marks, marks_of
from flowlint.report.drawing.svg import picture
from flowlint.report.links import rule_url
from flowlint.report.style import plain
from flowlint.report.summary import count, summary
from flowlint.report.xml import attribute, escape

_WORDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

_STYLE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:14px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}
a{color:var(--info)}
code{font:12px ui-monospace,'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}
.page{display:grid;grid-template-columns:240px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:16px;background:var(--box);
border-right:1px solid var(--line)}
nav h1{font-size:16px;margin:0 0 4px}
nav p{margin:0 0 12px;color:var(--quiet);font-size:12px}
nav a{display:flex;gap:6px;justify-content:space-between;padding:4px 6px;border-radius:6px;
color:inherit;text-decoration:none;overflow-wrap:anywhere}
nav a:hover{background:var(--paper)}
main{padding:16px 24px}
section{margin-bottom:32px;scroll-margin-top:12px}
h2{font-size:18px;margin:0}
.place{color:var(--quiet);font-size:12px;margin:0 0 8px}
.both{display:grid;grid-template-columns:minmax(0,1fr) 340px;gap:16px;align-items:start}
.both.clean{grid-template-columns:minmax(0,1fr)}
.view{position:relative;border:1px solid var(--line);border-radius:8px;overflow:hidden;
touch-action:none;cursor:grab}
.view.held{cursor:grabbing}
.view svg{display:block;transform-origin:0 0}
.tools{position:absolute;right:8px;top:8px;display:flex;gap:4px}
.tools button{width:28px;height:28px;border:1px solid var(--line);border-radius:6px;
background:var(--box);color:inherit;font:inherit;line-height:1;cursor:pointer}
ol{list-style:none;margin:0;padding:0}
li{border:1px solid var(--line);border-left-width:4px;border-radius:6px;padding:8px 10px;
margin-bottom:8px;cursor:default}
li.error{border-left-color:var(--error)}
li.warning{border-left-color:var(--warning)}
li.info{border-left-color:var(--info)}
li p{margin:0;overflow-wrap:anywhere}
li .help,li .at{color:var(--quiet);font-size:12px}
.mark{display:inline-block;min-width:17px;padding:0 4px;border-radius:9px;text-align:center;
font-size:11px;font-weight:700;color:var(--paper)}
.mark.error{background:var(--error)}.mark.warning{background:var(--warning)}
.mark.info{background:var(--info)}
.flow .lit>.box,.flow .lit path.line{stroke-width:4}
@media (max-width:1000px){.page,.both{grid-template-columns:minmax(0,1fr)}nav{position:static;
height:auto;border-right:0;border-bottom:1px solid var(--line)}}
@media print{nav,.tools{display:none}.page,.both{display:block}}
"""

_SCRIPT = """
for (const view of document.querySelectorAll('.view')) {
  const svg = view.querySelector('svg');
  const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
  let x = 0, y = 0, scale = 1, held = null;
  const show = () => { svg.style.transform = `translate(${x}px,${y}px) scale(${scale})`; };
  const fit = () => {
    const room = view.clientWidth, most = Math.max(innerHeight * 0.8, 240);
    scale = Math.min(1, room / width, most / height);
    view.style.height = Math.ceil(height * scale) + 'px';
    x = Math.max(0, (room - width * scale) / 2); y = 0; show();
  };
  const zoom = (by, cx, cy) => {
    const next = Math.min(6, Math.max(0.1, scale * by));
    x = cx - (cx - x) * next / scale; y = cy - (cy - y) * next / scale; scale = next; show();
  };
  view.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = view.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, {passive: false});
  view.addEventListener('pointerdown', event => {
    if (event.target.closest('button')) return;
    held = [event.clientX - x, event.clientY - y];
    view.setPointerCapture(event.pointerId); view.classList.add('held');
  });
  view.addEventListener('pointermove', event => {
    if (held) { x = event.clientX - held[0]; y = event.clientY - held[1]; show(); }
  });
  for (const name of ['pointerup', 'pointercancel']) view.addEventListener(name, () => {
    held = null; view.classList.remove('held');
  });
  view.querySelector('.tools').addEventListener('click', event => {
    const by = {in: 1.25, out: 0.8}[event.target.dataset.do];
    if (by) zoom(by, view.clientWidth / 2, view.clientHeight / 2);
    else if (event.target.dataset.do) fit();
  });
  fit(); addEventListener('resize', fit);
}
for (const item of document.querySelectorAll('li[data-finding]')) {
  const parts = item.closest('section').querySelectorAll(
    `[data-findings~="${item.dataset.finding}"]`);
  item.addEventListener('mouseenter', () => parts.forEach(part => part.classList.add('lit')));
  item.addEventListener('mouseleave', () => parts.forEach(part => part.classList.remove('lit')));
}
"""


def render(
    graphs: Sequence[FlowGraph], findings: Sequence[Finding], flows: int, checked: int
) -> Iterator[str]:
    """The lines of the page."""
    marks, others = marks_of(graphs, findings)
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{attribute(_POLICY)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield "<title>flowlint</title>"
    yield f"<style>{page_variables()}{_STYLE}{styles()}</style></head>"
    yield '<body><div class="page"><nav><h1>flowlint</h1>'
    yield f"<p>{escape(summary(findings, flows, checked))}</p>"
    for number, (graph, own) in enumerate(zip(graphs, marks, strict=True)):
        name = escape(plain(graph.name))
        yield f'<a href="#flow{number}"><span>{name}</span><span>{_counts(own)}</span></a>'
    yield "</nav><main>"
    if others:
        yield f"<section><h2>{count(len(others), 'finding')} in no flow</h2><ol>"
        for finding in others:
            yield from _item(finding, None)
        yield "</ol></section>"
    for number, (graph, own) in enumerate(zip(graphs, marks, strict=True)):
        yield from _section(graph, own, number)
    yield f"</main></div><script>{_SCRIPT}</script></body></html>"


def _section(graph: FlowGraph, marks: Marks, number: int) -> Iterator[str]:
    yield f'<section id="flow{number}"><h2>{escape(plain(graph.name))}</h2>'
    place = plain(f"{graph.path}:{graph.span.line}")
    yield f'<p class="place">{escape(graph.dialect)} · <code>{escape(place)}</code></p>'
    clean = "" if marks.findings else " clean"
    yield f'<div class="both{clean}"><div class="view">'
    yield from picture(graph, marks)
    yield '<div class="tools">'
    for what, sign, title in (
        ("in", "+", "Zoom in"),
        ("out", "−", "Zoom out"),
        ("fit", "⤢", "Show all"),
    ):
        yield f'<button data-do="{what}" title="{title}" aria-label="{title}">{sign}</button>'
    yield "</div></div>"
    if marks.findings:
        yield "<ol>"
        for at, finding in enumerate(marks.findings, 1):
            yield from _item(finding, at)
        yield "</ol>"
    yield "</div></section>"


def _item(finding: Finding, number: int | None) -> Iterator[str]:
    known = "" if number is None else f' data-finding="{number}"'
    mark = "" if number is None else f'<span class="mark {finding.severity}">{number}</span> '
    url = rule_url(finding.name)
    name = f"<strong>{escape(finding.name)}</strong>"
    if url:
        name = f'<a href="{attribute(url)}">{name}</a>'
    yield f'<li class="{finding.severity}"{known}><p>{mark}{name} {finding.code}</p>'
    yield f"<p>{escape(plain(finding.message))}</p>"
    if finding.help:
        yield f'<p class="help">{escape(plain(finding.help))}</p>'
    yield f'<p class="at"><code>{escape(plain(str(finding.span)))}</code></p></li>'


def _counts(marks: Marks) -> str:
    counts = Counter(finding.severity for finding in marks.findings)
    return " ".join(
        f'<span class="mark {severity}" title="{count(counts[severity], word)}">'
        f"{counts[severity]}</span>"
        for severity, word in _WORDS.items()
        if counts[severity]
    )
