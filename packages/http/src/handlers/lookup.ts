import { explainMalformed } from "@postcode/core/Corrections"
import { type Postcode, parse } from "@postcode/core/Postcode"
import { type LookupResult, lookup } from "@postcode/gateway/lookup/lookup"
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { type PointOnWire, toPoint } from "./search/search.ts"

export const lookupHandlers = Effect.gen(function* () {
  const find = yield* lookup

  const handlers: GroupHandlers<"lookup"> = {
    single: ({ directory, idempotency_key, principal, query, request_id }) =>
      Effect.mapEager(
        find({
          directory,
          codes: [query.code],
          level: query.level ?? 1,
          principal,
          request_id,
          idempotency_key,
          reason: "lookup"
        }),
        ({ level, receipt, results }) => ({ data: toWire(results[0] as LookupResult), level, receipt })
      ),

    batch: ({ directory, idempotency_key, payload, principal, request_id }) => {
      const parsed = payload.codes.map((code) => parse(code))
      const request = {
        directory,
        codes: parsed.flatMap((result) => (result.ok ? [result.postcode] : [])),
        asked: parsed.map((result, i) => (result.ok ? result.postcode : (payload.codes[i] as string))),
        level: payload.level ?? 1,
        principal,
        request_id,
        idempotency_key,
        reason: "lookup_batch"
      } as const
      return Effect.map(find(request), ({ level, receipt, results }) => {
        const found = results[Symbol.iterator]()
        const items = payload.codes.map((code, i) => {
          const result = parsed[i] as ReturnType<typeof parse>
          if (result.ok) return { code, result: toWire(found.next().value as LookupResult) }
          const message = `code: ${explainMalformed(directory, code, result.error)}`
          return { code, error: { code: "invalid_parameter" as const, message } }
        })
        return { data: { results: items }, level, receipt }
      })
    }
  }
  return handlers
})

type WireResult = Omit<LookupResult, "point_geometry" | "postcode"> & {
  readonly postcode: Postcode
  readonly point_geometry?: PointOnWire
}

/** A point as GeoJSON. */
export const toWire = (result: LookupResult): WireResult =>
  result.point_geometry === undefined
    ? (result as Omit<LookupResult, "point_geometry">)
    : { ...result, point_geometry: toPoint(result.point_geometry) }
