/** The words by which a text describes a place from another one: `behind`, `2 houses after`, `sharing fence with`. */

/** Sets of words: the relation, what stands before it and what stands after it; 0 without a relation. */
export interface Relation {
  readonly relation: number
  readonly before: number
  readonly after: number
  readonly relationText: string | null
}

/** The first relation with words after it. The words are in the form of the index. */
export const relationIn = (words: ReadonlyArray<string>): Relation => {
  const text = ` ${words.join(" ")}`
  const found = pattern.exec(text)
  if (found === null) return noRelation
  const relationText = found[1] as string
  const start = countSpaces(text.slice(0, found.index))
  const end = start + countSpaces(relationText) + 1
  const before = 2 ** start - 1
  return { before, relation: 2 ** end - 1 - before, after: 2 ** words.length - 2 ** end, relationText }
}

const noRelation: Relation = { relation: 0, before: 0, after: 0, relationText: null }

/** `100m`, `few meters away`, `2 houses`. */
const distance =
  "(?:\\d+k?m|(?:\\d+|few|some|several) (?:km?|m|met(?:er|re)s?|minutes?|houses?|buildings?|streets?|poles?|plots?|blocks?|shops?))(?: away| walk| drive)?"
/** Longer ones before their starts. */
const position =
  "(?:at the )?back of|in front of|opposite to|opposite|adjacent to|adjacent|close to|close by|next to|near to|nearby|near|behind|besides?|facing|around|along|across from|across|by|off|after|before"
const pattern = new RegExp(
  ` ((?:(?:just|right|directly|immediately|${distance}) )?(?:${position})|(?:${distance}|away|not far|far) from|sharing (?:fence|wall|boundary|compound) with) .`
)

const countSpaces = (text: string): number => text.split(" ").length - 1
