import { listAreas, listDistricts, listLgas, listStates } from "@postcode/gateway/search/listCodes"
import { Effect, Result } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

export const referenceHandlers: GroupHandlers<"reference"> = {
  states: ({ directory }) => answer(Result.map(listStates(directory), (states) => ({ states }))),
  lgas: ({ directory, query: { state } }) => answer(Result.map(listLgas(directory, state), (lgas) => ({ lgas }))),
  districts: ({ directory, query: { lga, state } }) =>
    answer(Result.map(listDistricts(directory, state, lga), (districts) => ({ districts }))),
  areas: ({ directory, query: { district, lga, state } }) =>
    answer(Result.map(listAreas(directory, state, lga, district), (areas) => ({ areas })))
}

const answer = <A, E>(result: Result.Result<A, E>) => Effect.fromResult(Result.map(result, (data) => ({ data })))
