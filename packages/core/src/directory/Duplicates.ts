/**
 * The rows that repeat a postcode, in their order, 16 bytes each: where a file was joined to itself by mistake, there are
 * as many as units.
 */

import type { Postcode } from "../postcode/Postcode.ts"
import { unpack } from "./codes/PackedCode.ts"

/** A postcode that came again: the row that had it first, and the one that repeated it. */
export interface Duplicate {
  readonly postcode: Postcode
  readonly rows: readonly [number, number]
}

export class Duplicates implements Iterable<Duplicate> {
  readonly length: number
  private readonly codes: Float64Array
  private readonly firsts: Uint32Array
  private readonly seconds: Uint32Array

  /** @param firstOf for each row that repeats one before it, the number of that one and 1; for all others 0 */
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
