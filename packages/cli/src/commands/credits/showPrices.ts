/** `postcode credits prices`: what a service charges. */
import type { DataOf } from "@postcode/client"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { clientWithKey, type KeyFlags, resolveKey } from "../../management/apiKey.ts"
import { failureOf } from "../../management/connect.ts"
import { printTable } from "../../terminal/Print.ts"

/** Prices are public: no key is sent. */
export const showPrices = ({
  json,
  ...flags
}: KeyFlags & { readonly json: boolean }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { url } = yield* resolveKey(flags)
    const prices = yield* Effect.tryPromise({
      try: async (signal) =>
        (await clientWithKey({ url, key: undefined }).request("GET /v1/reference/prices", {}, { signal })).data,
      catch: (error) => failureOf(error, { url, source: undefined })
    })
    yield* printTable({ json }, prices, rowsOf(prices), {
      columns: { REQUEST: "request", CREDITS: { right: ({ credits }) => grouped(credits) } },
      empty: "the service has no prices"
    })
  })

interface Row {
  readonly request: string
  readonly credits: number
}

const rowsOf = ({ address_search, lookup, widget_session }: DataOf<"GET /v1/reference/prices">): ReadonlyArray<Row> => [
  ...Object.entries(lookup).map(([level, credits]) => ({ request: `lookup, level ${level}`, credits })),
  { request: "widget session", credits: widget_session },
  { request: "address search", credits: address_search }
]
