/**
 * Completes a partial postcode, one segment at a time, and names of states and local government areas.
 *
 * The text is read as a code first: whole segments, then the start of the next one. Suggestions are the codes that
 * continue it, in code order, then siblings whose name starts with the same letters. If no code continues the text, the
 * states or LGAs that it names are suggested, see `completeNames`.
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
import type { NamedPlace, Suggestion } from "../directory/places/NamedPlace.ts"
import { type NameTable, type PlacesByValue, placesOf } from "../directory/places/NameTable.ts"
import { foldName } from "../directory/text/foldText.ts"
import { type UnitsBelow, unitsOfArea, unitsOfDistrict } from "../directory/unitsBelow.ts"
import { foldCharacters, type SegmentName, segmentNames } from "../postcode/Postcode.ts"
import {
  characterValue,
  type Depth,
  segmentBases,
  segmentText,
  segmentValues,
  segmentWidths
} from "../postcode/SegmentValue.ts"
import { type NamedIn, namedIn } from "./completeNames.ts"

export type { Suggestion } from "../directory/places/NamedPlace.ts"

/** The completions of a text. All suggestions are of one segment. */
export interface Completion {
  /** The segment suggested: the first that a code does not complete, `state` or `lga` for a name, `unit` for a postcode. */
  readonly segment: SegmentName
  readonly suggestions: ReadonlyArray<Suggestion>
}

/**
 * At most `limit` suggestions for a partial postcode in either case, with or without separators, or for a text with the
 * name of a state or LGA. Each suggestion leads to an active unit; a whole postcode leads to itself. No text is an error:
 * without a match the list is empty.
 *
 * ```ts
 * complete(directory, "la1", 20) // { segment: "lga", suggestions: [{ code: "10", label: "Ifako-Ijaiye", … }, …] }
 * complete(directory, "12 Allen Avenue, Ikeja", 20)
 * // { segment: "lga", suggestions: [{ code: "11", label: "Ikeja", prefix: "LA-11", within: "Lagos" }] }
 * ```
 */
export const complete = (directory: Directory, q: string, limit: number): Completion => {
  const text = foldCharacters(q).trim()
  const { names } = directory
  const reading = readCode(directory, text)
  const { depth, high, low, state } = reading
  const segment = segmentNames[depth]
  const places = placesOf(names, depth, state)
  const count = readChildren(low, high, limit)
  if (count === 0) return completeName(directory, text, reading, limit) ?? { segment, suggestions: [] }
  const suggestions: Array<Suggestion> = new Array(count)
  const within = withinOf(names, reading)
  for (let rank = 0; rank < count; rank++) {
    const value = childValue(rank)
    suggestions[rank] = places[value]?.suggestion ?? unnamed(directory, reading, within, value)
  }
  if (places.length > 0) addNamed(names, places, text.slice(reading.start), reading, limit, suggestions)
  return { segment, suggestions }
}

/** What the completed segments lie in: `Ikeja, Lagos`; undefined if nothing of it has a name. */
const withinOf = (names: NameTable, { depth, lga, state }: CodeReading): string | undefined => {
  if (depth === 0) return undefined
  const stateName = names.states[state]?.place.name
  const lgaName = depth === 1 ? undefined : names.lgas[state]?.[lga]?.place.name
  return lgaName === undefined ? stateName : stateName === undefined ? lgaName : `${lgaName}, ${stateName}`
}

/** A segment without a name. */
const unnamed = (
  directory: Directory,
  { branch, depth, parent }: CodeReading,
  within: string | undefined,
  value: number
): Suggestion => {
  const code = segmentText(depth, value)
  const suggestion: { -readonly [Key in keyof Suggestion]: Suggestion[Key] } = {
    code,
    label: code,
    prefix: parent + code
  }
  if (within !== undefined) suggestion.within = within
  const below = unitsBelow(directory, depth, branch, value)
  if (below !== undefined) suggestion.units = below.units
  if (below?.centre !== undefined) suggestion.centre = below.centre
  return suggestion
}

/** Of districts and areas. */
const unitsBelow = (directory: Directory, depth: Depth, branch: number, value: number): UnitsBelow | undefined => {
  if (depth === 2) return unitsOfDistrict(directory, branch * segmentValues.district + value)
  if (depth === 3) return unitsOfArea(directory, branch * segmentValues.area + value)
  return undefined
}

