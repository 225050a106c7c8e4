import { listCodes } from "@postcode/core/operations/listCodes"
import { Effect, Result } from "effect"
import type { GroupHandlers } from "../Handler.ts"

export const referenceHandlers = Effect.map(listCodes, (list) => {
  const handlers: GroupHandlers<"reference"> = {
    states: () => answer(Result.map(list.states(), (states) => ({ states }))),
    lgas: ({ query: { state } }) => answer(Result.map(list.lgas(state), (lgas) => ({ lgas }))),
    districts: ({ query: { lga, state } }) =>
      answer(Result.map(list.districts(state, lga), (districts) => ({ districts }))),
    areas: ({ query: { district, lga, state } }) =>
      answer(Result.map(list.areas(state, lga, district), (areas) => ({ areas })))
  }
  return handlers
})

const answer = <A, E>(result: Result.Result<A, E>) => Effect.fromResult(Result.map(result, (data) => ({ data })))
