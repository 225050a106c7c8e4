/** `postcode orgs widget` and `postcode orgs proof-key`. */
import type { DataOf } from "@postcode/client"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printSecret } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Id, Work } from "../commandsOf.ts"

type OnOff = "off" | "on"

/** `postcode orgs widget`: shows the settings, or changes those that are given. */
export const changeWidget: Work<
  Id & { readonly own_bookmarks: OnOff | undefined; readonly bookmarks_without_proof: OnOff | undefined }
> = ({ bookmarks_without_proof, id, own_bookmarks }, options) => {
  const params = { id }
  const body = {
    ...(own_bookmarks !== undefined && { own_bookmarks: own_bookmarks === "on" }),
    ...(bookmarks_without_proof !== undefined && { bookmarks_without_proof: bookmarks_without_proof === "on" })
  }
  return Object.keys(body).length === 0
    ? printResponse(options, "GET /v1/admin/organizations/:id/widget", { params }, settings)
    : printResponse(options, "PATCH /v1/admin/organizations/:id/widget", { params, body }, settings)
}

/** `postcode orgs proof-key` */
export const createProofKey: Work<Id> = (params, options) =>
  Effect.flatMap(request(options, "POST /v1/admin/organizations/:id/widget/proof-key", { params }), (key) => {
    const former = key.former_until === null ? "" : `the key before is valid until ${key.former_until}; `
    return printSecret(options, key, `${former}the new proof key is shown this once:`, key.secret)
  })

const onOff = (value: boolean): OnOff => (value ? "on" : "off")

const settings: View<DataOf<"GET /v1/admin/organizations/:id/widget">> = {
  "own bookmarks": ({ own_bookmarks }) => onOff(own_bookmarks),
  "bookmarks without proof": ({ bookmarks_without_proof }) => onOff(bookmarks_without_proof),
  "proof key": ({ proof_key_created_at }) => proof_key_created_at ?? "none"
}
