/** The subset of CBOR (RFC 8949) that authenticators write. */

/** Keys of maps may be numbers. */
export type CborValue =
  | number
  | string
  | Uint8Array
  | ReadonlyArray<CborValue>
  | ReadonlyMap<number | string, CborValue>

export const encodeCbor = (value: CborValue): Buffer => {
  if (typeof value === "number") return value < 0 ? head(1, -value - 1) : head(0, value)
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)])
    return Buffer.concat([head(5, value.size), ...entries])
  }
  const items = [...(value as ReadonlyArray<CborValue>)]
  return Buffer.concat([head(4, items.length), ...items.map(encodeCbor)])
}

/** The major type and its argument: a value, or a length below 65,536. */
const head = (type: number, argument: number): Buffer => {
  if (argument < 24) return Buffer.from([(type << 5) | argument])
  if (argument < 256) return Buffer.from([(type << 5) | 24, argument])
  return Buffer.from([(type << 5) | 25, argument >> 8, argument & 0xff])
}
