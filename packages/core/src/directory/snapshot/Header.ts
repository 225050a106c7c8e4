/**
 * The header of a snapshot: format, edition, counts, and the table of sections. All numbers are little-endian.
 *
 * | Offset | Type       | Field                                                            |
 * |--------|------------|------------------------------------------------------------------|
 * | 0      | 8 bytes    | magic: `89 50 43 44 0D 0A 1A 0A`                                 |
 * | 8      | uint32     | format version                                                   |
 * | 12     | uint32     | length of the header, a multiple of 64                           |
 * | 16     | uint64     | length of the file                                               |
 * | 24     | uint32     | units                                                            |
 * | 28     | uint32     | active units                                                     |
 * | 32     | uint32     | number of sections                                               |
 * | 36     | uint32     | length of the version in bytes                                   |
 * | 40     | 10 bytes   | date of the data in ASCII, `2026-01-31`, or zeros                |
 * | 50     | 6 bytes    | zeros                                                            |
 * | 56     | uint64     | changes applied to that edition of the data                      |
 * | 64     | 56 each    | the section table                                                |
 * |        | UTF-8      | the version of the data, after the table                         |
 * |        |            | zeros up to the last four bytes                                  |
 * |        | uint32     | XXH32 of all bytes of the header before it                       |
 *
 * An entry of the section table: the name in ASCII and zeros up to 32 bytes, uint32 element type, uint32 XXH32 of the
 * section, uint64 offset in the file, uint64 length in bytes.
 */

import { decodeUtf8, encodeUtf8 } from "../csv/TextCoding.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"
import { type ElementType, elementTypes, type SectionKind, sectionKinds } from "./Sections.ts"
import { xxh32 } from "./xxh32.ts"

/** The format version that is written, and the only one that is read. */
export const formatVersion = 5

export interface SnapshotSection extends SectionKind {
  /** In bytes from the start of the file. */
  readonly offset: number
  readonly length_bytes: number
  readonly checksum: number
}

export interface SnapshotHeader {
  readonly formatVersion: number
  /** The length of the whole file. */
  readonly length_bytes: number
  readonly units: number
  readonly activeUnits: number
  readonly version: string
  readonly date: string
  /** Number of changes applied to that edition. */
  readonly changes: number
  readonly sections: ReadonlyArray<SnapshotSection>
}

/** Sections start at multiples of 64 bytes: a cache line, and a multiple of the width of every element type. */
const align = (offset: number): number => Math.ceil(offset / 64) * 64

/** The offsets of sections after a header with the given version, and the length of the file. */
export const layOut = (
  lengths_bytes: ReadonlyArray<number>,
  version: string
): { readonly offsets: ReadonlyArray<number>; readonly length_bytes: number } => {
  const offsets: Array<number> = []
  let end = headerLength(encodeUtf8(version).length)
  for (const length_bytes of lengths_bytes) {
    offsets.push(align(end))
    end = align(end) + length_bytes
  }
  return { offsets, length_bytes: end }
}

export const encodeHeader = (header: SnapshotHeader): Uint8Array => {
  const version = encodeUtf8(header.version)
  const length_bytes = headerLength(version.length)
  const bytes = new Uint8Array(length_bytes)
  const view = new DataView(bytes.buffer)
  bytes.set(magic)
  view.setUint32(8, header.formatVersion, true)
  view.setUint32(12, length_bytes, true)
  setUint64(view, 16, header.length_bytes)
  view.setUint32(unitsAt, header.units, true)
  view.setUint32(28, header.activeUnits, true)
  view.setUint32(32, header.sections.length, true)
  view.setUint32(36, version.length, true)
  bytes.set(encodeUtf8(header.date), dateAt)
  setUint64(view, changesAt, header.changes)
  for (const [index, section] of header.sections.entries()) {
    const at = tableAt + index * entryLength
    bytes.set(encodeUtf8(section.name), at)
    view.setUint32(at + 32, elementTypes[section.type].code, true)
    view.setUint32(at + 36, section.checksum, true)
    setUint64(view, at + 40, section.offset)
    setUint64(view, at + 48, section.length_bytes)
  }
  bytes.set(version, tableAt + header.sections.length * entryLength)
  view.setUint32(length_bytes - 4, xxh32(bytes.subarray(0, length_bytes - 4)), true)
  return bytes
}

