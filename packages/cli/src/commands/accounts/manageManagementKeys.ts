/** `postcode management-keys`. */
import type { InputOf } from "@postcode/client"
import { commandName } from "@postcode/server/process/CommandName"
import { Effect } from "effect"
import { request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printSecret } from "../../terminal/Print.ts"
import type { Id, Work } from "../commandsOf.ts"
import { expiryAfter, untilText } from "../keyLifetime.ts"

/** `postcode management-keys list` */
export const listManagementKeys: Work<Paged & Id> = ({ id, page }, options) =>
  printList(options, "GET /v1/admin/organizations/:id/management-keys", { params: { id } }, page, {
    columns: {
      ID: "id",
      NAME: "name",
      KEY: ({ prefix }) => `${prefix}…`,
      ROLE: "role",
      BY: "created_by",
      CREATED: "created_at",
      "LAST USED": "last_used_at",
      STATUS: "status",
      EXPIRES: "expires_at",
      ADDRESSES: ({ allowed_ips }) => allowed_ips.join(", ")
    },
    empty: `no management keys yet: ${commandName()} management-keys create ${id} --name NAME --role ROLE makes one`
  })

interface Creation extends Omit<InputOf<"POST /v1/admin/organizations/:id/management-keys">["body"], "expires_at"> {
  readonly expires_in_ms: number | undefined
}

/** `postcode management-keys create` */
export const createManagementKey: Work<Creation & Id> = ({ expires_in_ms, id, ...fields }, options) =>
  Effect.gen(function* () {
    const body = { ...fields, expires_at: yield* expiryAfter(expires_in_ms) }
    const key = yield* request(options, "POST /v1/admin/organizations/:id/management-keys", { params: { id }, body })
    const words = `management key ${key.id} with the role ${key.role}${untilText(key.expires_at)}; it is shown this once:`
    yield* printSecret(options, key, words, key.secret)
  })

/** `postcode management-keys revoke` */
export const revokeManagementKey: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/management-keys/:id", { params }, { id: "id", revoked: "revoked_at" })
