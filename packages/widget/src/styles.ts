/**
 * The picker's styles. Colours follow the page's `color-scheme`; each has a variable, and each part a name for styling.
 * Only logical directions, so that right-to-left needs no extra rules.
 */
const css = `
:host {
  --_accent: var(--pc-accent, light-dark(#0b57d0, #a8c7fa));
  --_on-accent: var(--pc-on-accent, light-dark(#fff, #062e6f));
  --_error: var(--pc-error, light-dark(#b3261e, #f2b8b5));
  --_text: var(--pc-text, light-dark(#1b1c1f, #e6e7ea));
  --_surface: var(--pc-surface, light-dark(#fff, #1d1f23));
  --_muted: color-mix(in srgb, var(--_text) 72%, var(--_surface));
  --_line: color-mix(in srgb, var(--_text) 55%, var(--_surface));
  --_shade: color-mix(in srgb, var(--_text) 8%, var(--_surface));
  --_radius: var(--pc-radius, 10px);
  display: block;
  max-inline-size: 30rem;
  color: var(--_text);
  font: var(--pc-font, 1rem/1.4 system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
}
[hidden], :host([hidden]) { display: none !important; }
* { box-sizing: border-box; margin: 0; font: inherit; }
div { display: flex; align-items: center; gap: .5rem; }
[part=head] { justify-content: space-between; min-block-size: 2.75rem; }
label, button, [part=code], [part=slot] { font-weight: 600; }
button, .input { min-inline-size: 3rem; block-size: 3rem; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); color: inherit; }
button { padding-inline: .75rem; color: var(--_accent); cursor: pointer; }
[part=aside] { padding-inline-end: 0; block-size: 2.75rem; border: 0; background: none; }
[part=continue] { background: var(--_accent); color: var(--_on-accent); border: 0; }
.input { flex: 1; padding-inline: .875rem; }
.input[aria-invalid=true] { border-color: var(--_error); }
svg { display: block; inline-size: 1.375rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
[part=field] { position: relative; }
ul { position: absolute; z-index: var(--pc-layer, 10); inset-inline: 0; inset-block-start: 5.625rem; max-block-size: 18.5rem; overflow-y: auto; padding: .375rem; list-style: none; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); box-shadow: 0 8px 28px #0003; }
li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; min-block-size: 2.75rem; padding: .25rem .625rem; border-radius: 6px; cursor: pointer; }
li:hover, [aria-selected=true] { background: var(--_shade); }
[aria-selected=true] { outline: 2px solid var(--_accent); outline-offset: -2px; }
[part=code] { white-space: nowrap; }
[part=name] { flex: 1 10rem; overflow-wrap: anywhere; }
[part=slots] { gap: .375rem; }
[part=slot] { min-inline-size: 2.5rem; block-size: 1.875rem; border-radius: 6px; background: var(--_shade); line-height: 1.875rem; text-align: center; }
[part=foot] { flex-direction: column; align-items: stretch; min-block-size: 5.75rem; padding-block-start: .625rem; }
p, [part=name] { color: var(--_muted); font-size: .875rem; }
p, ul { outline: 0; }
.error { color: var(--_error); }
:disabled { cursor: default; opacity: .55; }
`

const makeSheet = (): CSSStyleSheet => {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}

let sheet: CSSStyleSheet | undefined

/** All pickers of a page share one style sheet, created with the first. */
export const adoptStyles = (root: ShadowRoot): void => {
  sheet ??= makeSheet()
  root.adoptedStyleSheets = [sheet]
}
