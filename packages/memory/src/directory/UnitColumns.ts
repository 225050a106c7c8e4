/**
 * The attributes of tens of millions of units, as columns of numbers instead of objects. Repeating texts (locality,
 * use, type, owner) are stored once and referenced by codes; addresses are concatenated UTF-8. About 65 bytes per unit
 * with an address of 40 letters, nearly all of it invisible to the garbage collector.
 *
 * Rows are in blocks, so that growing copies nothing.
 */
import {
  type AttributeName,
  attributeNames,
  type MutableAttributes,
  type UnitAttributes
} from "@postcode/core/UnitAttributes"
import { RepeatedTexts } from "../retention/RepeatedTexts.ts"
import { type AttributeColumn, attributeColumn, blockSize } from "./AttributeColumn.ts"

/**
 * Stores attributes of units by row.
 *
 * ```ts
 * const columns = new UnitColumns()
 * columns.add(builder.addUnit(postcode, coordinate, true), { building_type: "duplex" })
 * columns.at(0) // { building_type: "duplex" }
 * ```
 */
export class UnitColumns {
  private readonly texts = new RepeatedTexts()
  /** Blocks of columns, in the order of `attributeNames`. */
  private readonly blocks: Array<ReadonlyArray<AttributeColumn>> = []
  private rows = 0

  /** The last row number plus 1. */
  get size(): number {
    return this.rows
  }

  /** Memory of the columns in bytes, without the repeating texts. */
  get bytes(): number {
    return this.blocks.flat().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Adds the attributes of a row.
   *
   * @param row a number returned by `DirectoryBuilder.addUnit`, ascending; skipped rows have no attributes
   * @throws RangeError if the row is not above all previous ones
   */
  add(row: number, attributes: UnitAttributes): void {
    if (!(row >= this.rows && Number.isSafeInteger(row))) {
      throw new RangeError(`row ${row}: expected an integer from ${this.rows} up, as rows are added in ascending order`)
    }
    while (this.rows < row) this.append({})
    this.append(attributes)
  }

  /**
   * The attributes of a row; empty for skipped rows and rows after the last.
   *
   * @throws RangeError if the row is not a non-negative integer
   */
  at(row: number): UnitAttributes {
    if (!(row >= 0 && Number.isSafeInteger(row))) throw new RangeError(`row ${row}: expected an integer from 0 up`)
    const block = this.blocks[Math.trunc(row / blockSize)]
    if (block === undefined) return {}
    const i = row % blockSize
    const attributes: MutableAttributes = {}
    // A paid lookup reads a row: iterators would double its time.
    for (let column = 0; column < block.length; column++) {
      const value = (block[column] as AttributeColumn).at(i)
      if (value !== undefined) attributes[attributeNames[column] as AttributeName] = value
    }
    return attributes as UnitAttributes
  }

  /** Attributes by unit id, for `layerDirectory`, from the `rowOfUnit` of the directory's build. */
  attributesOf(rowOfUnit: Uint32Array): (id: number) => UnitAttributes {
    return (id) => this.at(rowOfUnit[id] as number)
  }

  private append(attributes: UnitAttributes): void {
    const i = this.rows % blockSize
    const block = i === 0 ? this.addBlock() : (this.blocks.at(-1) as ReadonlyArray<AttributeColumn>)
    for (const [column, name] of attributeNames.entries()) block[column]?.add(i, attributes[name])
    this.rows++
  }

  private addBlock(): ReadonlyArray<AttributeColumn> {
    for (const column of this.blocks.at(-1) ?? []) column.end()
    const block = attributeNames.map((name) => attributeColumn(name, this.texts))
    this.blocks.push(block)
    return block
  }
}
