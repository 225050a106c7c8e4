/** The texts of rows and fields in scanned bytes. Most files are ASCII: their bytes are decoded once and then cut. */
import { decoder } from "./TextCoding.ts"

/** Decodes bytes. Those of ASCII become the same characters. */
export type DecodeBytes = (bytes: Uint8Array) => string

/** As many texts are decoded by themselves before all bytes are. */
const fewSlices = 256

export class RowText {
  private readonly decode: DecodeBytes
  private bytes: Uint8Array = new Uint8Array(0)
  /** All bytes as text; undefined before it is needed. */
  private whole: string | undefined
  private row = ""
  private rowStart = -1
  private slices = 0

  constructor(decode: DecodeBytes = (bytes) => decoder.decode(bytes)) {
    this.decode = decode
  }

  /** Begins other bytes. */
  begin(bytes: Uint8Array): void {
    this.bytes = bytes
    this.whole = undefined
    this.rowStart = -1
    this.slices = 0
  }

  /**
   * The text of a range.
   *
   * @param row where the row that has it starts and ends, if all bytes of the row are ASCII
   */
  slice(start: number, end: number, row?: { readonly start: number; readonly end: number }): string {
    if (start === end) return ""
    if (this.whole === undefined && this.slices++ < fewSlices) return this.decode(this.bytes.subarray(start, end))
    this.whole ??= this.decode(this.bytes)
    if (this.whole.length === this.bytes.length) return this.whole.slice(start, end)
    if (row === undefined) return this.decode(this.bytes.subarray(start, end))
    if (this.rowStart !== row.start) {
      this.row = this.decode(this.bytes.subarray(row.start, row.end))
      this.rowStart = row.start
    }
    return this.row.slice(start - row.start, end - row.start)
  }
}
