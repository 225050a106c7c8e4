/** One attribute of the units in a block of rows, as numbers and bytes. */
import { type AttributeName, type AttributeValue, attributeEntry } from "@postcode/core/UnitAttributes"
import type { RepeatedTexts } from "../retention/RepeatedTexts.ts"

/** The number of rows in a column. */
export const blockSize = 1 << 14

export interface AttributeColumn {
  /** Adds the value of the next row, which has this index. */
  add(i: number, value: AttributeValue | undefined): void
  /** The value of an added row. */
  at(i: number): AttributeValue | undefined
  /** Releases memory that a full column does not need. */
  end(): void
  /** Memory without repeating texts. */
  readonly bytes: number
}

/** An empty column for an attribute. @param texts where repeating texts are stored */
export const attributeColumn = (name: AttributeName, texts: RepeatedTexts): AttributeColumn => {
  const entry = attributeEntry(name)
  if (entry.type === "text") return entry.unique === true ? new UniqueTexts() : codesOf(texts)
  if (entry.type === "flag") return flags()
  return integersFrom(entry.minimum, entry.maximum)
}

/** Numbers from 1, with 0 for an unknown value. */
class Numbers implements AttributeColumn {
  private readonly numbers: Uint8Array | Uint32Array | Float64Array
  private readonly numberOf: (value: AttributeValue) => number
  private readonly toValue: (number: number) => AttributeValue

  constructor(
    numbers: Uint8Array | Uint32Array | Float64Array,
    numberOf: (value: AttributeValue) => number,
    toValue: (number: number) => AttributeValue
  ) {
    this.numbers = numbers
    this.numberOf = numberOf
    this.toValue = toValue
  }

  add(i: number, value: AttributeValue | undefined): void {
    if (value !== undefined) this.numbers[i] = this.numberOf(value)
  }

  at(i: number): AttributeValue | undefined {
    const number = this.numbers[i] as number
    return number === 0 ? undefined : this.toValue(number)
  }

  end(): void {}

  get bytes(): number {
    return this.numbers.byteLength
  }
}

const codesOf = (texts: RepeatedTexts): AttributeColumn =>
  new Numbers(
    new Uint32Array(blockSize),
    (value) => texts.code(value as string),
    (code) => texts.at(code)
  )

const flags = (): AttributeColumn =>
  new Numbers(
    new Uint8Array(blockSize),
    (value) => (value === true ? 2 : 1),
    (number) => number === 2
  )

const integersFrom = (minimum: number, maximum: number): AttributeColumn => {
  const values = maximum - minimum + 1
  const Integers = values < 2 ** 8 ? Uint8Array : values < 2 ** 32 ? Uint32Array : Float64Array
  return new Numbers(
    new Integers(blockSize),
    (value) => (value as number) - minimum + 1,
    (number) => number - 1 + minimum
  )
}

/** Texts that rarely repeat, as concatenated UTF-8. */
class UniqueTexts implements AttributeColumn {
  private readonly isKnown = new Uint8Array(blockSize)
  /** Start of each row's text in `utf8`; it ends where the next row's starts. */
  private readonly starts = new Uint32Array(blockSize + 1)
  private utf8 = new Uint8Array(blockSize)

  add(i: number, value: AttributeValue | undefined): void {
    const start = this.starts[i] as number
    this.isKnown[i] = value === undefined ? 0 : 1
    this.starts[i + 1] = value === undefined ? start : this.append(start, value as string)
  }

  at(i: number): string | undefined {
    return this.isKnown[i] === 1 ? decoder.decode(this.utf8.subarray(this.starts[i], this.starts[i + 1])) : undefined
  }

  end(): void {
    this.utf8 = this.utf8.slice(0, this.starts[blockSize])
  }

  get bytes(): number {
    return this.utf8.length + blockSize * bytesPerRow
  }

  /** Writes a text at `start` and returns its end. */
  private append(start: number, text: string): number {
    const mostNeeded = start + bytesPerCharacter * text.length
    if (mostNeeded > this.utf8.length) {
      const larger = new Uint8Array(Math.max(mostNeeded, 2 * this.utf8.length))
      larger.set(this.utf8)
      this.utf8 = larger
    }
    const { utf8 } = this
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > 0x7f) return start + encoder.encodeInto(text, utf8.subarray(start)).written
      utf8[start + i] = code
    }
    return start + text.length
  }
}

const bytesPerRow = Uint32Array.BYTES_PER_ELEMENT + 1
/** UTF-8 takes at most three bytes for each UTF-16 unit. */
const bytesPerCharacter = 3

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
