/**
 * Gives the memory of an array back at once, where the runtime can; else the garbage collector does, in its own time,
 * which for arrays of a hundred megabytes can be too late. All views of that memory are empty from then on.
 */
export const release = (array: ArrayBufferView): void => {
  // Part of the language since 2024.
  const buffer = array.buffer as { readonly transfer?: (length: number) => ArrayBuffer }
  buffer.transfer?.(0)
}
