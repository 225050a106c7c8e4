/** Sets aside what stands around an address. */
import { type IgnoredKind, inlineLabels, placeLabels, type SurroundingForm, surroundingForms } from "./Surroundings.ts"

/** A part of a text that is no evidence for or against a house. */
export interface Ignored {
  readonly kind: IgnoredKind
  /** As it is written. */
  readonly text: string
}

export interface WithoutSurroundings {
  /** The text without them: a comma is in the place of each. */
  readonly text: string
  /** `Flat 3, Block B`; null if no part of a building is named. */
  readonly subpremise: string | null
  /** The number of a flat, which the directory may have as a unit; 0 if there is none. */
  readonly flat: number
  readonly ignored: ReadonlyArray<Ignored>
}

/** @param isPlace whether a text is the whole name of a place: `Malam Madori` is no person */
export const setAside = (text: string, isPlace: (text: string) => boolean = () => false): WithoutSurroundings => {
  let rest = withLabels(text)
  const taken: Array<{ readonly at: number; readonly kind: SurroundingForm["kind"]; readonly text: string }> = []
  for (const { kind, pattern, unless } of surroundingForms) {
    rest = rest.replace(pattern, (...found: ReadonlyArray<unknown>) => {
      const match = found[0] as string
      if (unless?.test(match) === true || (kind === "person" && isPlace(match))) return match
      const at = found.find((part) => typeof part === "number") as number
      taken.push({ kind, at, text: withoutBracket(match.replace(edges, "")) })
      return blank(match)
    })
  }
  if (taken.length === 0) return { text: rest, subpremise: null, flat: 0, ignored: [] }
  taken.sort((a, b) => a.at - b.at)
  const parts = taken.filter(({ kind }) => kind === "subpremise").map((part) => part.text)
  return {
    text: rest,
    subpremise: parts.length === 0 ? null : parts.join(", "),
    flat: flatIn(parts),
    ignored: taken.flatMap(({ kind, text }) => (kind === "subpremise" ? [] : [{ kind, text }]))
  }
}

/** Each label of a form starts a part of the text, and `State: Lagos` is `Lagos State`. */
const withLabels = (text: string): string =>
  /[:=]/.test(text)
    ? text.replace(inlineLabels, ",").replace(placeLabels, (found, before: string, label: string, name: string) => {
        const kind = /^s/i.test(label) ? "State" : "LGA"
        return new RegExp(`\\b${kind}$`, "i").test(name) ? found : `${before}${name} ${kind}`
      })
    : text

/** White space and separators around a match. */
const edges = /^[\s,;|–-]+|[\s,;|–-]+$/g

/** `ask for Musa)` ends what stands in a bracket. */
const withoutBracket = (text: string): string =>
  text.endsWith(")") && !text.includes("(") ? text.slice(0, -1).trimEnd() : text

/** As long as the match, so that positions stay; a comma keeps what it separates apart. */
const blank = (match: string): string => `,${" ".repeat(match.length - 1)}`

const flatIn = (parts: ReadonlyArray<string>): number => {
  for (const part of parts) {
    const number = flatPattern.exec(part)?.[1]
    if (number !== undefined) return Number(number)
  }
  return 0
}

/** The kinds that a directory numbers, as in `HouseNumber`. */
const flatPattern = /^(?:flat|suite|shop|unit|apartment|apt)s?\b\D{0,8}(\d{1,3})$/i
