/**
 * Completes what someone has typed of a postcode, one segment at a time.
 *
 * The text is read as a code first: whole segments, then the start of the next one. Codes that continue it are
 * suggested in their order, and behind them what else that segment offers whose name starts with the same letters.
 *
 * If no code continues it, all of the text is read as the start of a state's name, or else what is left behind a state
 * as the start of the name of one of its local government areas: `lag` is Lagos, `LA ike` and `laike` are Ikeja. The
 * whole text goes first because most names of states start with the state's own code: `oyo` is meant as Oyo, not as the
 * areas of OY whose names start with O.
 */
import type { Directory } from "./Directory.ts"
import { foldName, type LevelNames } from "./internal/NameTable.ts"
import { indexOf, isActiveUnit, lowerBound, type SegmentTree, type TreeLevel } from "./internal/SegmentTree.ts"
import { characterValue, type Depth, segmentBases, segmentText, segmentWidths } from "./internal/SegmentValue.ts"
import { type SegmentName, segmentNames } from "./Postcode.ts"

export interface Suggestion {
  /** The code of the segment alone: `12`. */
  readonly code: string
  /** Its name if it has one, else the code. */
  readonly label: string
}

export interface Completion {
  /** The first segment that the text does not complete; `unit` if it completes all. */
  readonly segment: SegmentName
  readonly suggestions: ReadonlyArray<Suggestion>
}

/**
 * At most `limit` suggestions for a partial postcode in either case, with or without separators. Suggested is only what
 * leads to an active unit; a whole postcode leads to itself. No text is an error: one that nothing continues has an
 * empty list.
 *
 * ```ts
 * complete(directory, "la1", 20) // { segment: "lga", suggestions: [{ code: "10", label: "Ifako-Ijaiye" }, …] }
 * complete(directory, "la ike", 20) // { segment: "lga", suggestions: [{ code: "11", label: "Ikeja" }] }
 * ```
 */
export const complete = (directory: Directory, q: string, limit: number): Completion => {
  const text = q.trim()
  const { tree } = directory.contents
  const reading = readCode(tree, text)
  const { depth, end, first } = reading
  const suggestions: Array<Suggestion> = []
  for (let node = first; node < end && suggestions.length < limit; node++) {
    if (isLive(tree, depth, node)) suggestions.push(suggest(directory, depth, node))
  }
  if (suggestions.length > 0) {
    addNamed(directory, reading, text.slice(reading.start), limit, suggestions)
    return { segment: segmentNames[depth], suggestions }
  }
  return completeName(directory, text, limit) ?? { segment: segmentNames[depth], suggestions }
}

/** A text read as a code, as far as it goes. */
interface CodeReading {
  /** The segment that the text does not complete. */
  readonly depth: Depth
  /** Where in the text that segment starts. */
  readonly start: number
  /** The nodes that have the segments before it: from this one … */
  readonly firstSibling: number
  /** … up to, not including, this one. */
  readonly endSibling: number
  /** Those of them that continue what was typed of the segment. */
  readonly first: number
  readonly end: number
}

const readCode = (tree: SegmentTree, text: string): CodeReading => {
  let firstSibling = 0
  let endSibling = tree.levels[0].values.length
  let start = 0
  for (let depth: Depth = 0; ; depth = (depth + 1) as Depth) {
    const base = segmentBases[depth]
    const stop = Math.min(start + segmentWidths[depth], text.length)
    let value = 0
    for (let at = start; at < stop; at++) {
      const character = characterValue(depth, text.charCodeAt(at))
      if (character < 0) return { depth, start, firstSibling: 0, endSibling: 0, first: 0, end: 0 }
      value = value * base + character
    }
    const missing = start + segmentWidths[depth] - stop
    if (missing > 0 || depth === 4) {
      if (stop < text.length) endSibling = firstSibling
      const values = depth === 4 ? tree.units : tree.levels[depth].values
      const span = base ** missing
      const first = lowerBound(values, firstSibling, endSibling, value * span)
      const end = lowerBound(values, first, endSibling, (value + 1) * span)
      return { depth, start, firstSibling, endSibling, first, end }
    }
    const level: TreeLevel = tree.levels[depth]
    const node = indexOf(level.values, firstSibling, endSibling, value)
    firstSibling = node < 0 ? 0 : (level.starts[node] as number)
    endSibling = node < 0 ? 0 : (level.starts[node + 1] as number)
    start = skipSeparator(text, stop)
  }
}

/** Behind a finished segment: white space, one dash, white space, each of which may be missing. */
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

// The separators that the parser of postcodes takes, too.
const isSpace = (code: number): boolean => code === 0x20 || code === 0xa0 || code === 0x202f
const isDash = (code: number): boolean => code === 0x2d || (code >= 0x2010 && code <= 0x2014) || code === 0x2212

const isLive = (tree: SegmentTree, depth: Depth, node: number): boolean =>
  depth === 4 ? isActiveUnit(tree.activeBits, node) : tree.levels[depth].active[node] !== 0

const suggest = (directory: Directory, depth: Depth, node: number): Suggestion => {
  const { tree } = directory.contents
  const value = depth === 4 ? tree.units[node] : tree.levels[depth].values[node]
  const code = segmentText(depth, value as number)
  return { code, label: directory.names.levels[depth]?.names[node] ?? code }
}

/** Adds the siblings that are not there yet and whose names start with what was typed. */
const addNamed = (
  directory: Directory,
  reading: Pick<CodeReading, "depth" | "firstSibling" | "endSibling" | "first" | "end">,
  typed: string,
  limit: number,
  suggestions: Array<Suggestion>
): void => {
  const { depth, end, endSibling, first, firstSibling } = reading
  const names = directory.names.levels[depth]
  // A name's folded form is at most a few times shorter than any way to write it; a text much longer is none.
  if (names === undefined || typed === "" || typed.length > 4 * directory.names.longest) return
  const start = foldName(typed)
  if (start === "") return
  for (let node = firstSibling; node < endSibling && suggestions.length < limit; node++) {
    const isListed = node >= first && node < end
    if (!isListed && startsWith(names, node, start) && isLive(directory.contents.tree, depth, node)) {
      suggestions.push(suggest(directory, depth, node))
    }
  }
}

/** Whether a name starts with a folded text; one typed without spaces also matches a name that has some. */
const startsWith = (names: LevelNames, node: number, start: string): boolean =>
  names.folded[node]?.startsWith(start) === true || names.joined[node]?.startsWith(start) === true

const completeName = (directory: Directory, text: string, limit: number): Completion | undefined => {
  const suggestions: Array<Suggestion> = []
  const [states] = directory.contents.tree.levels
  const everyState = { depth: 0, firstSibling: 0, endSibling: states.values.length, first: 0, end: 0 } as const
  addNamed(directory, everyState, text, limit, suggestions)
  if (suggestions.length > 0) return { segment: "state", suggestions }
  const reading = readCode(directory.contents.tree, text.slice(0, 2))
  if (reading.depth !== 1) return undefined
  const behindState = { ...reading, first: 0, end: 0 }
  addNamed(directory, behindState, text.slice(skipSeparator(text, 2)), limit, suggestions)
  return suggestions.length > 0 ? { segment: "lga", suggestions } : undefined
}
