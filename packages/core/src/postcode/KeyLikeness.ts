/** How likely it is that one character is typed for another: they look alike, or their keys are neighbours. */
import { lookAlikes } from "./LookAlikes.ts"

export type Likeness = typeof anyOther | typeof besideKey | typeof lookAlike

export const anyOther = 0
export const besideKey = 1
export const lookAlike = 2

/** Any character that is neither a letter nor a digit. */
export const foreign = 0

/** @param written, meant ASCII codes of capital letters or digits; `written` may be `foreign` */
export const likeness = (written: number, meant: number): Likeness =>
  written === foreign ? anyOther : (likenesses[cell(written, meant)] as Likeness)

/** A keyboard: each row stands half a key to the right of the one above it. */
const keyRows = ["1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]

const firstCode = 0x30
const codes = 0x5b - firstCode

/** Index of a pair of characters in the table of likenesses. */
const cell = (written: number, meant: number): number => (written - firstCode) * codes + meant - firstCode

const tableOfLikenesses = (): Uint8Array => {
  const table = new Uint8Array(codes * codes)
  const relate = (a: string, b: string | undefined, kind: Likeness): void => {
    if (b === undefined) return
    table[cell(a.charCodeAt(0), b.charCodeAt(0))] = kind
    table[cell(b.charCodeAt(0), a.charCodeAt(0))] = kind
  }
  for (const [number, row] of keyRows.entries()) {
    const above = keyRows[number - 1]
    for (const [place, key] of [...row].entries()) {
      for (const beside of [row[place + 1], above?.[place], above?.[place + 1]]) relate(key, beside, besideKey)
    }
  }
  // Last, because a look-alike outranks a neighbouring key: O is next to 9 and 0.
  for (const group of lookAlikes) for (const a of group) for (const b of group) relate(a, b, lookAlike)
  return table
}

const likenesses = tableOfLikenesses()
