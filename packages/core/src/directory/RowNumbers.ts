/** A number of 32 bits for each row, of rows whose number is not known in advance. */
import { release } from "./Arrays.ts"

/** Growing by blocks copies nothing, and leaves no outgrown arrays between those that stay. */
export class RowNumbers {
  /** All but the first have `blockRows` numbers; the first grows up to it. */
  private readonly blocks: Array<Uint32Array>

  constructor(capacity = 0) {
    this.blocks = [new Uint32Array(Math.min(Math.max(capacity, minRows), blockRows))]
  }

  at(row: number): number {
    return (this.blocks[row >>> blockShift] as Uint32Array)[row & (blockRows - 1)] as number
  }

  set(row: number, value: number): void {
    const number = row >>> blockShift
    let block = this.blocks[number]
    if (block === undefined || (row & (blockRows - 1)) >= block.length) block = this.grow(number)
    block[row & (blockRows - 1)] = value
  }

  /** Frees the memory. */
  release(): void {
    for (const block of this.blocks.splice(0)) release(block)
  }

  private grow(number: number): Uint32Array {
    const [first] = this.blocks
    const grown = new Uint32Array(number > 0 || first === undefined ? blockRows : 2 * first.length)
    if (number === 0 && first !== undefined) grown.set(first)
    this.blocks[number] = grown
    return grown
  }
}

const minRows = 1 << 10
const blockShift = 21
const blockRows = 1 << blockShift
