/**
 * The localities and addresses of rows while a directory is built: eight bytes a row, and each combination of LGA,
 * locality and address once, without its house number.
 */
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { RowNumbers } from "../RowNumbers.ts"
import { maxAddressUnits } from "../snapshot/SnapshotLimits.ts"
import { readHouseNumber } from "./HouseNumber.ts"
import { TextTable } from "./TextTable.ts"

const unitsPerLga = segmentValues.district * segmentValues.area * segmentValues.unit

export class AddressRows {
  readonly texts = new TextTable()
  readonly phrases = new PhraseTable()
  /** By row. */
  readonly rowPhrases: RowNumbers
  readonly rowNumbers: RowNumbers
  private rows = 0

  constructor(capacity: number) {
    this.rowPhrases = new RowNumbers(capacity)
    this.rowNumbers = new RowNumbers(capacity)
  }

  add(packedCode: number, locality: string, address: string): void {
    const { number, rest } = readHouseNumber(address.slice(0, maxAddressUnits))
    const localityText = this.texts.add(locality.slice(0, maxAddressUnits))
    const phrase = this.phrases.add(Math.floor(packedCode / unitsPerLga), localityText, this.texts.add(rest))
    this.rowPhrases.set(this.rows, phrase)
    this.rowNumbers.set(this.rows++, number)
  }

  /** Frees the memory of the rows. */
  release(): void {
    this.rowPhrases.release()
    this.rowNumbers.release()
  }
}

/** Distinct combinations of LGA, locality and address, by number. */
class PhraseTable {
  size = 0
  /** Three numbers a phrase. */
  private columns: Uint32Array = new Uint32Array(3 << 8)
  /** Open addressing: number of the phrase plus 1, or 0. At most half full. */
  private slots: Uint32Array = new Uint32Array(1 << 9)

  add(lga: number, locality: number, address: number): number {
    const { columns, slots } = this
    const last = slots.length - 1
    let slot = hashOf(lga, locality, address) & last
    for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
      const at = 3 * (found - 1)
      if (columns[at + 2] === address && columns[at + 1] === locality && columns[at] === lga) return found - 1
      slot = (slot + 1) & last
    }
    slots[slot] = this.size + 1
    columns.set([lga, locality, address], 3 * this.size)
    this.size++
    if (2 * this.size >= slots.length) this.grow()
    return this.size - 1
  }

  lgaOf(phrase: number): number {
    return this.columns[3 * phrase] as number
  }

  localityOf(phrase: number): number {
    return this.columns[3 * phrase + 1] as number
  }

  addressOf(phrase: number): number {
    return this.columns[3 * phrase + 2] as number
  }

  private grow(): void {
    const columns = new Uint32Array(2 * this.columns.length)
    columns.set(this.columns)
    this.columns = columns
    this.slots = new Uint32Array(2 * this.slots.length)
    const last = this.slots.length - 1
    for (let phrase = 0; phrase < this.size; phrase++) {
      let slot = hashOf(this.lgaOf(phrase), this.localityOf(phrase), this.addressOf(phrase)) & last
      while (this.slots[slot] !== 0) slot = (slot + 1) & last
      this.slots[slot] = phrase + 1
    }
  }
}

const hashOf = (lga: number, locality: number, address: number): number => {
  let hash = Math.imul(lga, 0x9e3779b1) ^ Math.imul(locality, 0x85ebca6b) ^ Math.imul(address, 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
