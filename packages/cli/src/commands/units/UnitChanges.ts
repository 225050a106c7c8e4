/** Changes as they are sent, and what is wrong with one whatever the directory holds. */
import type { InputOf } from "@postcode/client"
import { type ChangeKind, changeFault, changeKinds } from "@postcode/core/Changes"
import { type Postcode, parse } from "@postcode/core/Postcode"

/** A change of one unit, as the service takes it. */
export type Change = InputOf<"POST /v1/admin/directory/changes">["body"]["changes"][number]

/** The fields that a change of each kind has besides its postcode. */
const fieldsByKind: Readonly<Record<ChangeKind, ReadonlyArray<string>>> = {
  add: ["lat", "lng", "active", "replaced_by", "attributes"],
  move: ["lat", "lng"],
  retire: ["replaced_by"],
  replace: ["replaced_by"],
  reactivate: [],
  set: ["attributes"]
}

/** Why a change can never be applied; undefined if it may. A field that it would not use is a mistake, too. */
export const faultOf = (change: Readonly<Record<string, unknown>>): string | undefined => {
  const { change: kind, lat, lng: lon, postcode, replaced_by, ...rest } = change
  const used = changeKinds.find((one) => one === kind)
  if (used === undefined) return `change: expected one of ${changeKinds.join(", ")}`
  const unused = Object.keys(change).filter((name) => !["change", "postcode", ...fieldsByKind[used]].includes(name))
  if (unused.length > 0) return `${unused.join(", ")}: expected nothing, as ${used} does not use it`
  return changeFault({
    ...rest,
    change: kind,
    postcode: canonical(postcode),
    coordinate: { lat, lon },
    ...(replaced_by !== undefined && { replaced_by: canonical(replaced_by) })
  })
}

const canonical = (text: unknown): Postcode => {
  const parsed = typeof text === "string" ? parse(text) : undefined
  return parsed?.ok === true ? parsed.postcode : (text as Postcode)
}
