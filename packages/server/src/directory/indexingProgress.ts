/** Progress of indexing, which cannot be measured. */
import { makeProgress, type Progress } from "../process/Progress.ts"

/** @param quiet_ms shorter work is not reported */
export const indexingProgress = (units: number, quiet_ms: number): Progress => {
  const progress = makeProgress({ doing: "indexing", what: "units", quiet_ms })
  if (units >= minReportedUnits) progress.announce()
  return progress
}

/** Indexing fewer units is too quick to report. */
const minReportedUnits = 200_000
