/** The growth of a figure over time, with its confidence interval. */

export interface Sample {
  readonly at_h: number
  readonly value: number
}

export interface Trend {
  /** Growth per hour. */
  readonly slope: number
  /** The half-width of the 95 % confidence interval. */
  readonly uncertainty: number
}

/** The least-squares line. */
export const trendOf = (samples: ReadonlyArray<Sample>): Trend => {
  if (samples.length < 3) throw new RangeError(`a trend takes three samples or more, found ${samples.length}`)
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [at_h, value] = [mean((one) => one.at_h), mean((one) => one.value)]
  const spread = mean((one) => (one.at_h - at_h) ** 2) * samples.length
  const slope = (mean((one) => (one.at_h - at_h) * (one.value - value)) * samples.length) / spread
  const residues = mean((one) => (one.value - value - slope * (one.at_h - at_h)) ** 2) * samples.length
  const freedom = samples.length - 2
  return { slope, uncertainty: studentT95(freedom) * Math.sqrt(residues / freedom / spread) }
}

/** The 97.5 % quantile of Student's t, accurate to 1 % from two degrees of freedom on (Cornish and Fisher). */
const studentT95 = (freedom: number): number => {
  if (freedom === 1) return 12.71
  if (freedom === 2) return 4.3
  const z = 1.96
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}
