/** A unit of the directory, as operators see it. */
import type { DataOf, InputOf } from "../../../client/Contract.ts"

type Details = DataOf<"GET /v1/admin/directory/units/:postcode">

/** The state of a unit. */
export type Unit = NonNullable<Details["unit"]>

/** A change of a unit, and the unit after it. */
export type UnitEvent = Details["history"][number]

/** A change as the service takes it. */
export type UnitChange = InputOf<"POST /v1/admin/directory/changes">["body"]["changes"][number]

export type UnitChangeKind = UnitEvent["change"]

export type UnitAttributes = Unit["attributes"]

/** The screen of a unit. The address has the compact format. */
export const unitPath = (postcode: string): string => `/directory/units/${compact(postcode)}`

/** `LA-12-A03-BG-07`, from any format; a text of another length is returned as it is. */
export const displayOf = (postcode: string): string => {
  const parts = /^(\w{2})(\w{2})(\w{3})(\w{2})(\w{2})$/.exec(compact(postcode))
  return parts === null ? postcode : parts.slice(1).join("-")
}

const compact = (postcode: string): string => postcode.replace(/[^a-z0-9]/gi, "").toUpperCase()
