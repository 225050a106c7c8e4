/**
 * Completes a partial postcode, one segment at a time.
 *
 * The text is read as a code first: whole segments, then the start of the next one. Suggestions are the codes that
 * continue it, in code order, then siblings whose name starts with the same letters.
 *
 * If no code continues the text, it is matched with the names of states, then the text after a state code with the
 * names of its local government areas: `lag` is Lagos, `LA ike` and `laike` are Ikeja. Names of states come first
 * because most start with the state's code: `oyo` means Oyo, not the areas of OY that start with O.
 */

import {
  aboveAllValues,
  childValue,
  enterChild,
  enterNothing,
  enterRoot,
  readChildren
} from "../directory/codes/Branch.ts"
import type { Directory } from "../directory/Directory.ts"
import {
  foldName,
  type LabelledCode,
  type NamedPlace,
  type NameTable,
  type PlacesByValue,
  placesOf,
  unlabelled
} from "../directory/NameTable.ts"
import { type SegmentName, segmentNames } from "../postcode/Postcode.ts"
import { characterValue, type Depth, segmentBases, segmentWidths } from "../postcode/SegmentValue.ts"

/** The code of a segment, `12`, and its label: its name if it has one, else the code. Frozen. */
export type Suggestion = LabelledCode

/** The completions of a partial postcode. */
export interface Completion {
  /** The first segment that the text does not complete; `unit` if it completes all. */
  readonly segment: SegmentName
  readonly suggestions: ReadonlyArray<Suggestion>
}

/**
 * At most `limit` suggestions for a partial postcode in either case, with or without separators. Each suggestion leads
 * to an active unit; a whole postcode leads to itself. No text is an error: without a match the list is empty.
 *
 * ```ts
 * complete(directory, "la1", 20) // { segment: "lga", suggestions: [{ code: "10", label: "Ifako-Ijaiye" }, …] }
 * complete(directory, "la ike", 20) // { segment: "lga", suggestions: [{ code: "11", label: "Ikeja" }] }
 * ```
 */
export const complete = (directory: Directory, q: string, limit: number): Completion => {
  const text = q.trim()
  const { names } = directory
  const reading = readCode(directory, text)
  const { depth, high, low, state } = reading
  const places = placesOf(names, depth, state)
  const count = readChildren(low, high, limit)
  if (count === 0) return completeName(directory, text, limit) ?? { segment: segmentNames[depth], suggestions: [] }
  const suggestions: Array<Suggestion> = new Array(count)
  for (let rank = 0; rank < count; rank++) {
    const value = childValue(rank)
    suggestions[rank] = places[value]?.labelled ?? unlabelled(depth, value)
  }
  if (places.length > 0) addNamed(names, places, text.slice(reading.start), reading, limit, suggestions)
  return { segment: segmentNames[depth], suggestions }
}

/** A text parsed as a code, as far as possible. */
interface CodeReading {
  /** The first incomplete segment. The entered branch contains the segments before it. */
  readonly depth: Depth
  /** Start of that segment in the text. */
  readonly start: number
  /** The value of the state, or −1 if the state is incomplete. */
  readonly state: number
  /** The typed part of that segment matches the values from `low` (inclusive) to `high` (exclusive). */
  readonly low: number
  readonly high: number
}

/** Parses a text and enters its branch. */
const readCode = (directory: Directory, text: string): CodeReading => {
  enterRoot(directory.codes)
  let state = -1
  let start = 0
  for (let depth: Depth = 0; ; depth = (depth + 1) as Depth) {
    const base = segmentBases[depth]
    const stop = Math.min(start + segmentWidths[depth], text.length)
    let value = 0
    for (let at = start; at < stop; at++) {
      const character = characterValue(depth, text.charCodeAt(at))
      if (character < 0) {
        enterNothing()
        return { depth, start, state, low: 0, high: 0 }
      }
      value = value * base + character
    }
    const missing = start + segmentWidths[depth] - stop
    if (missing > 0 || depth === 4) {
      if (stop < text.length) enterNothing()
      const span = base ** missing
      return { depth, start, state, low: value * span, high: (value + 1) * span }
    }
    if (depth === 0) state = value
    enterChild(value)
    start = skipSeparator(text, stop)
  }
}

/** Skips the separator after a segment: optional white space, an optional dash, optional white space. */
const skipSeparator = (text: string, from: number): number => {
  let at = skipSpace(text, from)
  if (isDash(text.charCodeAt(at))) at = skipSpace(text, at + 1)
  return at
}

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

// The same separators as in the parser of postcodes.
const isSpace = (code: number): boolean => code === 0x20 || code === 0xa0 || code === 0x202f
const isDash = (code: number): boolean => code === 0x2d || (code >= 0x2010 && code <= 0x2014) || code === 0x2212

/** Adds siblings that are not yet listed and whose names start with the typed text. */
const addNamed = (
  names: NameTable,
  places: PlacesByValue,
  typed: string,
  listed: Pick<CodeReading, "low" | "high">,
  limit: number,
  suggestions: Array<Suggestion>
): void => {
  // Folding shortens a name by at most a factor of 4, so a longer text cannot match.
  if (typed === "" || typed.length > 4 * names.longest || suggestions.length >= limit) return
  const start = foldName(typed)
  if (start === "") return
  const firstLetter = start.charCodeAt(0)
  const count = readChildren(0, aboveAllValues, aboveAllValues)
  for (let rank = 0; rank < count && suggestions.length < limit; rank++) {
    const value = childValue(rank)
    const named = places[value]
    if (named === undefined || named.folded.charCodeAt(0) !== firstLetter) continue
    const isListed = value >= listed.low && value < listed.high
    if (!isListed && startsWith(named, start)) suggestions.push(named.labelled)
  }
}

/** Whether a name starts with a folded text. A text without spaces also matches a name with spaces. */
const startsWith = ({ folded, joined }: NamedPlace, start: string): boolean =>
  folded.startsWith(start) || joined.startsWith(start)

const completeName = (directory: Directory, text: string, limit: number): Completion | undefined => {
  const { names } = directory
  const suggestions: Array<Suggestion> = []
  enterRoot(directory.codes)
  addNamed(names, names.states, text, nothingListed, limit, suggestions)
  if (suggestions.length > 0) return { segment: "state", suggestions }
  const { depth, state } = readCode(directory, text.slice(0, 2))
  if (depth !== 1) return undefined
  const afterState = text.slice(skipSeparator(text, 2))
  addNamed(names, placesOf(names, 1, state), afterState, nothingListed, limit, suggestions)
  return suggestions.length > 0 ? { segment: "lga", suggestions } : undefined
}

const nothingListed = { low: 0, high: 0 }
