/** UTF-8 by its bytes: RFC 3629, which knows neither overlong forms nor surrogates. */

/**
 * How many bytes the character at `at` has; 0 if it is malformed. The bytes from there on have to end with one that
 * continues nothing, such as a line feed.
 */
export const characterBytes = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at] as number
  if (lead < 0x80) return 1
  const second = bytes[at + 1] as number
  if (lead < 0xe0) return lead >= 0xc2 && isContinuation(second) ? 2 : 0
  if (lead < 0xf0) {
    const low = lead === 0xe0 ? 0xa0 : 0x80
    const high = lead === 0xed ? 0x9f : 0xbf
    return second >= low && second <= high && isContinuation(bytes[at + 2] as number) ? 3 : 0
  }
  const low = lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xf4 ? 0x8f : 0xbf
  const isWhole = isContinuation(bytes[at + 2] as number) && isContinuation(bytes[at + 3] as number)
  return lead <= 0xf4 && second >= low && second <= high && isWhole ? 4 : 0
}

/** Where the first malformed character is; `end` if there is none. `bytes[end]` has to be a line feed. */
export const firstMalformed = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end) {
    const width = characterBytes(bytes, at)
    if (width === 0) return at
    at += width
  }
  return at
}

/** Where the last character begins if it is cut off at `end`; else `end`. */
export const cutCharacter = (bytes: Uint8Array, start: number, end: number): number => {
  for (let at = end - 1; at >= Math.max(start, end - 3); at--) {
    const byte = bytes[at] as number
    if (isContinuation(byte)) continue
    const width = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return at + width > end ? at : end
  }
  return end
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
