/** The documents that a person accepts by signing up. */
import { Context } from "effect"
import { isPlainWebAddress } from "../SupportContact.ts"

/** A page, and the day of the version that is there now. */
export interface DatedPage {
  readonly url: string
  /** `2026-11-01` */
  readonly version: string
}

/** Undefined where the operator has set none. */
export interface Terms {
  readonly terms: DatedPage | undefined
  readonly privacy: DatedPage | undefined
}

/** The documents of an instance. The version that an account accepted is recorded with it. */
export const Terms = Context.Reference<Terms>("@postcode/gateway/Terms", {
  defaultValue: () => ({ terms: undefined, privacy: undefined })
})

/** What a valid page is, for messages. */
export const datedPageForm =
  "an https address and the day of its version, such as https://postcode.example/terms 2026-11-01"

/** Reads a page and its version. */
export const readDatedPage = (text: string): DatedPage | undefined => {
  const [url = "", version = "", ...rest] = text.trim().split(/\s+/)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(version) && new Date(version).toJSON()?.startsWith(version) === true
  return isPlainWebAddress(url) && isDay && rest.length === 0 ? { url, version } : undefined
}
