/** Finds the features of a GeoJSON text as it is read: those of a collection, or one on each line. */
import { CommandFailure } from "../process/ExitCode.ts"

/** A feature with a point is shorter, and so is what a collection has before its features. */
const maxFeature_bytes = 1 << 20

/** Takes one feature, as JSON, and the number of its line. */
export type OnFeature = (json: string, line: number) => void

/**
 * Looks at single bytes, since all signs of JSON are ASCII. Only what is between the braces of a feature is parsed.
 */
export class FeatureReader {
  private readonly onFeature: OnFeature
  private line = 1
  private depth = 0
  private isString = false
  private isEscaped = false
  /** The depth of the objects that are features: 0 outside a collection, 2 within the array of one. */
  private level = 0
  /** The bytes of the object so far, from its brace. */
  private parts: Array<Buffer> = []
  private length = 0
  private startLine = 1
  private isInObject = false
  private hasFeatures = false

  constructor(onFeature: OnFeature) {
    this.onFeature = onFeature
  }

  /** The chunk may be reused afterwards. */
  write(chunk: Buffer): void {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === lineFeed) this.line++
      if (this.isString) this.takeInString(byte)
      else if (byte === quote) this.isString = true
      else if (byte === openBrace || byte === openBracket) {
        if (byte === openBrace && this.depth === this.level) {
          from = at
          this.isInObject = true
          this.startLine = this.line
        }
        this.depth++
        if (byte === openBracket && this.opensFeatures(chunk.subarray(from, at))) this.enterFeatures()
      } else if (byte === closeBrace || byte === closeBracket) {
        this.depth--
        if (byte === closeBrace && this.isInObject && this.depth === this.level) this.take(chunk.subarray(from, at + 1))
        if (this.depth < this.level) this.leaveFeatures()
      }
    }
    if (this.isInObject) this.keep(chunk.subarray(from))
  }

  end(): void {
    if (this.isInObject || this.depth !== 0) throw cutOff(this.startLine)
  }

  private takeInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (byte === backslash) this.isEscaped = true
    else if (byte === quote) this.isString = false
  }

  /** Whether an array after these bytes is that of the features of a collection. */
  private opensFeatures(before: Buffer): boolean {
    if (this.level !== 0 || this.depth !== 2 || !this.isInObject) return false
    const text = Buffer.concat([...this.parts, before]).toString("latin1", 0)
    if (!/"features"\s*:\s*$/.test(text)) return false
    checkReference(text)
    return true
  }

  private enterFeatures(): void {
    this.level = 2
    this.hasFeatures = true
    this.isInObject = false
    this.parts = []
    this.length = 0
  }

  /** What follows the features of a collection is not a feature. */
  private leaveFeatures(): void {
    this.level = this.hasFeatures && this.depth > 0 ? Number.POSITIVE_INFINITY : 0
  }

  private keep(part: Buffer): void {
    this.length += part.length
    if (this.length > maxFeature_bytes) {
      throw new CommandFailure(`line ${this.startLine}: an object of more than 1 MiB: expected features with points`)
    }
    this.parts.push(Buffer.from(part))
  }

  private take(last: Buffer): void {
    const json = this.parts.length === 0 ? last.toString("utf8") : Buffer.concat([...this.parts, last]).toString("utf8")
    this.parts = []
    this.length = 0
    this.isInObject = false
    this.onFeature(json, this.startLine)
  }
}

/** Coordinates of GeoJSON are degrees of WGS 84. Older files name another system before their features. */
const checkReference = (before: string): void => {
  const [, name = ""] = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]{1,80})"\s*\}/.exec(before) ?? []
  if (name === "" || /CRS:?:?84|OGC:.*84$|EPSG:.*\b(4326|4979)$/i.test(name)) return
  throw new CommandFailure(
    `its coordinates are those of ${name}: export it with degrees of WGS 84 (EPSG:4326), such as by ogr2ogr -t_srs EPSG:4326`
  )
}

const cutOff = (line: number): CommandFailure =>
  new CommandFailure(`the object that begins in line ${line} does not end: the file is cut off, or is no JSON`)

const [quote, backslash, lineFeed, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x0a, 0x7b, 0x7d, 0x5b, 0x5d
]
