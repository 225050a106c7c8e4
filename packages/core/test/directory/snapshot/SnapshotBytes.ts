/** Snapshots as tests take them apart: where things lie, and checksums made to match again. */
import type { Directory } from "@postcode/core/Directory"
import { type SnapshotOptions, snapshotHeader, snapshotLength, snapshotPieces } from "@postcode/core/Snapshot"
import { encodeHeader, layOut } from "../../../src/directory/snapshot/Header.ts"
import { xxh32 } from "../../../src/directory/snapshot/xxh32.ts"

/** The snapshot of a directory in one piece; throws where its pieces are not as long as it says. */
export const snapshotOf = (directory: Directory, options: SnapshotOptions = {}): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(snapshotLength(directory, options))
  let end = 0
  for (const piece of snapshotPieces(directory, options)) {
    bytes.set(piece, end)
    end += piece.length
  }
  if (end !== bytes.length) throw new Error(`the pieces have ${end} bytes, the snapshot ${bytes.length}`)
  return bytes
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Where the fields of the header are, as docs/snapshot.md has it. */
export const at = {
  formatVersion: 8,
  headerLength: 12,
  fileLength: 16,
  units: 24,
  activeUnits: 28,
  sections: 32,
  versionLength: 36,
  date: 40,
  reserved: 50,
  changes: 56,
  table: 64
} as const

export const entryLength = 56
/** Where the fields of an entry of the section table are. */
export const inEntry = { name: 0, type: 32, checksum: 36, offset: 40, length: 48 } as const

/** The entry of a section, from the start of the file, and where the section itself is. */
export const sectionIn = (bytes: Uint8Array, name: string) => {
  const { sections } = snapshotHeader(bytes)
  const index = sections.findIndex((section) => section.name === name)
  const section = sections[index]
  if (section === undefined) throw new Error(`no section ${name}`)
  return { entry: at.table + index * entryLength, start: section.offset, end: section.offset + section.length_bytes }
}

/** Makes all checksums match what the bytes now are, as far as the table still says where sections lie. */
export const reseal = (bytes: Uint8Array): void => {
  if (bytes.length < at.table) return
  const view = viewOf(bytes)
  const headerLength = view.getUint32(at.headerLength, true)
  if (headerLength < at.table || headerLength > bytes.length) return
  const count = Math.min(view.getUint32(at.sections, true), Math.floor((headerLength - at.table - 4) / entryLength))
  for (let index = 0; index < count; index++) {
    const entry = at.table + index * entryLength
    const start = Number(view.getBigUint64(entry + inEntry.offset, true))
    const length = Number(view.getBigUint64(entry + inEntry.length, true))
    if (start + length > bytes.length) continue
    view.setUint32(entry + inEntry.checksum, xxh32(bytes.subarray(start, start + length)), true)
  }
  view.setUint32(headerLength - 4, xxh32(bytes.subarray(0, headerLength - 4)), true)
}

/** The elements of a section of uint32. */
export const elementsOf = (bytes: Uint8Array, name: string): Uint32Array => {
  const { end, start } = sectionIn(bytes, name)
  return new Uint32Array(bytes.slice(start, end).buffer)
}

/** The same snapshot with other sections, of any length, and a header and checksums to match. */
export const withSections = (
  bytes: Uint8Array,
  others: Readonly<Record<string, Uint8Array | Uint16Array | Uint32Array>>
): Uint8Array<ArrayBuffer> => {
  const header = snapshotHeader(bytes)
  const parts = header.sections.map(({ length_bytes, name, offset }) => {
    const other = others[name]
    return other === undefined
      ? bytes.subarray(offset, offset + length_bytes)
      : new Uint8Array(other.buffer, other.byteOffset, other.byteLength)
  })
  const { length_bytes, offsets } = layOut(
    parts.map(({ length }) => length),
    header.version
  )
  const sections = header.sections.map((section, at) => {
    const part = parts[at] as Uint8Array
    return { ...section, offset: offsets[at] as number, length_bytes: part.length, checksum: xxh32(part) }
  })
  const written = new Uint8Array(length_bytes)
  written.set(encodeHeader({ ...header, length_bytes, sections }))
  for (const [at, part] of parts.entries()) written.set(part, offsets[at])
  return written
}
