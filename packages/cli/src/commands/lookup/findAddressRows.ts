/** Enriches rows that have an address with the postcode that it leads to. */

import type { AddressAnswer, PostcodeClient } from "@postcode/client"
import { maxAddressText } from "@postcode/gateway/InputLimits"
import { columnOf } from "../postcode/CsvColumns.ts"
import { addressPart } from "../postcode/readCode.ts"
import type { Enrichment, Outcome } from "./Enrichment.ts"

interface FindOptions {
  /** Without retries of its own. */
  readonly client: PostcodeClient
  /** The columns that make up an address, in order, as the user named them. */
  readonly address: ReadonlyArray<string>
}

export const findAddressRows = ({ address, client }: FindOptions): Enrichment<string> => {
  return {
    columns: ["code", "precision", "confidence", "action", "label", "message"],
    statuses: ["accept", "confirm", "ask"],
    start: (first, noHeader) => {
      const columns = address.map((wanted) => columnOf(first, noHeader, wanted, "--address"))
      const names = columns.map((column) => (noHeader ? `column ${column + 1}` : (first[column]?.trim() ?? "")))
      const partsOf = (fields: ReadonlyArray<string>) => columns.map((column) => addressPart(fields[column] ?? ""))
      return { read: (fields) => read(partsOf(fields), names.join(", ")), key: undefined }
    },
    price: (prices) => prices.address_search,
    distinct: (queries) => new Set(queries).size,
    ask: async (queries, { prices, ...options }) => {
      const { data, meta } = await client.findAddressBatch({ queries, limit: 1 }, options)
      const outcomes = data.results.map((item) =>
        "error" in item ? mistake(item.error.message.replace(/^q: /, "")) : outcomeOf(item.result)
      )
      const listPrice = prices.address_search * new Set(queries).size
      return { outcomes, credits: meta.credits, listPrice, notice: undefined }
    },
    mistake
  }
}

const read = (parts: ReadonlyArray<string>, names: string) => {
  const text = parts.filter((part) => part !== "").join(", ")
  if (text === "") return { reason: `there is no address in ${names}` }
  return text.length > maxAddressText
    ? { reason: `${names}: expected at most ${maxAddressText} characters, found ${text.length}` }
    : { item: text }
}

const outcomeOf = ({ action, code, confidence, label, message, precision }: AddressAnswer): Outcome => ({
  status: action,
  fields: [code ?? "", precision ?? "", confidence, action, label ?? "", message]
})

const mistake = (reason: string): Outcome => ({ status: "ask", fields: ["", "", "", "ask", "", reason] })
