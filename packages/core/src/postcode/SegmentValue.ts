/**
 * The value of a single segment, as a number and as text. State and area have two letters, LGA and unit two digits, a
 * district three letters or digits.
 */

/** 0 state, 1 lga, 2 district, 3 area, 4 unit. */
export type Depth = 0 | 1 | 2 | 3 | 4

/** Number of values of each segment. Within a segment digits come before letters, as in ASCII. */
export const segmentValues = { state: 26 * 26, lga: 100, district: 36 * 36 * 36, area: 26 * 26, unit: 100 } as const

export const segmentWidths = [2, 2, 3, 2, 2] as const

/** How many values a character of the segment can have: letters, digits or either. */
export const segmentBases = [26, 10, 36, 26, 10] as const

/** The value of one character in either case, or −1 if it is invalid in the segment. */
export const characterValue = (depth: Depth, code: number): number => {
  const letter = (code & ~0x20) - 65
  const isLetter = letter >= 0 && letter < 26
  switch (segmentBases[depth]) {
    case 26:
      return isLetter ? letter : -1
    case 10:
      return code >= 48 && code <= 57 ? code - 48 : -1
    case 36:
      return isLetter ? letter + 10 : code >= 48 && code <= 57 ? code - 48 : -1
  }
}

/** The value of a segment in capitals, or −1 if it is malformed. */
export const segmentValue = (depth: Depth, text: string): number => {
  if (text.length !== segmentWidths[depth] || text !== text.toUpperCase()) return -1
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const character = characterValue(depth, text.charCodeAt(at))
    if (character < 0) return -1
    value = value * segmentBases[depth] + character
  }
  return value
}

/** The text of a segment. Cached: a country has few distinct segments. */
export const segmentText = (depth: Depth, value: number): string => {
  const texts = textsOf[depth]
  const text = texts[value] ?? spell(depth, value)
  texts[value] = text
  return text
}

const letterPairs: Array<string | undefined> = new Array(segmentValues.state).fill(undefined)
const digitPairs: Array<string | undefined> = new Array(segmentValues.lga).fill(undefined)
const districts: Array<string | undefined> = new Array(segmentValues.district).fill(undefined)
const textsOf = [letterPairs, digitPairs, districts, letterPairs, digitPairs] as const

const spell = (depth: Depth, value: number): string => {
  const base = segmentBases[depth]
  const first = base === 26 ? 10 : 0
  let text = ""
  for (let at = 0, rest = value; at < segmentWidths[depth]; at++, rest = Math.trunc(rest / base)) {
    text = (first + (rest % base)).toString(36) + text
  }
  return text.toUpperCase()
}
