/** Allocation of arrays, for one thread or in memory shared by threads, and their release. */

export interface Arrays {
  readonly bytes: (length: number) => Uint8Array
  readonly uint16s: (length: number) => Uint16Array
  readonly uint32s: (length: number) => Uint32Array
  readonly int32s: (length: number) => Int32Array
  readonly float64s: (length: number) => Float64Array
}

/** Arrays in the memory of the thread that creates them. */
export const ownArrays: Arrays = {
  bytes: (length) => new Uint8Array(length),
  uint16s: (length) => new Uint16Array(length),
  uint32s: (length) => new Uint32Array(length),
  int32s: (length) => new Int32Array(length),
  float64s: (length) => new Float64Array(length)
}

/** A function, because web pages without cross-origin isolation have no SharedArrayBuffer. */
export const sharedArrays = (): Arrays => ({
  bytes: (length) => new Uint8Array(new SharedArrayBuffer(length)),
  uint16s: (length) => new Uint16Array(new SharedArrayBuffer(2 * length)),
  uint32s: (length) => new Uint32Array(new SharedArrayBuffer(4 * length)),
  int32s: (length) => new Int32Array(new SharedArrayBuffer(4 * length)),
  float64s: (length) => new Float64Array(new SharedArrayBuffer(8 * length))
})

/**
 * Frees the memory of an array at once, if the runtime can. The garbage collector may be too late for arrays of a
 * hundred megabytes. All views of that memory are empty afterwards.
 */
export const release = (array: ArrayBufferView): void => {
  // `transfer` is part of the language since 2024.
  const buffer = array.buffer as { readonly transfer?: (length: number) => ArrayBuffer }
  buffer.transfer?.(0)
}
