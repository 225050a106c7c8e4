/**
 * Writes a directory as one file, which `Directory.open` reads without parsing or copying. docs/snapshot.md describes
 * the format. The same directory always has the same bytes.
 */
import type { Directory } from "../Directory.ts"
import { checkEdition, decodeHeader, encodeHeader, formatVersion, layOut, type SnapshotHeader } from "./Header.ts"
import { refuseBigEndian } from "./openSnapshot.ts"
import { encodePlaces } from "./PlacesJson.ts"
import { type SectionKind, sectionBytes, sectionKinds } from "./Sections.ts"
import { xxh32 } from "./xxh32.ts"

export type { SnapshotHeader } from "./Header.ts"

/** What a snapshot contains. */
export interface SnapshotOptions {
  /**
   * Whether it contains the names, streets and localities of the units, for `searchAddress`. The file then exposes
   * all of them. Default: no.
   */
  readonly addresses?: boolean
}

/**
 * The length of the snapshot of a directory, in bytes.
 *
 * @throws RangeError as `snapshotPieces` does
 */
export const snapshotLength = (directory: Directory, options: SnapshotOptions = {}): number =>
  planOf(directory, options).length_bytes

/**
 * The snapshot of a directory in pieces, to be written in order. The large ones are views of the directory's arrays: not
 * copied, and read-only.
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
 * @throws RangeError if the directory's date is not a day like 2026-01-31, or its version is longer than 1,024 bytes
 */
export function* snapshotPieces(
  directory: Directory,
  options: SnapshotOptions = {}
): Generator<Uint8Array, void, undefined> {
  const { length_bytes, offsets, parts } = planOf(directory, options)
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
 * The header of a snapshot: counts, version and date, and the position of each section. The sections themselves
 * are not checked.
 *
 * @throws InvalidSnapshot if the header is invalid, or the file has another length than in the header
 */
export const snapshotHeader = (bytes: Uint8Array | ArrayBuffer | SharedArrayBuffer): SnapshotHeader =>
  decodeHeader(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))

interface Plan {
  /** The bytes of each section. */
  readonly parts: ReadonlyArray<Uint8Array>
  readonly offsets: ReadonlyArray<number>
  readonly length_bytes: number
}

const planOf = (directory: Directory, options: SnapshotOptions): Plan => {
  refuseBigEndian()
  checkEdition(directory.version, directory.date)
  const { contents } = directory
  const written = options.addresses === true ? contents : { ...contents, addresses: undefined }
  const parts = sectionBytes(written, encodePlaces(contents.places))
  const lengths_bytes = parts.map(({ length }) => length)
  return { parts, ...layOut(lengths_bytes, directory.version) }
}
