/**
 * End users in the management API. Identifiers are sent in bodies only, since URLs end up in logs, and no response
 * contains one.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data } from "../answers.ts"
import { documented } from "../documented.ts"
import { EndUserBatch, EndUserBody } from "../endUser.ts"
import { errorCodes, failures } from "../errors.ts"
import { byId } from "../oneResource.ts"

const EndUser = Schema.Struct({
  id: Schema.String,
  identifiers: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "How many lead to the account; which ones, nobody can tell."
  }),
  bookmarks: Schema.Array(Schema.Struct({ postcode: Schema.String, label: Schema.String }))
}).annotate({ identifier: "EndUser" })

const SavedItem = Schema.Union([
  Schema.Struct({ id: Schema.String }),
  Schema.Struct({
    error: Schema.Struct({ code: Schema.Literals(errorCodes[409]), message: Schema.String })
  })
]).annotate({ identifier: "SavedEndUser" })

/** The end user endpoints of `Management`. */
export const endUserEndpoints = [
  HttpApiEndpoint.put("saveEndUser", "/v1/admin/end-users", {
    payload: EndUserBody,
    success: Data(Schema.Struct({ id: Schema.String })),
    error: failures.save
  }).annotate(OpenApi.Summary, "Store an end user's identifiers, as hashes, and bookmarks"),
  HttpApiEndpoint.put("saveEndUsers", "/v1/admin/end-users/batch", {
    payload: EndUserBatch,
    success: Data(Schema.Struct({ results: Schema.Array(SavedItem) })),
    error: failures.write
  }).annotateMerge(
    documented(
      "Store up to 500 end users, each as if alone",
      "One item for each end user, in the order given. One whose identifiers belong to two accounts is an error of " +
        "its own item, and the others are stored. Anything malformed fails the whole request, and nothing is stored."
    )
  ),
  HttpApiEndpoint.get("countEndUsers", "/v1/admin/end-users", {
    success: Data(Schema.Struct({ count: Schema.Int })),
    error: failures.read
  }).annotate(OpenApi.Summary, "How many end users there are"),
  HttpApiEndpoint.post("findEndUser", "/v1/admin/end-users/find", {
    payload: Schema.Struct({ identifier: Schema.String }),
    success: Data(EndUser),
    error: failures.managementFind
  }).annotateMerge(
    documented(
      "Find an end user by an identifier",
      "An identifier has more than one account where it was saved under more than one pepper. The one under the " +
        "present pepper is found first, and the next once that is removed. So whoever forgets a person by an " +
        "identifier goes on until none is found. Each search is in the audit log, by the id of the account or else by the keyed hash."
    )
  ),
  HttpApiEndpoint.get("getEndUser", "/v1/admin/end-users/:id", { ...byId, success: Data(EndUser) }).annotateMerge(
    documented("Show an end user", "The audit log has an entry of each look at an end user.")
  ),
  HttpApiEndpoint.delete("removeEndUser", "/v1/admin/end-users/:id", {
    ...byId,
    success: Data(Schema.Struct({ id: Schema.String, removed_at: Schema.String }))
  }).annotate(OpenApi.Summary, "Forget an end user: bookmarks, and the hashes that lead to them")
] as const
