/** The units around a point, searched while the point is in the address. */
import { useEffect, useState } from "preact/hooks"
import { type Problem, problemOf } from "../../client/Problem.ts"
import { type Found, findUnits, type PlaceQuery } from "./findUnits.ts"

interface Outcome {
  readonly key: string
  readonly found?: Found
  readonly problem?: Problem
}

/** @param times a change repeats the search */
export const useFoundUnits = (asked: PlaceQuery | undefined, times: number): Omit<Outcome, "key"> => {
  const key = JSON.stringify([asked, times])
  const [outcome, setOutcome] = useState<Outcome>({ key: "" })
  useEffect(() => {
    if (asked === undefined) return
    const leaving = new AbortController()
    findUnits(asked, leaving.signal).then(
      (found) => setOutcome({ key, found }),
      (error) => {
        if (!leaving.signal.aborted) setOutcome({ key, problem: problemOf(error) })
      }
    )
    return () => leaving.abort()
  }, [key])
  return outcome.key === key ? outcome : {}
}
