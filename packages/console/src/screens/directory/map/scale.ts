/** Scale steps: 1, 2 or 5 times a power of ten. */

/** The largest step up to this number: `niceStep(0.037)` is 0.02. */
export const niceStep = (most: number): number => {
  const size = 10 ** Math.floor(Math.log10(most))
  const factor = [5, 2, 1].find((each) => each * size <= most * (1 + 1e-9)) ?? 1
  return factor * size
}

/** The multiples of a step between two numbers. */
export const multiples = (step: number, from: number, to: number): ReadonlyArray<number> => {
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, at) => (first + at) * step)
}

/** `250 m`, `2 km` */
export const lengthText = (metres: number): string => (metres < 1000 ? `${metres} m` : `${metres / 1000} km`)

/** `6.5985° N`, with the decimals that the step needs. */
export const degreesText = (degrees: number, step: number, [positive, negative]: readonly [string, string]): string => {
  const places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))
  return `${Math.abs(degrees).toFixed(places)}° ${degrees < 0 ? negative : positive}`
}
