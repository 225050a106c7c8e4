/**
 * The headers that name the data version of an answer. The publisher of the data chooses the text of a version, so it
 * may contain any character. Headers have it percent-encoded, which keeps letters, digits and most punctuation.
 */
import type { Directory } from "@postcode/core/Directory"

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

const encodeHeaders = ({ changes, date, version }: Edition): DataHeaders => {
  // The encoding contains no plus sign, so the number of changes follows the only one.
  const shown = encode(version) + (changes > 0 ? `+${changes}` : "")
  return {
    ...(shown !== "" && { "x-data-version": shown }),
    ...(date !== "" && { "x-data-date": encode(date) })
  }
}

/** In characters, before encoding: clients reject very long headers. */
const maxShown = 64

/** Printable ASCII without spaces. `Buffer` replaces lone surrogates, at which `encodeURIComponent` would throw. */
const encode = (text: string): string => encodeURIComponent(Buffer.from(text.slice(0, maxShown)).toString())
