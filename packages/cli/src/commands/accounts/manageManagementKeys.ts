/** `postcode management-keys`. */
import type { InputOf } from "@postcode/client"
import { Effect } from "effect"
import { commandName } from "../../CommandName.ts"
import { request } from "../../management/connect.ts"
import { type Paged, printList } from "../../management/lists.ts"
import { printResponse } from "../../management/printResponse.ts"
import { printSecret } from "../../terminal/Print.ts"
import type { Id, Work } from "../commandsOf.ts"

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
      REVOKED: "revoked_at"
    },
    empty: `no management keys yet: ${commandName()} management-keys create ${id} --name NAME --role ROLE makes one`
  })

/** `postcode management-keys create` */
export const createManagementKey: Work<Id & InputOf<"POST /v1/admin/organizations/:id/management-keys">["body"]> = (
  { id, name, role },
  options
) =>
  Effect.flatMap(
    request(options, "POST /v1/admin/organizations/:id/management-keys", { params: { id }, body: { name, role } }),
    (key) =>
      printSecret(options, key, `management key ${key.id} with the role ${role}; it is shown this once:`, key.secret)
  )

/** `postcode management-keys revoke` */
export const revokeManagementKey: Work<Id> = (params, options) =>
  printResponse(options, "DELETE /v1/admin/management-keys/:id", { params }, { id: "id", revoked: "revoked_at" })
