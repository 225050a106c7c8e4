/**
 * The attributes of tens of millions of units, as columns of numbers instead of objects. Repeating texts (locality,
 * use, type, owner) are stored once and referenced by codes; addresses are concatenated UTF-8. About 65 bytes per unit
 * with an address of 40 letters, nearly all of it invisible to the garbage collector.
 *
 * Rows are in blocks, so that growing copies nothing.
 */
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { RepeatedTexts } from "../retention/RepeatedTexts.ts"

const blockSize = 1 << 14

interface Block {
  readonly localities: Uint32Array
  readonly uses: Uint32Array
  readonly types: Uint32Array
  readonly owners: Uint32Array
  readonly flags: Uint8Array
  /** Start of each row's address in `addresses`; it ends where the next row's starts. */
  readonly starts: Uint32Array
  addresses: Uint8Array
}

/** Bits of `flags`: whether a row has an address, and its delivery point, if known. */
const hasAddress = 1
const isDeliveryPoint = 2
const isNoDeliveryPoint = 4

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
  private readonly blocks: Array<Block> = []
  private rows = 0

  /** The last row number plus 1. */
  get size(): number {
    return this.rows
  }

  /** Memory of the columns in bytes, without the repeating texts. */
  get bytes(): number {
    return this.blocks.reduce((sum, { addresses }) => sum + addresses.length + blockSize * bytesPerRow, 0)
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
    const { texts } = this
    const attributes: { -readonly [name in keyof UnitAttributes]: UnitAttributes[name] } = {}
    const flags = block.flags[i] as number
    if (block.localities[i] !== 0) attributes.locality_name = texts.at(block.localities[i] as number)
    if (flags & hasAddress) attributes.recent_address = decode(block.addresses, block.starts[i], block.starts[i + 1])
    if (block.uses[i] !== 0) attributes.building_use_status = texts.at(block.uses[i] as number)
    if (block.types[i] !== 0) attributes.building_type = texts.at(block.types[i] as number)
    if (block.owners[i] !== 0) attributes.building_owner = texts.at(block.owners[i] as number)
    if (flags & (isDeliveryPoint | isNoDeliveryPoint)) attributes.delivery_point = (flags & isDeliveryPoint) !== 0
    return attributes
  }

  /** Attributes by unit id, for `layerDirectory`, from the `rowOfUnit` of the directory's build. */
  attributesOf(rowOfUnit: Uint32Array): (id: number) => UnitAttributes {
    return (id) => this.at(rowOfUnit[id] as number)
  }

  private append(attributes: UnitAttributes): void {
    const i = this.rows % blockSize
    const block = i === 0 ? this.addBlock() : (this.blocks.at(-1) as Block)
    const { building_owner, building_type, building_use_status, delivery_point, locality_name, recent_address } =
      attributes
    block.localities[i] = this.texts.code(locality_name)
    block.uses[i] = this.texts.code(building_use_status)
    block.types[i] = this.texts.code(building_type)
    block.owners[i] = this.texts.code(building_owner)
    block.flags[i] =
      (recent_address === undefined ? 0 : hasAddress) |
      (delivery_point === undefined ? 0 : delivery_point ? isDeliveryPoint : isNoDeliveryPoint)
    block.starts[i + 1] = appendText(block, block.starts[i] as number, recent_address ?? "")
    this.rows++
  }

  private addBlock(): Block {
    const full = this.blocks.at(-1)
    if (full !== undefined) full.addresses = full.addresses.slice(0, full.starts[blockSize])
    const block: Block = {
      localities: new Uint32Array(blockSize),
      uses: new Uint32Array(blockSize),
      types: new Uint32Array(blockSize),
      owners: new Uint32Array(blockSize),
      flags: new Uint8Array(blockSize),
      starts: new Uint32Array(blockSize + 1),
      addresses: new Uint8Array(blockSize)
    }
    this.blocks.push(block)
    return block
  }
}

const bytesPerRow = 5 * Uint32Array.BYTES_PER_ELEMENT + 1
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const bytesPerCharacter = 3

/** Writes a text at `start` and returns its end. */
const appendText = (block: Block, start: number, text: string): number => {
  const mostNeeded = start + bytesPerCharacter * text.length
  if (mostNeeded > block.addresses.length) {
    const larger = new Uint8Array(Math.max(mostNeeded, 2 * block.addresses.length))
    larger.set(block.addresses)
    block.addresses = larger
  }
  const { addresses } = block
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return start + encoder.encodeInto(text, addresses.subarray(start)).written
    addresses[start + i] = code
  }
  return start + text.length
}

const decode = (bytes: Uint8Array, start: number | undefined, end: number | undefined): string =>
  decoder.decode(bytes.subarray(start, end))

// Available in every runtime, but not in the language's library.
declare const TextEncoder: new () => {
  encodeInto(text: string, into: Uint8Array): { readonly written: number }
}
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly ignoreBOM: boolean }
) => { decode(bytes: Uint8Array): string }

const encoder = new TextEncoder()
// A byte order mark in an address is kept.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
