/** Whether the memory of a replica is flat, from samples at equal distances. */

/** The medians of so many equal parts of a series. */
export const mediansOf = (series: ReadonlyArray<number>, parts: number): ReadonlyArray<number> => {
  const start = (part: number) => Math.floor((part * series.length) / parts)
  return Array.from({ length: parts }, (_, part) => {
    const own = series.slice(start(part), start(part + 1)).sort((a, b) => a - b)
    return own[own.length >> 1] ?? 0
  })
}

/**
 * Of the medians of ten minutes each, the last is at most 10 % and 20 MB above the second. In the first ten minutes code
 * is compiled and caches fill. Fewer than three medians are not judged.
 */
export const isFlat = (medians_mb: ReadonlyArray<number>): boolean => {
  const [, second, third] = medians_mb
  return second === undefined || third === undefined || (medians_mb.at(-1) as number) <= 1.1 * second + 20
}
