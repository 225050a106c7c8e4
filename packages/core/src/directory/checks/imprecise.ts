/** Finds coordinates that are coarse, or of another format than decimal degrees, by all of their decimals. */
import type { Findings } from "./Finding.ts"
import type { Points } from "./UnitGroups.ts"

/** A few units may have such decimals by chance. */
const minUnits = 100
const maxSample = 20_000

export const imprecise = ({ lats_e7, lons_e7 }: Points): Findings => {
  const details = [faultOf("lat", lats_e7), faultOf("lon", lons_e7)].filter((detail) => detail !== undefined)
  return { kind: "imprecise", ids: details.map(() => -1), detail: (index) => details[index] as string }
}

const faultOf = (name: string, values_e7: Int32Array): string | undefined => {
  const step = Math.ceil(values_e7.length / maxSample)
  const sample = values_e7.filter((value, at) => at % step === 0 && value !== 0)
  const isUsual = (holds: (decimals_e7: number) => boolean) =>
    sample.filter((value) => holds(Math.abs(value) % 1e7)).length >= sample.length * 0.99
  if (sample.length < minUnits) return undefined
  const decimals = [0, 1, 2, 3].find((count) => isUsual((value) => value % 10 ** (7 - count) === 0))
  if (decimals !== undefined) return `${name} is rounded to ${10 ** -decimals} degrees`
  // 5.0624 for 5 degrees, 6 minutes and 24 seconds.
  return isUsual((value) => value < 6e6 && value % 1e5 < 6e4) ? `${name} may be in minutes and seconds` : undefined
}
