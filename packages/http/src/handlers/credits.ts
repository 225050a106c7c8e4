import { correctCredits } from "@postcode/gateway/credits/correctCredits"
import { grantCredits } from "@postcode/gateway/credits/grantCredits"
import { readStatement } from "@postcode/gateway/credits/readStatement"
import { reportCredits } from "@postcode/gateway/credits/reportCredits"
import { setLowBalance } from "@postcode/gateway/credits/setLowBalance"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { asData } from "./asData.ts"
import { pageRequest } from "./page.ts"

export const creditHandlers = Effect.gen(function* () {
  const statement = yield* readStatement
  const grant = yield* grantCredits
  const correct = yield* correctCredits
  const setThreshold = yield* setLowBalance
  const report = yield* reportCredits

  const handlers: Pick<
    GroupHandlers<"management">,
    "correctCredits" | "creditDays" | "credits" | "grantCredits" | "setLowBalance"
  > = {
    grantCredits: ({ manager, params, payload }) =>
      Effect.map(grant({ organization_id: params.id, ...payload }, manager as Manager), asData),
    correctCredits: ({ manager, params, payload: { reason: note, ...correction } }) =>
      Effect.map(correct({ organization_id: params.id, note, ...correction }, manager as Manager), asData),
    creditDays: ({ manager, query: { environment, from, to } }) =>
      Effect.map(report({ environment, from, to }, manager as Manager), (days) => ({ data: { days } })),
    credits: ({ manager, params, query: { environment, reference, ...page } }) =>
      Effect.map(
        statement({ organization_id: params.id, environment }, pageRequest(page), manager as Manager, { reference }),
        ({ buy_url, entries: { items, next_cursor }, ...balance }) => ({
          data: { ...balance, buy_url: buy_url ?? null, entries: items, next_cursor }
        })
      ),
    setLowBalance: ({ manager, params, payload: { environment, threshold } }) =>
      Effect.map(setThreshold({ organization_id: params.id, environment }, threshold, manager as Manager), asData)
  }
  return handlers
})
