/** The looks of suggestions and selections. */
import type { MakeRow } from "./ListBox.ts"
import type { fill, Messages } from "./languages/Messages.ts"
import { wordsOf } from "./session/Search.ts"
import type { Code, spaced } from "./TypedCode.ts"
import type { make, View } from "./View.ts"

/** Shared with the entry. */
export interface RowTools {
  readonly fill: typeof fill
  readonly make: typeof make
  readonly spaced: typeof spaced
  /** Whether a choice of this code opens the list of its parts. */
  readonly opens: (code: Code) => boolean
  readonly messages: () => Messages
}

/** The name first, then what it lies in; the code last. */
export const rowMaker =
  ({ fill, make, messages, opens, spaced }: RowTools): MakeRow =>
  ({ code, label, note = "", source, typed }, text) => {
    const codes = make("span", { part: "code", dir: "ltr" })
    if (opens(code)) codes.part.add("opens")
    if (typed) {
      const [segments, from, until, wrong] = correction(typed, code)
      segments.forEach((segment, index) => {
        const isTyped = index < from || index >= until
        codes.append(index ? " " : "", isTyped ? segment : make("u", { part: "corrected" }, segment))
      })
      const { confirm, meant } = messages()
      const [before = "", after = ""] = fill(meant, { typed: wrong }).split("{code}")
      const words = make("span", { part: "name" }, before, codes, label && ` (${label})`, after)
      return [words, " ", make("span", { part: "use" }, confirm)]
    }
    const [name = "", ...within] = source === "bookmark" ? [label] : label.split(", ")
    const words = make("span", { part: "name" }, ...marked(name, text, make))
    if (within.length > 0) {
      words.append(", ", make("span", { part: "within" }, ...marked(within.join(", "), text, make)))
    }
    if (note) words.append(label ? ` (${note})` : note)
    codes.append(...marked(spaced(code), text, make))
    return words.textContent ? [words, " ", codes] : [codes]
  }

/**
 * The segments of the postcode that was probably meant, from where until where they differ from the typed text, and what
 * was typed there.
 *
 * ```ts
 * correction("la11b03rd2b", "LA-11-B03-RD-28") // [["LA", "11", "B03", "RD", "28"], 4, 5, "2B"]
 * ```
 */
export const correction = (text: string, code: string) => {
  const segments = code.split("-")
  let typed = wordsOf(text).join("").toUpperCase()
  let [from, until] = [0, segments.length]
  // One segment at least differs, also if one too many characters was typed.
  for (; until - from > 1 && typed.startsWith(segments[from] as string); from++)
    typed = typed.slice((segments[from] as string).length)
  for (; until - from > 1 && typed.endsWith(segments[until - 1] as string); until--)
    typed = typed.slice(0, -(segments[until - 1] as string).length)
  return [segments, from, until, typed] as const
}

/**
 * The text in pieces, with `<b>` around the starts of words that the typed text matches, without regard to case, accents
 * and separators.
 *
 * ```ts
 * marked("Port Harcourt", "portha", make) // ["", <b>Port Ha</b>, "rcourt"]
 * ```
 */
const marked = (text: string, typed: string, make: RowTools["make"]): ReadonlyArray<Node | string> => {
  const words = wordsOf(typed)
  // A letter alone would be found everywhere. All words together are the longest, and of two words the longer one is meant.
  const sought = [words.join(""), ...words.filter((word) => word.length > 1).sort((a, b) => b.length - a.length)]
  if (!sought[0]) return [text]
  const patterns = sought.map((word) => [...word].join("[^\\p{L}\\d]*"))
  const starts = new RegExp(`(?<![\\p{L}\\d]\\p{M}*)((?:${patterns.join("|")})\\p{M}*)`, "giu")
  const pieces = text.normalize("NFD").split(starts)
  return pieces.map((piece, index) => (index % 2 ? make("b", { part: "match" }, piece.normalize()) : piece.normalize()))
}

/**
 * Places the open list at its field at every frame, as the page may scroll, move and zoom: below it, or above it where
 * there is more room. An on-screen keyboard makes the visual viewport smaller.
 */
