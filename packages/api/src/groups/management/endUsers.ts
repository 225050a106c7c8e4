/**
 * End users in the management API. Identifiers are sent in bodies only, since URLs end up in logs, and no response
 * contains one.
 */
import { endUserLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { EndUserBatch, EndUserBody } from "../../endUser.ts"
import { errorCodes, failures } from "../../errors.ts"
import { byId } from "../../oneResource.ts"

const EndUser = Schema.Struct({
  id: Schema.String,
  identifiers: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "The number of identifiers of the account. They are stored as hashes and cannot be read."
  }),
  bookmarks: Schema.Array(Schema.Struct({ postcode: Schema.String, label: Schema.String }))
}).annotate({ identifier: "EndUser", description: "An end user with the bookmarks, but without the identifiers." })

const SavedItem = Schema.Union([
  Schema.Struct({ id: Schema.String }),
  Schema.Struct({
    error: Schema.Struct({ code: Schema.Literals(errorCodes[409]), message: Schema.String })
  })
]).annotate({ identifier: "SavedEndUser", description: "The id of a saved end user, or the error." })

/** The end user endpoints of `Management`. */
export const endUserEndpoints = [
  HttpApiEndpoint.put("saveEndUser", "/v1/admin/end-users", {
    payload: EndUserBody,
    success: Data(Schema.Struct({ id: Schema.String })),
    error: failures.save
  }).annotate(OpenApi.Summary, "Save an end user's identifiers, as hashes, and bookmarks"),
  HttpApiEndpoint.put("saveEndUsers", "/v1/admin/end-users/batch", {
    payload: EndUserBatch,
    success: Data(Schema.Struct({ results: Schema.Array(SavedItem) })),
    error: failures.write
  }).annotateMerge(
    documented(
      `Save up to ${endUserLimits.batch} end users, each independently`,
      "Returns one item for each end user, in the order given. If its identifiers belong to two end users, its item " +
        "is an error, and the others are saved. Malformed input fails the whole request, and nothing is saved."
    )
  ),
  HttpApiEndpoint.get("countEndUsers", "/v1/admin/end-users", {
    success: Data(Schema.Struct({ count: Schema.Int })),
    error: failures.read
  }).annotate(OpenApi.Summary, "Count end users"),
  HttpApiEndpoint.post("findEndUser", "/v1/admin/end-users/find", {
    payload: Schema.Struct({ identifier: Schema.String }),
    success: Data(EndUser),
    error: failures.managementFind
  }).annotateMerge(
    documented(
      "Find an end user by an identifier",
      "An identifier that was saved under several peppers has several accounts. The account of the current pepper is " +
        "found first, the next one after that is removed. To delete a person by an identifier, repeat until nothing is " +
        "found. The audit log records each search, with the id of the account or the keyed hash."
    )
  ),
  HttpApiEndpoint.get("getEndUser", "/v1/admin/end-users/:id", { ...byId, success: Data(EndUser) }).annotateMerge(
    documented("Show an end user", "The audit log records each request for an end user.")
  ),
  HttpApiEndpoint.delete("removeEndUser", "/v1/admin/end-users/:id", {
    ...byId,
    success: Data(Schema.Struct({ id: Schema.String, removed_at: Schema.String }))
  }).annotate(OpenApi.Summary, "Delete an end user with its bookmarks and hashes")
] as const
