/** The axis of a chart, from 0. */

/**
 * Three to five round whole numbers from 0 to at least the maximum.
 *
 * @example ticksTo(730) // [0, 200, 400, 600, 800]
 */
export const ticksTo = (maximum: number): ReadonlyArray<number> => {
  const rough = Math.max(1, maximum / 4)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough
  return Array.from({ length: Math.max(1, Math.ceil(maximum / step)) + 1 }, (_, i) => i * step)
}

/** The compact format: `1.5M`. */
export const shortAmount = (value: number): string => format.format(value)

const format = new Intl.NumberFormat("en", { notation: "compact" })
