/**
 * The leaf of each unit in the spatial index, in less than one byte per unit. Neighbours in code order are usually
 * neighbours on the ground: 64 consecutive units are in about eight leaves. So each 64 units have a list of leaves, and
 * each unit has a four-bit index into it.
 *
 * A block has 16-bit numbers: the minimum leaf number, low half first; 16 numbers with four bits per unit, lowest
 * first; and the difference of each listed leaf to the minimum. If 64 units are in more than 16 leaves, or in leaves
 * too far apart, the high half is `direct`, and the two halves of each unit's leaf follow.
 */
import type { Arrays } from "../Arrays.ts"

export interface LeafNumbers {
  readonly leafBlocks: Uint16Array
  /** The start of the block of each 64 units in `leafBlocks`. */
  readonly leafBlockStarts: Uint32Array
}

/** The leaf of a unit. */
export const leafOf = ({ leafBlockStarts, leafBlocks }: LeafNumbers, id: number): number => {
  const start = leafBlockStarts[id >>> 6] as number
  const rank = id & 63
  const high = leafBlocks[start + 1] as number
  if (high === direct) {
    const at = start + 2 + 2 * rank
    return (leafBlocks[at] as number) | ((leafBlocks[at + 1] as number) << 16)
  }
  const entry = ((leafBlocks[start + 2 + (rank >>> 2)] as number) >>> (4 * (rank & 3))) & 15
  return ((leafBlocks[start] as number) | (high << 16)) + (leafBlocks[start + listAt + entry] as number)
}

/** The fault of numbers from a file; undefined if each of `count` units has an existing leaf. */
export const leafNumbersFault = (numbers: LeafNumbers, count: number, leafCount: number): string | undefined => {
  const { leafBlockStarts, leafBlocks } = numbers
  const blockCount = (count + 63) >>> 6
  if (leafBlockStarts.length !== blockCount) {
    return `leafBlockStarts: expected ${blockCount} elements, found ${leafBlockStarts.length}`
  }
  if (count === 0 ? leafBlocks.length > 0 : leafBlockStarts[0] !== 0) return "leafBlockStarts: expected 0 in front"
  for (let at = 0; at < blockCount; at++) {
    const start = leafBlockStarts[at] as number
    const end = leafBlockStarts[at + 1] ?? leafBlocks.length
    if (end <= start) return `leafBlockStarts: expected element ${at + 1} above ${start}`
    if (end > leafBlocks.length || !isSound(leafBlocks, start, end, Math.min(64, count - 64 * at), leafCount)) {
      return `leafBlocks: expected a block of leaves below ${leafCount} from ${start} to ${end}`
    }
  }
  return undefined
}

export const packLeafNumbers = (leaves: Uint32Array, arrays: Arrays): LeafNumbers => {
  const blockCount = (leaves.length + 63) >>> 6
  const block = new Uint16Array(2 + 2 * 64)
  const leafBlockStarts = arrays.uint32s(blockCount)
  let length = 0
  for (let at = 0; at < blockCount; at++) {
    leafBlockStarts[at] = length
    length += packBlock(leaves.subarray(64 * at, 64 * at + 64), block)
  }
  const leafBlocks = arrays.uint16s(length)
  for (let at = 0; at < blockCount; at++) {
    const packed = packBlock(leaves.subarray(64 * at, 64 * at + 64), block)
    leafBlocks.set(block.subarray(0, packed), leafBlockStarts[at] as number)
  }
  return { leafBlocks, leafBlockStarts }
}

/** Not the high half of a leaf number, because there are fewer leaves. */
const direct = 0xffff
const listAt = 18
const maxInList = 16

const list = new Uint32Array(maxInList)

/** Returns the length of the block. */
const packBlock = (leaves: Uint32Array, block: Uint16Array): number => {
  let listed = 0
  let least = leaves[0] as number
  let most = least
  block.fill(0)
  for (let rank = 0; rank < leaves.length; rank++) {
    const leaf = leaves[rank] as number
    let entry = 0
    while (entry < listed && list[entry] !== leaf) entry++
    if (entry === maxInList) return packDirect(leaves, block)
    if (entry === listed) list[listed++] = leaf
    const at = 2 + (rank >>> 2)
    block[at] = (block[at] as number) | (entry << (4 * (rank & 3)))
    least = Math.min(least, leaf)
    most = Math.max(most, leaf)
  }
  if (most - least > 65_535) return packDirect(leaves, block)
  block[0] = least
  block[1] = least >>> 16
  for (let entry = 0; entry < listed; entry++) block[listAt + entry] = (list[entry] as number) - least
  return listAt + listed
}

const packDirect = (leaves: Uint32Array, block: Uint16Array): number => {
  block[0] = 0
  block[1] = direct
  for (let rank = 0; rank < leaves.length; rank++) {
    block[2 + 2 * rank] = leaves[rank] as number
    block[3 + 2 * rank] = (leaves[rank] as number) >>> 16
  }
  return 2 + 2 * leaves.length
}

/** Whether a block has an existing leaf for each of `size` units. */
const isSound = (blocks: Uint16Array, start: number, end: number, size: number, leafCount: number): boolean => {
  if (blocks[start + 1] === direct) {
    for (let at = start + 2; at < start + 2 + 2 * size; at += 2) {
      if (((blocks[at] as number) | ((blocks[at + 1] as number) << 16)) >>> 0 >= leafCount) return false
    }
    return end === start + 2 + 2 * size
  }
  const listed = end - start - listAt
  const least = (blocks[start] as number) | ((blocks[start + 1] as number) << 16)
  if (listed < 1 || listed > maxInList || least < 0) return false
  // Checks every other four bits at a time: an index beyond the list carries into the four bits above it.
  const beyond = (maxInList - listed) * 0x0101
  let carried = 0
  for (let at = start + 2; at < start + listAt; at++) {
    const entries = blocks[at] as number
    carried |= ((entries & 0x0f0f) + beyond) | (((entries >>> 4) & 0x0f0f) + beyond)
  }
  if ((carried & 0x1010) !== 0) return false
  // The differences have 16 bits, so most lists need not be read.
  if (least < leafCount - 65_535) return true
  for (let at = start + listAt; at < end; at++) if (least + (blocks[at] as number) >= leafCount) return false
  return true
}