/**
 * Reads the header of a file, and checks that all its lengths agree with one another and with the file.
 *
 * @throws InvalidSnapshot
 */
export const decodeHeader = (file: Uint8Array): SnapshotHeader => {
  const bytes = headerIn(file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length_bytes = uint64(view, 16)
  if (length_bytes > file.length) throw truncated(length_bytes, file.length)
  if (length_bytes < file.length) throw tooLong(length_bytes, file.length)
  const units = view.getUint32(unitsAt, true)
  const activeUnits = view.getUint32(28, true)
  if (activeUnits > units) throw contradiction(`${activeUnits} active units of ${units}`)
  const count = view.getUint32(32, true)
  const versionLength = view.getUint32(36, true)
  if (count !== sectionKinds.length || bytes.length !== headerLength(versionLength)) {
    throw contradiction(
      `a header of ${bytes.length} bytes with ${count} sections and a version of ${versionLength} bytes`
    )
  }
  if (versionLength > maxVersionBytes) {
    throw new InvalidSnapshot(`data version: expected at most ${maxVersionBytes} bytes, found ${versionLength}`)
  }
  const tableEnd = tableAt + count * entryLength
  const sections = sectionKinds.map((kind, index) => decodeEntry(view, tableAt + index * entryLength, kind))
  checkLayout(bytes.length, length_bytes, sections)
  const version = textIn(bytes.subarray(tableEnd, tableEnd + versionLength), "data version")
  const date = dateIn(bytes)
  const changes = uint64(view, changesAt)
  if (!Number.isSafeInteger(changes)) throw new InvalidSnapshot("changes: expected at most 2^53 - 1")
  if (!isZero(bytes, dateAt + dateLength, changesAt) || !isZero(bytes, tableEnd + versionLength, bytes.length - 4)) {
    throw new InvalidSnapshot("header: expected zeros where nothing is kept")
  }
  return { formatVersion, length_bytes, units, activeUnits, version, date, changes, sections }
}

/** Whether all bytes from `start` below `end` are 0. */
export const isZero = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false
  return true
}

/**
 * @throws RangeError if the version is too long for a header, or the date is neither empty nor a day like 2026-01-31
 */
export const checkEdition = (version: string, date: string): void => {
  const { length } = encodeUtf8(version)
  if (length > maxVersionBytes) {
    throw new RangeError(`version: expected at most ${maxVersionBytes} bytes in UTF-8, found ${length}`)
  }
  if (!isDate(date)) throw new RangeError("date: expected a day like 2026-01-31, or nothing")
}

/** Starts with a byte that is not ASCII, and has both line ends, so that a transfer as text is detected. */
const magic = Uint8Array.of(0x89, 0x50, 0x43, 0x44, 0x0d, 0x0a, 0x1a, 0x0a)
const unitsAt = 24
const dateAt = 40
const dateLength = 10
const changesAt = 56
const tableAt = 64
const nameLength = 32
const entryLength = 56
const minHeaderBytes = tableAt + 64
/** Responses show the version, which is usually a few words. */
const maxVersionBytes = 1024

const headerLength = (versionLength: number): number =>
  align(tableAt + sectionKinds.length * entryLength + versionLength + 4)

