/**
 * XXH32 with seed 0, the checksum of snapshots: fast without native code, and available in every language. It detects
 * accidental damage, not deliberate changes.
 */

/** The XXH32 of the bytes, as an unsigned 32-bit number. */
export const xxh32 = (bytes: Uint8Array): number => {
  // A DataView reads unaligned little-endian words on any machine and is as fast as a typed array.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const striped = bytes.byteLength - (bytes.byteLength % 16)
  let hash = striped === 0 ? prime5 : hashStripes(view, striped)
  hash = (hash + bytes.byteLength) | 0
  let at = striped
  for (; at + 4 <= bytes.byteLength; at += 4) {
    hash = Math.imul(rotate(hash + Math.imul(view.getInt32(at, true), prime3), 17), prime4)
  }
  for (; at < bytes.byteLength; at++) {
    hash = Math.imul(rotate(hash + Math.imul(view.getUint8(at), prime5), 11), prime1)
  }
  hash = Math.imul(hash ^ (hash >>> 15), prime2)
  hash = Math.imul(hash ^ (hash >>> 13), prime3)
  return (hash ^ (hash >>> 16)) >>> 0
}

const prime1 = 0x9e3779b1 | 0
const prime2 = 0x85ebca77 | 0
const prime3 = 0xc2b2ae3d | 0
const prime4 = 0x27d4eb2f | 0
const prime5 = 0x165667b1 | 0

/**
 * Four accumulators, one for each word of a 16-byte stripe, for instruction-level parallelism. One call per block:
 * repeated calls are compiled earlier than one long loop.
 */
const hashStripes = (view: DataView, end: number): number => {
  const lanes = Int32Array.of(prime1 + prime2, prime2, 0, -prime1)
  for (let at = 0; at < end; at += blockLength) hashBlock(view, lanes, at, Math.min(at + blockLength, end))
  const [a, b, c, d] = lanes as unknown as readonly [number, number, number, number]
  return (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0
}

const blockLength = 2 ** 16

/** Two stripes per iteration are 1.5 times as fast as one. */
const hashBlock = (view: DataView, lanes: Int32Array, start: number, end: number): void => {
  let a = lanes[0] as number
  let b = lanes[1] as number
  let c = lanes[2] as number
  let d = lanes[3] as number
  let at = start
  for (; at + 32 <= end; at += 32) {
    a = nextLane(a, view.getInt32(at, true))
    b = nextLane(b, view.getInt32(at + 4, true))
    c = nextLane(c, view.getInt32(at + 8, true))
    d = nextLane(d, view.getInt32(at + 12, true))
    a = nextLane(a, view.getInt32(at + 16, true))
    b = nextLane(b, view.getInt32(at + 20, true))
    c = nextLane(c, view.getInt32(at + 24, true))
    d = nextLane(d, view.getInt32(at + 28, true))
  }
  if (at < end) {
    a = nextLane(a, view.getInt32(at, true))
    b = nextLane(b, view.getInt32(at + 4, true))
    c = nextLane(c, view.getInt32(at + 8, true))
    d = nextLane(d, view.getInt32(at + 12, true))
  }
  lanes[0] = a
  lanes[1] = b
  lanes[2] = c
  lanes[3] = d
}

const nextLane = (lane: number, word: number): number => {
  const mixed = (lane + Math.imul(word, prime2)) | 0
  return Math.imul((mixed << 13) | (mixed >>> 19), prime1)
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))
