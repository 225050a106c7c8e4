/**
 * A directory as the bytes of one file, which `Directory.open` reads without parsing or copying. docs/snapshot.md has
 * the format. The same directory always gives the same bytes.
 */
import type { Directory } from "../Directory.ts"
import { checkEdition, decodeHeader, encodeHeader, formatVersion, layOut, type SnapshotHeader } from "./Header.ts"
import { refuseBigEndian } from "./openSnapshot.ts"
import { encodePlaces } from "./PlacesJson.ts"
import { type SectionKind, sectionBytes, sectionKinds } from "./Sections.ts"
import { xxh32 } from "./xxh32.ts"

export type { SnapshotHeader } from "./Header.ts"

/**
 * How many bytes the snapshot of a directory has.
 *
 * @throws RangeError as `snapshotPieces` does
 */
export const snapshotLength = (directory: Directory): number => planOf(directory).length_bytes

/**
 * The snapshot of a directory in pieces, to be written one behind the other. Most of them are views of the directory's
 * own arrays: nothing is copied, and nothing may write to them.
 *
 * ```ts
 * const image = new Uint8Array(new SharedArrayBuffer(snapshotLength(directory)))
 * let end = 0
 * for (const piece of snapshotPieces(directory)) {
 *   image.set(piece, end)
 *   end += piece.length
 * }
 * Directory.open(image)
 * ```
 *
 * @throws RangeError if the directory's date is no day like 2026-01-31, its version takes more than 1,024 bytes, or its
 *   places take more than 8 MiB
 */
export function* snapshotPieces(directory: Directory): Generator<Uint8Array, void, undefined> {
  const { length_bytes, offsets, parts } = planOf(directory)
  const header = encodeHeader({
    formatVersion,
    length_bytes,
    units: directory.size,
    activeUnits: directory.activeSize,
    version: directory.version,
    date: directory.date,
    changes: directory.changes,
    sections: parts.map((bytes, index) => ({
      ...(sectionKinds[index] as SectionKind),
      offset: offsets[index] as number,
      length_bytes: bytes.length,
      checksum: xxh32(bytes)
    }))
  })
  yield header
  let end = header.length
  for (const [index, bytes] of parts.entries()) {
    const offset = offsets[index] as number
    if (offset > end) yield new Uint8Array(offset - end)
    if (bytes.length > 0) yield bytes
    end = offset + bytes.length
  }
}

/**
 * What the header of a snapshot says: counts, data version and date, and where each section lies. The sections
 * themselves are not looked at.
 *
 * @throws InvalidSnapshot if it is no header, or the bytes are fewer or more than it says
 */
export const snapshotHeader = (bytes: Uint8Array | ArrayBuffer | SharedArrayBuffer): SnapshotHeader =>
  decodeHeader(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))

interface Plan {
  /** The bytes of each section. */
  readonly parts: ReadonlyArray<Uint8Array>
  readonly offsets: ReadonlyArray<number>
  readonly length_bytes: number
}

const planOf = (directory: Directory): Plan => {
  refuseBigEndian()
  checkEdition(directory.version, directory.date)
  const { contents } = directory
  const parts = sectionBytes(contents, encodePlaces(contents.places))
  const lengths_bytes = parts.map(({ length }) => length)
  return { parts, ...layOut(lengths_bytes, directory.version) }
}