/** The bytes of the header, after its magic, format version, length and checksum are checked. */
const headerIn = (file: Uint8Array): Uint8Array => {
  if (file.length === 0 || !magic.subarray(0, file.length).every((byte, at) => byte === file[at])) {
    throw new InvalidSnapshot("not a snapshot: expected a file that starts with 89 50 43 44 0D 0A 1A 0A")
  }
  if (file.length < unitsAt) throw truncated(`at least ${minHeaderBytes}`, file.length)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const version = view.getUint32(8, true)
  if (version > formatVersion) {
    throw new InvalidSnapshot(`newer format: version ${version}, and this program reads ${formatVersion}`)
  }
  if (version < formatVersion) {
    throw new InvalidSnapshot(
      `older format: version ${version}, and this program reads ${formatVersion}; write it anew`
    )
  }
  const length_bytes = view.getUint32(12, true)
  if (length_bytes > file.length && uint64(view, 16) > file.length) throw truncated(uint64(view, 16), file.length)
  if (length_bytes > file.length || length_bytes < minHeaderBytes || length_bytes % 64 !== 0) {
    throw contradiction(`a header of ${length_bytes} bytes in a file of ${file.length}`)
  }
  if (xxh32(file.subarray(0, length_bytes - 4)) !== view.getUint32(length_bytes - 4, true)) {
    throw new InvalidSnapshot("header: its checksum does not match")
  }
  return file.subarray(0, length_bytes)
}

const decodeEntry = (view: DataView, at: number, { name, type }: SectionKind): SnapshotSection => {
  const found = new Uint8Array(view.buffer, view.byteOffset + at, nameLength)
  for (let i = 0; i < nameLength; i++) {
    if (found[i] !== (i < name.length ? name.charCodeAt(i) : 0)) throw unexpectedEntry(name, type)
  }
  if (view.getUint32(at + 32, true) !== elementTypes[type].code) throw unexpectedEntry(name, type)
  return {
    name,
    type,
    checksum: view.getUint32(at + 36, true),
    offset: uint64(view, at + 40),
    length_bytes: uint64(view, at + 48)
  }
}

const unexpectedEntry = (name: string, type: ElementType) =>
  new InvalidSnapshot(`section table: expected section ${name} of type ${type} in its place`)

/** Sections are in order, with only alignment between them. */
const checkLayout = (headerEnd: number, fileLength: number, sections: ReadonlyArray<SnapshotSection>): void => {
  let end = headerEnd
  for (const { length_bytes, name, offset, type } of sections) {
    if (offset !== align(end)) throw contradiction(`section ${name} at ${offset}, which belongs at ${align(end)}`)
    const width = elementTypes[type].View.BYTES_PER_ELEMENT
    end = offset + length_bytes
    if (end > fileLength) throw contradiction(`section ${name} of ${length_bytes} bytes in a file of ${fileLength}`)
    if (length_bytes % width !== 0) {
      throw contradiction(`section ${name} of ${length_bytes} bytes, with elements of ${width}`)
    }
  }
  if (end !== fileLength) throw contradiction(`sections that end at ${end} in a file of ${fileLength}`)
}

const textIn = (bytes: Uint8Array, what: string): string => {
  try {
    return decodeUtf8(bytes)
  } catch {
    throw new InvalidSnapshot(`${what}: expected UTF-8`)
  }
}

const dateIn = (header: Uint8Array): string => {
  const bytes = header.subarray(dateAt, dateAt + dateLength)
  const date = isZero(bytes, 0, dateLength) ? "" : String.fromCharCode(...bytes)
  if (isDate(date)) return date
  throw new InvalidSnapshot("date: expected a day like 2026-01-31, or zeros")
}

const isDate = (date: string): boolean => {
  if (date === "") return true
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return false
  const time = Date.parse(date)
  // `Date` reads February 30 as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

const truncated = (expected: number | string, found: number) =>
  new InvalidSnapshot(`truncated: expected ${expected} bytes, found ${found}`)

const tooLong = (expected: number, found: number) =>
  new InvalidSnapshot(`too long: expected ${expected} bytes, found ${found}`)

/** @param sizes the contradicting numbers */
export const contradiction = (sizes: string): InvalidSnapshot =>
  new InvalidSnapshot(`sizes that contradict one another: ${sizes}`)

const setUint64 = (view: DataView, at: number, value: number): void => {
  view.setUint32(at, value % 2 ** 32, true)
  view.setUint32(at + 4, Math.floor(value / 2 ** 32), true)
}

/** Exact up to 2^53. Larger lengths are rejected, because no file is that long. */
const uint64 = (view: DataView, at: number): number => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32
