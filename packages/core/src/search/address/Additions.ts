/**
 * Words beside a house that matches in number, street and place, or beside a name that matches in all words: what people
 * add. They are no evidence against the house, as long as they stand apart from it.
 */
import { countBits } from "../../directory/codes/Bits.ts"
import { wordsOf } from "../../directory/text/Words.ts"
import type { Query } from "./query/QueryText.ts"
import { isStreetWord } from "./query/StreetWords.ts"

/** Words beside a house that stands. */
const addition = 7
const furtherAddition = 0.5

/** Words that make another street of a street, or another place. */
export const streetParts: ReadonlySet<string> = new Set(
  "extension ext link annex phase estate layout quarters area scheme zone ward village town gra camp north south east west upper lower old new".split(
    " "
  )
)
const buildingWords: ReadonlySet<string> = new Set(
  "school college academy university institute polytechnic hospital clinic centre post maternity dispensary church mosque hotel bank market plaza station court hall office pharmacy".split(
    " "
  )
)

/** What people add has no limit, so that each further word costs little. */
export const additionsCost = (words: number): number =>
  words === 0 ? 0 : addition + furtherAddition * countBits(words)

/** The position of the first word of a set. */
export const lowest = (mask: number): number => 31 - Math.clz32(mask & -mask)

/** The position of the last word of a set. */
export const highest = (mask: number): number => 31 - Math.clz32(mask)

/**
 * The words of a house without those that only repeat its street elsewhere in the text: `12 Allen Avenue, Ikeja, after Allen
 * roundabout`.
 */
export const coreOf = ({ segments, words }: Query, some: number): number => {
  let main = -1
  let most = 0
  for (let rest = some; rest !== 0; rest &= rest - 1) {
    const segment = segments[lowest(rest)] as number
    let count = 0
    for (let other = some; other !== 0; other &= other - 1) if (segments[lowest(other)] === segment) count++
    if (count > most) {
      most = count
      main = segment
    }
  }
  let core = some
  for (let rest = some; rest !== 0; rest &= rest - 1) {
    const at = lowest(rest)
    if (segments[at] === main) continue
    for (let other = some; other !== 0; other &= other - 1) {
      const same = lowest(other)
      if (segments[same] === main && words[same] === words[at]) core &= ~(1 << at)
    }
  }
  return core
}

/** Whether the part of the text with a word has a word of the house, too. */
export const hasCore = ({ segments }: Query, core: number, at: number): boolean => {
  for (let rest = core; rest !== 0; rest &= rest - 1) if (segments[lowest(rest)] === segments[at]) return true
  return false
}

/** Whether a name is that of a street: `Okigwe Road` is, `Okigwe Road Primary School` is not. */
export const isStreetText = (name: string): boolean => {
  const words = wordsOf(name)
  return words.some(isStreetWord) && !words.some((word) => buildingWords.has(word))
}

/**
 * Whether the last of some words is one for a street, and none is a word for a kind of building: `School Road` is a
 * street, `Okigwe Road Primary School` and `Primary School, Okigwe Road` are none.
 */
export const isStreetName = ({ streets, words }: Query, some: number): boolean => {
  if (some === 0 || (streets & (1 << highest(some))) === 0) return false
  for (let rest = some; rest !== 0; rest &= rest - 1) if (buildingWords.has(words[lowest(rest)] as string)) return false
  return true
}

/** Whether some words only say what kind of place something is. */
export const areKinds = ({ words }: Query, some: number): boolean => {
  for (let rest = some; rest !== 0; rest &= rest - 1) {
    const word = words[lowest(rest)] as string
    if (!buildingWords.has(word) && !isStreetWord(word)) return false
  }
  return true
}
