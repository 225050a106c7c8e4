/** Enriches rows that have a postcode with what a lookup shows at a level. */

import type { DataOf, PostcodeClient } from "@postcode/client"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { isPriced } from "@postcode/core/Prices"
import { maxCodeLength } from "@postcode/gateway/InputLimits"
import { columnsByName, columnsByNumber } from "../postcode/CsvColumns.ts"
import { whyNoCode, withoutMarks } from "../postcode/readCode.ts"
import type { Enrichment, Outcome, Prices } from "./Enrichment.ts"
import { type LookupResult, shownColumns } from "./shownColumns.ts"

type BatchItem = DataOf<"POST /v1/lookup/batch">["results"][number]

interface LookUpOptions {
  /** Without retries of its own. */
  readonly client: PostcodeClient
  readonly level: AccessLevel
  /** The postcodes' column as the user named it. */
  readonly column: string | undefined
}

export const lookUpRows = ({ client, column, level }: LookUpOptions): Enrichment<string> => {
  const shown = shownColumns.filter((column) => column.level <= level)
  const outcome = (status: string, postcode: string, reason: string, result?: LookupResult): Outcome => ({
    status,
    fields: [status, postcode, reason, result?.replaced_by, ...shown.map(({ read }) => result && read(result))]
  })
  const outcomeOf = (item: BatchItem): Outcome => {
    if ("error" in item) return outcome("malformed", "", item.error.message.replace(/^code: /, ""))
    const { postcode, status } = item.result
    return outcome(status, postcode, "", item.result)
  }
  return {
    columns: ["status", "canonical_postcode", "reason", "replaced_by", ...shown.map(({ name }) => name)],
    statuses: ["valid", "retired", "not_found", "malformed"],
    start: (first, noHeader) => {
      const wanted = { column, address: [] }
      const { postcode = 0 } = noHeader ? columnsByNumber(first.length, wanted) : columnsByName(first, wanted)
      const name = noHeader ? `column ${postcode + 1}` : (first[postcode]?.trim() ?? "")
      return { read: (fields) => read(fields[postcode] ?? "", name), key: postcode }
    },
    price: level === 1 ? undefined : (prices) => priceOf(prices, level),
    distinct: (codes) => new Set(codes).size,
    ask: async (codes, { prices, ...options }) => {
      const { data, meta } = await client.lookupBatch({ codes, level }, options)
      const served = meta.level ?? level
      const valid = data.results.flatMap((item) =>
        "result" in item && item.result.status === "valid" ? [item.result.postcode] : []
      )
      return {
        listPrice: priceOf(prices, served) * new Set(valid).size,
        outcomes: data.results.map(outcomeOf),
        credits: meta.credits,
        notice:
          served < level ? `the organization is granted level ${served}: the rows have no more than that` : undefined
      }
    },
    mistake: (reason) => outcome("malformed", "", reason)
  }
}

const priceOf = ({ lookup }: Prices, level: AccessLevel): number => (isPriced(level) ? lookup[level] : 0)

const read = (cell: string, name: string) => {
  const reason = whyNoCode(cell)
  if (reason !== undefined) return { reason: `${name}: ${reason}` }
  const code = withoutMarks(cell)
  return code.length > maxCodeLength
    ? { reason: `${name}: expected at most ${maxCodeLength} characters` }
    : { item: code }
}
