/**
 * Writes a PMTiles archive, version 3: a file of tiles that a browser reads in ranges, without a tile server.
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
import { zxyToTileId } from "pmtiles"

/** A vector tile. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
  readonly content: Uint8Array
}

/** What a reader learns before the first tile. */
export interface ArchiveDescription {
  /** JSON: `vector_layers`, `attribution` and more. */
  readonly metadata: object
  readonly minZoom: number
  readonly maxZoom: number
  /** West, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
}

interface Entry {
  readonly id: number
  readonly offset: number
  readonly length: number
  /** 0 for a directory of further entries. */
  readonly run: number
}

const header_bytes = 127
/** Readers ask for 16 KiB first; header and root directory must be within. A leaf of so many entries has about 10 KB. */
const entriesPerLeaf = 2_048

/** Tiles and directories are not compressed: the whole archive is a few megabytes. */
export const writeArchive = (tiles: ReadonlyArray<Tile>, description: ArchiveDescription): Uint8Array => {
  const sorted = tiles
    .map(({ content, x, y, z }) => ({ content, id: zxyToTileId(z, x, y) }))
    .sort((one, other) => one.id - other.id)
  let offset = 0
  const entries = sorted.map(({ content, id }): Entry => {
    const entry = { id, offset, length: content.byteLength, run: 1 }
    offset += content.byteLength
    return entry
  })
  const { leaves, root } = directoriesOf(entries)
  const metadata = Buffer.from(JSON.stringify(description.metadata))
  const header = headerOf([root.byteLength, metadata.byteLength, leaves.byteLength, offset], tiles.length, description)
  return Buffer.concat([header, root, metadata, leaves, ...sorted.map(({ content }) => content)])
}

const directoriesOf = (entries: ReadonlyArray<Entry>): { readonly root: Buffer; readonly leaves: Buffer } => {
  const leaves: Array<Buffer> = []
  const roots: Array<Entry> = []
  let offset = 0
  for (let start = 0; start < entries.length; start += entriesPerLeaf) {
    const leaf = directoryOf(entries.slice(start, start + entriesPerLeaf))
    roots.push({ id: entries[start]?.id ?? 0, offset, length: leaf.byteLength, run: 0 })
    leaves.push(leaf)
    offset += leaf.byteLength
  }
  return { root: directoryOf(roots), leaves: Buffer.concat(leaves) }
}

/** Columns of varints: ids as differences, runs, lengths, and offsets, which are 0 right after the entry before. */
const directoryOf = (entries: ReadonlyArray<Entry>): Buffer => {
  const numbers = [
    entries.length,
    ...entries.map(({ id }, index) => id - (entries[index - 1]?.id ?? 0)),
    ...entries.map(({ run }) => run),
    ...entries.map(({ length }) => length),
    ...entries.map(({ offset }, index) => {
      const before = entries[index - 1]
      return before !== undefined && before.offset + before.length === offset ? 0 : offset + 1
    })
  ]
  return Buffer.from(numbers.flatMap(varint))
}

const varint = (value: number): ReadonlyArray<number> => {
  const bytes: Array<number> = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

const headerOf = (
  lengths: readonly [root: number, metadata: number, leaves: number, tiles: number],
  count: number,
  { bounds, maxZoom, minZoom }: ArchiveDescription
): Buffer => {
  const header = Buffer.alloc(header_bytes)
  header.write("PMTiles")
  header.writeUInt8(3, 7)
  let offset = header_bytes
  for (const [index, length] of lengths.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * index)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * index)
    offset += length
  }
  // Addressed tiles, entries and contents are as many as tiles.
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(count), at)
  // Clustered; directories and tiles without compression; vector tiles.
  for (const [index, value] of [1, 1, 1, 1, minZoom, maxZoom].entries()) header.writeUInt8(value, 96 + index)
  const [west, south, east, north] = bounds
  for (const [index, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index)
  header.writeUInt8(minZoom, 118)
  header.writeInt32LE(Math.round(((west + east) / 2) * 1e7), 119)
  header.writeInt32LE(Math.round(((south + north) / 2) * 1e7), 123)
  return header
}