/** A text parsed as a code, as far as possible. */
interface CodeReading {
  /** The first incomplete segment. The entered branch contains the segments before it. */
  readonly depth: Depth
  /** Start of that segment in the text. */
  readonly start: number
  /** The canonical code of the segments before it, with a dash at the end if there are any. */
  readonly parent: string
  /** The same as one number, see `PackedCode`. */
  readonly branch: number
  /** The value of the state, or −1 if the state is incomplete. */
  readonly state: number
  /** The value of the LGA, or −1 if it is incomplete. */
  readonly lga: number
  /** The typed part of that segment matches the values from `low` (inclusive) to `high` (exclusive). */
  readonly low: number
  readonly high: number
}

/** Parses a text and enters its branch. */
const readCode = (directory: Directory, text: string): CodeReading => {
  enterRoot(directory.codes)
  let parent = ""
  let branch = 0
  let state = -1
  let lga = -1
  let start = 0
  for (let depth: Depth = 0; ; depth = (depth + 1) as Depth) {
    const base = segmentBases[depth]
    const stop = Math.min(start + segmentWidths[depth], text.length)
    let value = 0
    for (let at = start; at < stop; at++) {
      const character = characterValue(depth, text.charCodeAt(at))
      if (character < 0) {
        enterNothing()
        return { depth, start, parent, branch, state, lga, low: 0, high: 0 }
      }
      value = value * base + character
    }
    const missing = start + segmentWidths[depth] - stop
    if (missing > 0 || depth === 4) {
      if (stop < text.length) enterNothing()
      const span = base ** missing
      return { depth, start, parent, branch, state, lga, low: value * span, high: (value + 1) * span }
    }
    if (depth === 0) state = value
    else if (depth === 1) lga = value
    parent += `${segmentText(depth, value)}-`
    branch = branch * segmentValues[segmentNames[depth]] + value
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
    if (!isListed && startsWith(named, start)) suggestions.push(named.suggestion)
  }
}

/** Whether a name starts with a folded text. A text without spaces also matches a name with spaces. */
const startsWith = ({ folded, joined }: NamedPlace, start: string): boolean =>
  folded.startsWith(start) || joined.startsWith(start)

/** The states or LGAs that a text names; undefined if it names none with an active unit. */
const completeName = (
  directory: Directory,
  text: string,
  reading: CodeReading,
  limit: number
): Completion | undefined => {
  if (isCode(directory, text, reading)) return undefined
  const named = namedIn(directory, text)
  if (named.length > 0 && (named[0] as NamedIn).cost <= prefixedCost) return activeOf(directory, named, limit)
  return completeAfterState(directory, text, limit) ?? activeOf(directory, named, limit)
}

/** A text of which the state and a digit of the LGA are typed is a code, whatever follows. */
const isCode = ({ names }: Directory, text: string, { state }: CodeReading): boolean =>
  names.states[state] !== undefined && /\d/.test(text.charAt(skipSeparator(text, 2)))

const activeOf = (directory: Directory, named: ReadonlyArray<NamedIn>, limit: number): Completion | undefined => {
  const active = named.filter(({ place }) => isActive(directory, place)).slice(0, limit)
  const first = active[0]
  if (first === undefined) return undefined
  return { segment: first.place.lga < 0 ? "state" : "lga", suggestions: active.map(({ place }) => place.suggestion) }
}

const isActive = (directory: Directory, { lga, state }: NamedPlace): boolean => {
  enterRoot(directory.codes)
  if (lga >= 0) enterChild(state)
  const value = lga < 0 ? state : lga
  return readChildren(value, value + 1, 1) > 0
}

/** A state's code and the start of a name in one word, `laike`, unless a name fits better than this. */
const completeAfterState = (directory: Directory, text: string, limit: number): Completion | undefined => {
  const { depth, state } = readCode(directory, text.slice(0, 2))
  if (depth !== 1) return undefined
  const suggestions: Array<Suggestion> = []
  const { names } = directory
  addNamed(names, placesOf(names, 1, state), text.slice(skipSeparator(text, 2)), nothingListed, limit, suggestions)
  return suggestions.length > 0 ? { segment: "lga", suggestions } : undefined
}

/** As in `PlaceMatch`: more than a typing error in a name. */
const prefixedCost = 20
const nothingListed = { low: 0, high: 0 }
