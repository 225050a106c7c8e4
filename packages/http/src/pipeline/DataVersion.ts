/** The headers that name the data version of an answer. */
import { type Directory, encodeText, formatVersion } from "@postcode/core/Directory"

export interface DataHeaders {
  readonly "x-data-version"?: string
  readonly "x-data-date"?: string
}

type Edition = Pick<Directory, "version" | "date" | "changes">

/**
 * The headers of an answer that comes from this directory. An unknown version or date has no header.
 *
 * ```ts
 * dataHeaders(directory) // { "x-data-version": "2026-1+17", "x-data-date": "2026-01-31" }
 * ```
 */
export const dataHeaders = (directory: Edition): DataHeaders => {
  const headers = headersOf.get(directory) ?? encodeHeaders(directory)
  headersOf.set(directory, headers)
  return headers
}

/** Encoded once for each directory: encoding takes 4 % of the CPU time of a lookup. */
const headersOf = new WeakMap<Edition, DataHeaders>()

const encodeHeaders = ({ changes, date, version }: Edition): DataHeaders => ({
  ...((version !== "" || changes > 0) && { "x-data-version": formatVersion({ edition: version, changes }) }),
  ...(date !== "" && { "x-data-date": encodeText(date) })
})
