/** Opens the bytes of a snapshot as the contents of a directory: views over the bytes, checked. */

import { checkAddresses } from "./checkAddresses.ts"
import { checkLocationSums } from "./checkLocationSums.ts"
import { checkSpatialIndex } from "./checkSpatialIndex.ts"
import { checkSuccessors } from "./checkSuccessors.ts"
import { checkTree } from "./checkTree.ts"
import type { DirectoryContents } from "./DirectoryContents.ts"
import { decodeHeader, isZero, type SnapshotHeader } from "./Header.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"
import { decodePlaces } from "./PlacesJson.ts"
import { assemble, elementTypes, type SectionView } from "./Sections.ts"
import { xxh32 } from "./xxh32.ts"

/**
 * Views over the bytes, which must not change afterwards. Bytes at an address that is not a multiple of 8 are copied.
 *
 * @param verify whether to check the checksums of the sections
 * @throws InvalidSnapshot if the bytes are not a snapshot that is safe to search
 */
export const openSnapshot = (
  bytes: Uint8Array | ArrayBuffer | SharedArrayBuffer,
  verify: boolean
): DirectoryContents => {
  refuseBigEndian()
  const file = aligned(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))
  const header = decodeHeader(file)
  checkPadding(file, header)
  if (verify) checkSections(file, header)
  const views = new Map<string, SectionView>()
  for (const { length_bytes, name, offset, type } of header.sections) {
    const { View } = elementTypes[type]
    // Views are the same over both kinds of buffer.
    const buffer = file.buffer as ArrayBuffer
    views.set(name, new View(buffer, file.byteOffset + offset, length_bytes / View.BYTES_PER_ELEMENT))
  }
  // A valid header has all sections.
  const viewOf = (name: string) => views.get(name) as SectionView
  const { addresses, locationSums, spatial, successors, tree } = assemble(viewOf)
  checkTree(tree, header)
  checkLocationSums(locationSums, tree)
  const fault = checkSpatialIndex(spatial, header.units)
  if (fault !== undefined) throw new InvalidSnapshot(`section spatial.${fault}`)
  checkSuccessors(successors)
  if (addresses !== undefined) checkAddresses(addresses, header.units)
  const places = decodePlaces(viewOf("places") as Uint8Array)
  const { changes, date, version } = header
  return { version, date, changes, places, tree, locationSums, spatial, successors, addresses }
}

/** @throws InvalidSnapshot on a big-endian machine */
export const refuseBigEndian = (): void => {
  if (new Uint8Array(Uint16Array.of(1).buffer)[0] === 1) return
  throw new InvalidSnapshot("snapshots are little-endian, and this machine is big-endian: it cannot read or write them")
}

/** Views must start at a multiple of the width of their elements. */
const aligned = (bytes: Uint8Array): Uint8Array => (bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes))

const checkPadding = (file: Uint8Array, { sections }: SnapshotHeader): void => {
  for (const [index, { offset }] of sections.entries()) {
    const before = sections[index - 1]
    if (before !== undefined && !isZero(file, before.offset + before.length_bytes, offset)) {
      throw new InvalidSnapshot(`before section ${sections[index]?.name}: expected zeros`)
    }
  }
}

const checkSections = (file: Uint8Array, { sections }: SnapshotHeader): void => {
  for (const { checksum, length_bytes, name, offset } of sections) {
    if (xxh32(file.subarray(offset, offset + length_bytes)) !== checksum) {
      throw new InvalidSnapshot(`section ${name}: its checksum does not match`)
    }
  }
}
