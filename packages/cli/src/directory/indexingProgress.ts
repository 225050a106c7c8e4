/** What is shown while the units that were read are put in order, which cannot tell how far it is. */
import { makeProgress, type Progress } from "../Progress.ts"

/** @param quiet_ms work that ends within this time is not mentioned */
export const indexingProgress = (units: number, quiet_ms: number): Progress => {
  const progress = makeProgress({ doing: "indexing", what: "units", quiet_ms })
  if (units >= manyUnits) progress.announce()
  return progress
}

/** From how many units on indexing takes long enough to say what is being waited for. */
const manyUnits = 200_000
