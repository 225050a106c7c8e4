/** The words by which a text describes a place from another one: `behind`, `2 houses after`, `sharing fence with`. */
import { isNumeral } from "../../../directory/text/Words.ts"
import { isStreetWord } from "./StreetWords.ts"

/** Sets of words. */
export interface Relation {
  /** The words such as `behind`; 0 without one. */
  readonly relation: number
  /** The landmarks: what follows such words, up to the next comma or to a house number with a street. */
  readonly landmark: number
  /** All words after the first relation, but for the relations. */
  readonly after: number
  /** All words but relations and landmarks. */
  readonly rest: number
  readonly relationText: string | null
}

/**
 * The relations with words after them.
 *
 * @param words in the form of the index
 * @param segments by word: the number of the part between commas that it stands in
 * @param fillers words such as `plot` and `no`
 */
export const relationIn = (words: ReadonlyArray<string>, segments: ArrayLike<number>, fillers: number): Relation => {
  const all = 2 ** words.length - 1
  const text = ` ${words.join(" ")}`
  let relation = 0
  let landmark = 0
  let relationText: string | null = null
  for (const found of text.matchAll(pattern)) {
    const start = countSpaces(text.slice(0, found.index))
    const all = countSpaces(found[1] as string) + 1
    // `House 12 along Allen Avenue` is on that street.
    if (found[1] === "along" && (fillers & (1 << start)) !== 0) continue
    // `Isoken Close, by the market` has no "close by".
    const crossed = wordsInSegment(segments, start, all)
    const end = start + all
    relation |= bits(start + crossed, end)
    landmark |= bits(end, landmarkEnd(words, segments, end, fillers))
    relationText ??= words.slice(start + crossed, end).join(" ")
  }
  if (relationText === null) return { relation: 0, landmark: 0, after: 0, rest: all, relationText }
  landmark &= ~relation
  const after = all & ~(lowest(relation) - 1) & ~relation
  return { relation, landmark, after, rest: all & ~relation & ~landmark, relationText }
}

/** The number of the first words of a relation that stand in the part of the text before it. */
const wordsInSegment = (segments: ArrayLike<number>, start: number, count: number): number => {
  for (let at = count - 1; at > 0; at--) if (segments[start + at] !== segments[start + at - 1]) return at
  return 0
}

/** The words from `start` (inclusive) to `end` (exclusive). */
const bits = (start: number, end: number): number => (2 ** end - 1) & ~(2 ** start - 1)

const lowest = (mask: number): number => mask & -mask

/** A landmark that is only a number goes on after the comma. */
const landmarkEnd = (
  words: ReadonlyArray<string>,
  segments: ArrayLike<number>,
  start: number,
  fillers: number
): number => {
  let hasName = false
  for (let at = start; at < words.length; at++) {
    if (hasName && segments[at] !== segments[at - 1]) return at
    if (hasName && startsHouse(words, segments, at)) return at
    hasName ||= !isNumeral(words[at] as string) && (fillers & (1 << at)) === 0
  }
  return words.length
}

/** Whether a number and a street follow: `First Bank 12 Allen Avenue`. */
const startsHouse = (words: ReadonlyArray<string>, segments: ArrayLike<number>, at: number): boolean => {
  if (!/^\d/.test(words[at] as string)) return false
  for (let next = at + 2; next < words.length && segments[next] === segments[at]; next++) {
    if (isStreetWord(words[next] as string)) return true
  }
  return false
}

/** `100m`, `few meters away`, `2 houses`. */
const distance =
  "(?:\\d+k?m|(?:\\d+|few|some|several) (?:km?|m|met(?:er|re)s?|minutes?|houses?|buildings?|streets?|poles?|plots?|blocks?|shops?))(?: away| walk| drive)?"
/** Longer ones before their starts. */
const position =
  "(?:at the )?back of|in front of|opposite to|opposite|adjacent to|adjacent|close to|close by|next to|near to|nearby|near|behind|besides?|facing|around|along|across from|across|inside|within|down|by|off|after|before"
const pattern = new RegExp(
  ` ((?:(?:just|right|directly|immediately|${distance}) )?(?:${position})|(?:${distance}|away|not far|far) from|(?:nearest|closest) (?:bus stop|busstop|landmark|junction|market)|sharing (?:fence|wall|boundary|compound) with)(?= .)`,
  "g"
)

const countSpaces = (text: string): number => text.split(" ").length - 1
