/**
 * The rows that repeat a postcode, in order, 16 bytes each: a file that was accidentally appended to itself has as many
 * as units.
 */

import type { Postcode } from "../postcode/Postcode.ts"
import { unpack } from "./codes/PackedCode.ts"

/** A repeated postcode, its first row and the repeating row. */
export interface Duplicate {
  readonly postcode: Postcode
  readonly rows: readonly [number, number]
}

export class Duplicates implements Iterable<Duplicate> {
  readonly length: number
  private readonly codes: Float64Array
  private readonly firsts: Uint32Array
  private readonly seconds: Uint32Array

  /** @param firstOf for a row that repeats an earlier one, that row's number plus 1; else 0 */
  constructor(codes: Float64Array, firstOf: Uint32Array) {
    const count = firstOf.reduce((sum, first) => sum + (first > 0 ? 1 : 0), 0)
    this.length = count
    this.codes = new Float64Array(count)
    this.firsts = new Uint32Array(count)
    this.seconds = new Uint32Array(count)
    let at = 0
    for (let row = 0; row < firstOf.length; row++) {
      if (firstOf[row] === 0) continue
      this.codes[at] = codes[row] as number
      this.firsts[at] = (firstOf[row] as number) - 1
      this.seconds[at++] = row
    }
  }

  *[Symbol.iterator](): Generator<Duplicate, void, void> {
    for (let at = 0; at < this.length; at++) {
      yield {
        postcode: unpack(this.codes[at] as number),
        rows: [this.firsts[at] as number, this.seconds[at] as number]
      }
    }
  }
}
