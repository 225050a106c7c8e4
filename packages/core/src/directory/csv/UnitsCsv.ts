/** Rows of units.csv as bytes, gathered until someone takes them. */
import { csvLine } from "./Csv.ts"
import { encodeUtf8 } from "./TextCoding.ts"
import type { UnitBytes } from "./UnitBytes.ts"

export class UnitsCsv {
  private bytes = new Uint8Array(0)
  private length = 0

  /** Adds the row that was scanned last. */
  addScanned(row: UnitBytes): void {
    this.reserve(row.longest)
    this.length = row.writeTo(this.bytes, this.length)
  }

  add(fields: ReadonlyArray<string>): void {
    const line = encodeUtf8(csvLine(fields))
    this.reserve(line.length)
    this.bytes.set(line, this.length)
    this.length += line.length
  }

  /** What was added since the last time. What is added next overwrites it. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length)
    this.length = 0
    return taken
  }

  private reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }
}
