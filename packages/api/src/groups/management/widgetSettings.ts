/** Settings of an organization's widget sessions in the management API, and its proof key. */
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { created, Data, Timestamp } from "../../answers.ts"
import { byId, byIdWithBody } from "../../oneResource.ts"

const ownBookmarks = Schema.Boolean.annotate({
  description: "Whether end users with a proof can save and remove bookmarks. Default: false."
})
const bookmarksWithoutProof = Schema.Boolean.annotate({
  description: "Whether sessions without a proof show bookmarks. Default: true."
})

const WidgetSettings = Schema.Struct({
  own_bookmarks: ownBookmarks,
  bookmarks_without_proof: bookmarksWithoutProof,
  proof_key_created_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "WidgetSettings", description: "An organization's settings of its widget." })

const CreatedProofKey = Schema.Struct({
  secret: Schema.String,
  created_at: Timestamp,
  former_until: Schema.NullOr(Timestamp).annotate({ description: "Until when the previous key is also valid." })
}).annotate({ identifier: "CreatedProofKey", description: "Only this response contains the secret." })

/** The widget's endpoints of `Management`. */
export const widgetSettingsEndpoints = [
  HttpApiEndpoint.get("getWidgetSettings", "/v1/admin/organizations/:id/widget", {
    ...byId,
    success: Data(WidgetSettings)
  }).annotate(OpenApi.Summary, "Show the bookmark settings of an organization's widget sessions"),
  HttpApiEndpoint.patch("setWidgetSettings", "/v1/admin/organizations/:id/widget", {
    ...byIdWithBody,
    payload: Schema.Struct({
      own_bookmarks: Schema.optionalKey(ownBookmarks),
      bookmarks_without_proof: Schema.optionalKey(bookmarksWithoutProof)
    }),
    success: Data(WidgetSettings)
  }).annotate(OpenApi.Summary, "Change the bookmark settings of an organization's widget sessions"),
  HttpApiEndpoint.post("createProofKey", "/v1/admin/organizations/:id/widget/proof-key", {
    ...byId,
    success: Data(CreatedProofKey).pipe(created)
  }).annotate(
    OpenApi.Summary,
    "Create the key with which an organization's server signs proofs. The previous key is valid for another 24 hours"
  )
] as const
