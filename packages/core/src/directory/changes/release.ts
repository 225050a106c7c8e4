/**
 * Frees the memory of an array at once, if the runtime can. The garbage collector may be too late for arrays of a
 * hundred megabytes. All views of that memory are empty afterwards.
 */
export const release = (array: ArrayBufferView): void => {
  // `transfer` is part of the language since 2024.
  const buffer = array.buffer as { readonly transfer?: (length: number) => ArrayBuffer }
  buffer.transfer?.(0)
}
