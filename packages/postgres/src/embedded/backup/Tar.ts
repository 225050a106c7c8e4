/** The headers of tar archives, in the portable form of POSIX (ustar): files and folders with short names. */
import { EmbeddedFailure } from "../EmbeddedFailure.ts"

/** An archive is not what was written. */
export class DamagedArchive extends Error {
  constructor(reason = "it is damaged or incomplete") {
    super(reason)
  }
}

/** An entry of an archive. Names of folders end with a slash. */
export interface TarEntry {
  readonly name: string
  readonly size: number
}

/** The length of headers; contents are filled up to a multiple of it. */
export const block_bytes = 512

/** The number of zero bytes after a content. */
export const paddingOf = (size: number): number => (block_bytes - (size % block_bytes)) % block_bytes

/** The end of an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * block_bytes)

/** Only the owner may read what is unpacked. */
export const tarHeader = ({ name, size }: TarEntry, at: Date): Buffer => {
  const isFolder = name.endsWith("/")
  const header = Buffer.alloc(block_bytes)
  const [prefix, rest] = split(name)
  header.write(rest, 0)
  header.write(octal(isFolder ? 0o700 : 0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(Math.floor(at.getTime() / 1000), 11), 136)
  header.write(isFolder ? "5" : "0", 156)
  header.write("ustar\u000000", 257)
  header.write(prefix, 345)
  header.write(checksumOf(header), 148)
  return header
}

/** Reads a header; undefined for the end of the archive. Fails if it is damaged, or of an entry of another kind. */
export const readTarHeader = (header: Buffer): TarEntry | undefined => {
  if (header.every((byte) => byte === 0)) return undefined
  const textAt = (from: number, length: number) => {
    const field = header.subarray(from, from + length)
    const end = field.indexOf(0)
    return field.toString("utf8", 0, end === -1 ? length : end)
  }
  if (header.toString("latin1", 148, 156) !== checksumOf(header)) throw new DamagedArchive()
  const kind = textAt(156, 1)
  if (kind !== "0" && kind !== "5") throw new DamagedArchive("it holds an entry that is neither a file nor a folder")
  const size = textAt(124, 12)
  const prefix = textAt(345, 155)
  const name = prefix === "" ? textAt(0, 100) : `${prefix}/${textAt(0, 100)}`
  const isFolder = kind === "5"
  const isSound = /^[0-7]{11}$/.test(size) && name.endsWith("/") === isFolder && !(isFolder && /[1-7]/.test(size))
  if (!isSound || textAt(257, 6) !== "ustar") throw new DamagedArchive()
  return { name, size: Number.parseInt(size, 8) }
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`

/** The field for the sum of all bytes, in which the field itself counts as spaces. */
const checksumOf = (header: Buffer): string => {
  let sum = 8 * 32
  for (let i = 0; i < block_bytes; i++) if (i < 148 || i >= 156) sum += header[i] as number
  return `${octal(sum, 6)} `
}

/** A name of more than 100 bytes is divided at a slash. */
const split = (name: string): readonly [prefix: string, rest: string] => {
  if (Buffer.byteLength(name) <= 100) return ["", name]
  const slash = name.indexOf("/", name.length - 101)
  const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash <= 0 || rest === "" || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(rest) > 100) {
    throw new EmbeddedFailure(`the name of a file is too long for a backup: ${name}`)
  }
  return [prefix, rest]
}
