"""Looks of the page on a user's own data."""

CSS = """
:root{color-scheme:light;--line:#e3e3e3;--soft:#5b5b5b}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#1c1c1c;background:#fafafa;
margin:0 auto;max-width:1180px;padding:28px 28px 64px}
h1{font-size:26px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
p.verdict{font-size:20px;font-weight:600;line-height:1.3;margin:2px 0 8px}
h2{font-size:18px;margin:0 0 10px}
p{margin:6px 0;max-width:80ch}p.soft,.soft{color:var(--soft);font-size:13px}
section{background:#fff;border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:18px 0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:18px 0}
.card{background:#fff;border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.card b{display:block;font-size:24px;line-height:1.25}.card>span{color:var(--soft);font-size:13px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:20px;align-items:start}
.three{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(260px,100%),1fr));gap:16px}
section svg,section img.full{width:100%;height:auto;display:block}
.map{background:#fff;border:1px solid var(--line);border-radius:8px}
.map circle{fill-opacity:.82;stroke:#fff;stroke-width:.7}.map circle:hover{fill-opacity:1;stroke:#000}
.map .mark{font:700 11px system-ui,sans-serif;fill:#fff;text-anchor:middle;pointer-events:none}
.warn{border-left:5px solid #d9822b;background:#fff8ee}.warn li{margin:4px 0}
.cluster{border-top:1px solid var(--line);padding:14px 0 8px;display:grid;grid-template-columns:minmax(170px,220px) 1fr;gap:16px}
.cluster:first-of-type{border-top:0}
.dot{display:inline-block;min-width:26px;height:26px;border-radius:13px;padding:0 7px;color:#fff;font-weight:700;
text-align:center;line-height:26px;margin-right:8px}
.examples{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px}
figure{margin:0;min-width:0}figcaption{font-size:12px;color:var(--soft);overflow-wrap:anywhere;margin-top:3px}
section .thumb{width:100%;height:64px;border:1px solid var(--line);border-radius:5px;image-rendering:pixelated}
.apart{grid-column:1/-1;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(260px,100%),1fr));gap:4px 20px}
.apart b{font-size:13px}.apart ul{margin:2px 0;padding-left:18px;font-size:13.5px}.apart figure{max-width:420px}
section .apart svg{border:1px solid var(--line);border-radius:5px;background:#fff;height:90px}
audio{width:100%;height:32px;margin-top:4px}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th{font-weight:600;text-align:left;border-bottom:1.5px solid #333;padding:4px 12px 4px 0;vertical-align:bottom}
td{border-bottom:1px solid #ececec;padding:4px 12px 4px 0;vertical-align:top}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.id{overflow-wrap:anywhere;min-width:12ch}
pre{background:#f4f4f4;border:1px solid var(--line);border-radius:6px;padding:10px 12px;overflow-x:auto;font-size:13px;
white-space:pre-wrap;overflow-wrap:anywhere}
details>summary{cursor:pointer;font-weight:600}
.good{color:#1b7f4d}.fair{color:#a86200}.poor{color:#b3261e}
@media(max-width:640px){body{padding:16px 12px 40px;font-size:14px}section{padding:14px 12px}.cluster{grid-template-columns:1fr}}
@media print{body{max-width:none;background:#fff}section{break-inside:avoid}}
"""