export const followField = ({ drop, input }: Pick<View, "drop" | "input">): void => {
  let placed = ""
  // A page may be zoomed by CSS.
  const px = (length: number) => `${length / (drop.currentCSSZoom ?? 1)}px`
  const { document, visualViewport } = drop.ownerDocument.defaultView as Window
  const place = () => {
    if (!drop.classList.contains("open")) return
    const { bottom, left, top, width } = input.getBoundingClientRect()
    const { height, offsetLeft, offsetTop, width: visible } = visualViewport as VisualViewport
    const above = top - offsetTop
    const below = offsetTop + height - bottom
    const isAbove = below < enough_px && above > below
    const inline = Math.min(Math.max(width, enough_px), visible - 2 * edge_px)
    const start = Math.max(offsetLeft + edge_px, Math.min(left, offsetLeft + visible - edge_px - inline))
    const block = isAbove
      ? `auto auto ${px(document.documentElement.clientHeight - top + gap_px)}`
      : `${px(bottom + gap_px)} auto auto`
    const room = Math.max((isAbove ? above : below) - gap_px - edge_px, least_px)
    const style = `inset: ${block} ${px(start)}; inline-size: ${px(inline)}; max-block-size: ${px(room)}`
    if (style !== placed) {
      placed = style
      drop.classList.toggle("above", isAbove)
      drop.style.cssText = style
    }
    requestAnimationFrame(place)
  }
  place()
}

/** Less room than this below the field, and the list opens above, if there is more. */
const enough_px = 280
/** What remains visible in any case. */
const least_px = 100
const gap_px = 4
const edge_px = 8

/** Styles of the list, of the selection, and of the line that shows progress. */
const css = `
:host { --_success: var(--pc-success, light-dark(#106c34, #7fd49a)); --_shade: color-mix(in srgb, var(--_text) 8%, var(--_surface)); }
.open { box-sizing: border-box; position: fixed; z-index: 2147483647; display: flex; flex-direction: column; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); box-shadow: 0 8px 28px #0003; }
.above { flex-direction: column-reverse; }
.open [part=actions] { flex: none; margin: 0; padding: 0 1em; border-block-start: 1px solid var(--_shade); }
.above [part=actions] { border-block: 0 solid var(--_shade); border-block-end-width: 1px; }
ul { flex: 0 1 auto; min-block-size: 3em; max-block-size: 17.25em; overflow-y: auto; overscroll-behavior: contain; padding: .375em; list-style: none; outline: 0; }
[part=form] { margin-block-start: .5em; padding: .75em .875em; border: 1px solid var(--_line); border-radius: var(--_radius); }
[part=form] label { margin-block-start: .5em; }
[part=reason] { margin-block-end: .5em; }
[part=form] button, [part=choices] button { inline-size: 100%; text-align: center; }
[part=form] [part=continue], [part=confirm] { margin-block: .75em .25em; }
[part=form] [part=continue], [part=confirm], [part=use] { background: var(--_accent); color: var(--_on-accent); }
li { display: flex; flex-wrap: wrap; gap: 0 .75em; align-items: center; min-block-size: 44px; padding: .25em .625em; border-radius: 6px; cursor: pointer; }
li:hover, [aria-selected=true] { background: var(--_shade); }
[aria-selected=true] { outline: 2px solid var(--_accent); outline-offset: -2px; }
ul:not([data-heading=""])::before { content: attr(data-heading) / ""; display: block; padding: .375em .625em; font-weight: 600; }
[part=field]:has(ul:not([hidden])) ~ [part=status] { clip-path: inset(50%); }
b, u { font-weight: 700; }
u { color: var(--_text); text-decoration-thickness: 2px; }
[part=tick] { color: var(--_success); stroke-width: 3; }
.unknown [part=tick] { display: none; }
.done input { border-color: var(--_success); }
.done input, [part~=code] { font-family: var(--pc-code-font, ui-monospace, monospace); }
[part=place] { flex: 1; font-weight: 600; overflow-wrap: anywhere; }
li:has([part~=opens])::after { content: "›" / ""; color: var(--_accent-text); font-size: 1.25em; line-height: 1; }
[part~=code] { white-space: nowrap; }
[part=use] { margin-block: .25em; padding: .5em .875em; border-radius: var(--_radius); font-weight: 600; }
[part=name] { flex: 1 10em; overflow-wrap: anywhere; }
[part~=code], [part=within] { color: var(--_muted); font-size: .875em; }
.busy::after { content: ""; position: absolute; inset-inline: var(--_radius) 60%; inset-block-start: calc(var(--_size) - 3px); border-block-end: 3px solid var(--_accent); animation: go 1s .1s infinite alternate backwards; }
@keyframes go { from { visibility: hidden; } to { margin-inline: 60% -60%; } }
@media (prefers-reduced-motion) { .busy::after { animation: none; } }
`

export { css as rowStyles }
