/** Styles of the map and its list, with the picker's variables. */
const css = `
[part=discover] { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17em), 1fr)); gap: .5em; align-items: start; margin-block-start: .5em; }
[part=map] { position: relative; block-size: 17em; overflow: hidden; touch-action: none; cursor: crosshair; border: 1px solid var(--_line); border-radius: var(--_radius); background: color-mix(in srgb, var(--_text) 4%, var(--_surface)); }
[part=map] > svg, [part=streets] { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; pointer-events: none; stroke-width: 2; }
[part=streets] { border: 0; opacity: 0; color: light-dark(#000, #fff); transition: color 1ms, opacity .15s; }
[part=streets].shown { opacity: 1; }
[part=circle] { stroke: var(--_line); stroke-width: .5; }
[part=away], [part=number] { fill: var(--_muted); stroke: none; font-size: .75em; text-anchor: middle; }
[part=number] { display: inline-block; min-inline-size: 1.67em; border-radius: 50%; background: var(--_text); color: var(--_surface); fill: var(--_surface); font-weight: 700; line-height: 1.67em; text-align: center; }
:checked ~ * [part=number] { background: var(--_error); }
[part=accuracy] { fill: var(--_accent); fill-opacity: .12; stroke: var(--_accent); stroke-opacity: .5; stroke-width: 1; }
[part=position], [part~=unit] { fill: var(--_accent); stroke: var(--_surface); }
[part~=unit] { fill: var(--_text); }
[part~=chosen] { fill: var(--_error); }
[part=tapped] { fill: var(--_text); stroke: var(--_surface); }
[part=attribution] a { color: inherit; pointer-events: auto; }
[part=ring], [part=link] { stroke: var(--_text); stroke-dasharray: 3 4; }
[part=marker] { fill: var(--_error); fill-rule: evenodd; stroke: var(--_surface); stroke-width: 1.5; }
[part=tools] { display: flex; justify-content: end; gap: .625em; margin-block-start: .375em; }
[part=tools] svg { margin-inline: auto; }
[part=tools] button { border: 1px solid var(--_line); background: var(--_surface); font-size: 1.25em; line-height: 1; text-align: center; }
[part=scale], [part=north], [part=attribution] { position: absolute; padding: 0 .25em; background: var(--_surface); color: var(--_text); font-size: .75em; pointer-events: none; }
[part=scale] { inset-block-end: .5em; inset-inline-start: .5em; border: solid; border-width: 0 2px 2px; text-align: center; white-space: nowrap; }
[part=north] { inset-block-start: .5em; inset-inline-start: .5em; font-weight: 700; }
[part=attribution]:empty { display: none; }
[part=attribution] { inset-block-end: 0; inset-inline-end: 0; max-inline-size: 60%; }
[part=choices], [part=units] { min-inline-size: 0; }
[part=units] { max-block-size: 16em; padding: 0; overflow-y: auto; border: 0; }
[part=legend] { margin-block-end: .25em; padding: 0; color: var(--_muted); font-size: .875em; }
[part=units] label { display: flex; gap: .625em; align-items: center; min-block-size: 44px; margin: 0; padding: .25em; border-radius: 6px; font-weight: 400; cursor: pointer; }
[part=units] label:has(:checked) { background: var(--_shade); }
[part=units] input { flex: none; inline-size: 1.25em; block-size: 1.25em; accent-color: var(--_accent); }
[part=units] label > span { flex: 1; overflow-wrap: anywhere; }
[part=distance] { display: block; color: var(--_muted); font-size: .875em; }
[part=units] label:has(:checked) [part=distance] { color: var(--_text); }
[part=heard]:not(.shown) { position: absolute; clip-path: inset(50%); block-size: 1px; overflow: hidden; }
@media (forced-colors: active) { [part=accuracy] { fill: none; stroke: CanvasText; } [part=position] { fill: CanvasText; stroke: Canvas; } [part~=unit] { fill: Canvas; stroke: CanvasText; } [part~=chosen] { stroke: Highlight; } [part=marker] { fill: Highlight; stroke: Canvas; } }
`

export { css as discoverStyles }
