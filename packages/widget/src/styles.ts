/**
 * The picker's styles. Rules of the page for all elements win over those of the host, except for important ones. Colours follow the page's `color-scheme`; each has a variable, and each part a name for styling.
 * Only logical directions, so that right-to-left needs no extra rules. Browsers without `light-dark()`, such as Chrome
 * before 123, show text, surface and focus in the system's colours.
 */
const css = `
:host {
  all: initial;
  --_accent: var(--pc-accent, light-dark(#0b57d0, #a8c7fa));
  --_on-accent: var(--pc-on-accent, oklch(from var(--_accent) calc((.65 - l) * 999) 0 0));
  --_accent-text: var(--pc-accent-text, light-dark(oklch(from var(--_accent) min(l, .54) c h), oklch(from var(--_accent) max(l, .75) c h)));
  --_error: var(--pc-error, light-dark(#b3261e, #f2b8b5));
  --_text: var(--pc-text, CanvasText);
  --_surface: var(--pc-surface, Canvas);
  --_muted: color-mix(in srgb, var(--_text) 72%, var(--_surface));
  --_line: var(--pc-line, color-mix(in srgb, var(--_text) 55%, var(--_surface)));
  --_radius: var(--pc-radius, 10px);
  --_size: max(44px, calc(3em * var(--pc-density, 1)));
  display: block;
  visibility: inherit;
  color-scheme: inherit;
  color: var(--_text);
  font: var(--pc-font, max(1rem, 16px)/1.4 system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
  height: auto !important;
  max-height: none !important;
  overflow: visible !important;
  letter-spacing: normal !important;
  text-align: start !important;
  text-indent: 0 !important;
  text-transform: none !important;
  white-space: normal !important;
  padding: 0 !important;
  border: 0 !important;
  background: none !important;
  box-shadow: none !important;
}
[hidden], :host([hidden]) { display: none !important; }
* { box-sizing: border-box; margin: 0; font: inherit; }
label { display: block; margin-block-end: .375em; }
label, button { font-weight: 600; }
input, li, button, select { font-size: max(16px, 1em); }
input, select { inline-size: 100%; block-size: var(--_size); padding-inline: .875em; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); color: inherit; }
[aria-invalid=true] { border-color: var(--_error); }
button { min-inline-size: 44px; min-block-size: 44px; padding: 0; border: 0; border-radius: var(--_radius); background: none; color: var(--_accent-text); text-align: start; cursor: pointer; }
svg { flex: none; inline-size: 1.25em; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; }
:focus-visible { outline: 3px solid; outline-color: var(--_accent-text); outline-offset: 2px; }
[part=field] { position: relative; }
[popover] { all: unset; display: block; }
[part=actions], [part=done], [part=locate] { display: flex; align-items: center; gap: 0 .625em; }
[part=actions], [part=done] { flex-wrap: wrap; justify-content: space-between; min-block-size: 44px; margin-block-start: .25em; }
p { color: var(--_muted); font-size: .875em; outline: 0; }
[part=status] { margin-block-start: .25em; }
[data-said=chosen], .done ~ [data-said=hint], [part=panel]:not([hidden]) ~ [data-said=hint] { position: absolute; clip-path: inset(50%); }
.error { color: var(--_error); }
:disabled { cursor: default; opacity: .55; }
`

const sheets = new Map<string, CSSStyleSheet>()

/** Adds a style sheet. All pickers of a document share it, created with the first. */
export const adoptStyles = (root: ShadowRoot, text = css): void => {
  const { CSSStyleSheet } = windowOf(root)
  let sheet = sheets.get(text)
  if (!(sheet instanceof CSSStyleSheet)) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    sheets.set(text, sheet)
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet)
}

/** Adds them again in another document, which has dropped those of the first. */
export const adoptStylesAgain = (root: ShadowRoot): void => {
  for (const text of sheets.keys()) adoptStyles(root, text)
}

/** A page may move a picker into a frame or a window of its own. */
const windowOf = ({ ownerDocument }: Node): Window & typeof globalThis => ownerDocument?.defaultView ?? window
