/** The number of typing errors between two words. */

/** Two rows before the current one suffice: that of the last character, and for swapped ones that of the one before. */
let beforeLast = new Uint16Array(64)
let last = new Uint16Array(64)
let current = new Uint16Array(64)

/**
 * Number of wrong, missing, additional and swapped characters between two words (optimal string alignment); more than
 * `most` if it is larger than that.
 */
export const errorsBetween = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let start = 0
  let endA = a.length
  let endB = b.length
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const lengthA = endA - start
  const lengthB = endB - start
  if (lengthA === 0 || lengthB === 0) return lengthA + lengthB
  if (lengthA === 1 && lengthB === 1) return 1
  if (most > 1) return distance(a, b, start, lengthA, lengthB, most)
  const isSwapped =
    lengthA === 2 &&
    lengthB === 2 &&
    a.charCodeAt(start) === b.charCodeAt(start + 1) &&
    a.charCodeAt(start + 1) === b.charCodeAt(start)
  return isSwapped ? 1 : most + 1
}

/** The distance of the parts from `start`. Only pairs at most `most` characters apart in position can be near. */
const distance = (a: string, b: string, start: number, lengthA: number, lengthB: number, most: number): number => {
  if (lengthB >= current.length) grow(2 * lengthB)
  for (let j = 0; j <= lengthB; j++) last[j] = j
  for (let i = 1; i <= lengthA; i++) {
    const from = Math.max(1, i - most)
    const to = Math.min(lengthB, i + most)
    const letterA = a.charCodeAt(start + i - 1)
    current[from - 1] = from === 1 ? i : most + 1
    let least = most + 1
    for (let j = from; j <= to; j++) {
      const letterB = b.charCodeAt(start + j - 1)
      let errors = (last[j - 1] as number) + (letterA === letterB ? 0 : 1)
      errors = Math.min(errors, (current[j - 1] as number) + 1)
      if (j < i + most) errors = Math.min(errors, (last[j] as number) + 1)
      const isSwapped =
        i > 1 && j > 1 && letterA === b.charCodeAt(start + j - 2) && letterB === a.charCodeAt(start + i - 2)
      if (isSwapped) errors = Math.min(errors, (beforeLast[j - 2] as number) + 1)
      current[j] = errors
      if (errors < least) least = errors
    }
    if (least > most) return most + 1
    const free = beforeLast
    beforeLast = last
    last = current
    current = free
  }
  return last[lengthB] as number
}

const grow = (length: number): void => {
  beforeLast = new Uint16Array(length)
  last = new Uint16Array(length)
  current = new Uint16Array(length)
}
