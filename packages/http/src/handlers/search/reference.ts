import { lookupPrice, type PriceList } from "@postcode/core/Prices"
import { Prices } from "@postcode/gateway/credits/Prices"
import { listAreas, listDistricts, listLgas, listStates } from "@postcode/gateway/search/listCodes"
import { Effect, Result } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

export const referenceHandlers: Effect.Effect<GroupHandlers<"reference">> = Effect.map(Prices, (prices) => ({
  states: ({ directory }) => answer(Result.map(listStates(directory), (states) => ({ states }))),
  lgas: ({ directory, query: { state } }) => answer(Result.map(listLgas(directory, state), (lgas) => ({ lgas }))),
  districts: ({ directory, query: { lga, state } }) =>
    answer(Result.map(listDistricts(directory, state, lga), (districts) => ({ districts }))),
  areas: ({ directory, query: { district, lga, state } }) =>
    answer(Result.map(listAreas(directory, state, lga, district), (areas) => ({ areas }))),
  prices: () => Effect.succeed({ data: priceList(prices) })
}))

const answer = <A, E>(result: Result.Result<A, E>) => Effect.fromResult(Result.map(result, (data) => ({ data })))

const priceList = (prices: PriceList) => ({
  lookup: {
    "1": lookupPrice(prices, 1),
    "2": lookupPrice(prices, 2),
    "3": lookupPrice(prices, 3),
    "4": lookupPrice(prices, 4),
    "5": lookupPrice(prices, 5)
  },
  widget_session: prices.widget_session,
  address_search: prices.address_search
})
