import { selectionSources } from "@postcode/core/Selection"
import { identifierTypes } from "@postcode/gateway/widget/endUsers/EndUserIdentifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, FromDirectory, Host, Leveled, Metered } from "../access.ts"
import { AddressAnswer } from "../addressAnswer.ts"
import { created, Data, MapStyle } from "../answers.ts"
import { documented } from "../documented.ts"
import { BookmarkLabel } from "../endUser.ts"
import { failures } from "../errors.ts"
import { AddressText, CandidateLimit, Code, Jwt, oneOf, Radius, SessionUnitLimit, Synonyms } from "../parameters.ts"
import { LookupResult } from "./lookup.ts"
import { NotReversed, place, SessionReversed, SessionUnit } from "./search.ts"

const WidgetSession = Schema.Struct({
  token: Schema.String.annotate({
    description: "A JWT. Send it as Authorization: Bearer <token>. Its contents may change."
  }),
  expires_in: Schema.Int.annotate({ description: "Seconds until the token expires." }),
  map_style: MapStyle
}).annotate({ identifier: "WidgetSession", description: "The token of a widget session." })

const Bookmark = Schema.Struct({ postcode: Schema.String, label: Schema.String }).annotate({
  identifier: "Bookmark",
  description: "A postcode that an end user saved, with its label."
})

/** The widget's endpoints: start a session, list the end user's bookmarks, look up, search, record a selection. */
export const Widget = HttpApiGroup.make("widget")
  .add(
    HttpApiEndpoint.post("session", "/v1/widget/session", {
      payload: Schema.Struct({
        identifier_type: Schema.optionalKey(
          oneOf(identifierTypes).annotate({
            description: "The kind of `identifier`. Optional; it must match `identifier`."
          })
        ),
        identifier: Schema.optionalKey(
          Schema.String.annotate({
            description: "An 11-digit NIN, or an email address. A session without it has no bookmarks."
          })
        ),
        proof: Schema.optionalKey(
          Jwt.annotate({
            description:
              "A JWT with which your server vouches that the end user owns `identifier`: HS256 with the organization's " +
              "proof key; `iss` the organization's id, `aud` `postcode-widget`, `sub` the identifier, `exp` at most 600 " +
              "seconds ahead. The session may then keep bookmarks, if the organization allows it."
          })
        )
      }),
      success: Data(WidgetSession),
      error: failures.pricedWrite
    })
      .annotateMerge(
        documented(
          "Start a session for an end user",
          "Needs a publishable key; browsers must be on one of its origins. The response is the same whether or not the " +
            "identifier is known. It costs the price of a session. Limits per minute: 30 sessions of an address, and 10 of " +
            "an organization for one identifier."
        )
      )
      .annotate(Access, "publishable")
      .annotate(Metered, true),
    HttpApiEndpoint.get("bookmarks", "/v1/widget/bookmarks", {
      success: Data(Schema.Struct({ bookmarks: Schema.Array(Bookmark) })),
      error: failures.read
    })
      .annotateMerge(
        documented(
          "List the bookmarks of the session's end user",
          "In their order; empty if the identifier of the session is unknown. Free."
        )
      )
      .annotate(Access, "session"),
    HttpApiEndpoint.post("saveBookmark", "/v1/widget/bookmarks", {
      payload: Schema.Struct({ postcode: Code, label: BookmarkLabel }),
      success: Data(Bookmark).pipe(created),
      error: failures.save
    })
      .annotateMerge(
        documented(
          "Save a bookmark of the session's end user",
          "Needs a session with a `proof`, and an organization with `own_bookmarks` on; otherwise 403 " +
            "insufficient_scope. Only this organization's sessions with a proof show the bookmark. Saving the same postcode " +
            "again replaces the label. An end user has at most 100 bookmarks, and a session can make 30 changes. Free."
        )
      )
      .annotate(Access, "session"),
    HttpApiEndpoint.delete("removeBookmark", "/v1/widget/bookmarks", {
      query: { code: Code },
      success: Data(Schema.Struct({ removed: Schema.Literal(true) })),
      error: failures.managementRead
    })
      .annotateMerge(
        documented(
          "Remove a bookmark that the end user saved in this organization's sessions",
          "Has the same requirements as saving. A bookmark that an operator saved gets 404. Free."
        )
      )
      .annotate(Access, "session"),
    HttpApiEndpoint.get("address", "/v1/widget/address", {
      query: { q: AddressText, limit: Schema.optionalKey(CandidateLimit) },
      success: Data(AddressAnswer),
      error: failures.read
    })
      .annotateMerge(
        documented(
          "Find the postcode of an address in a session",
          "Like `/v1/search/address`, at the level of the session's publishable key, which needs the scope `search` to " +
            "find more than states and LGAs. The price of a session includes 60 queries."
        )
      )
      .annotate(Access, "session")
      .annotate(FromDirectory, true),
    HttpApiEndpoint.get("lookup", "/v1/widget/lookup", {
      query: { code: Code },
      success: Data(LookupResult),
      error: failures.read
    })
      .annotateMerge(
        documented(
          "Look up one postcode in a session",
          "At the level of the session's publishable key, at most level 3. The key needs the scope `lookup`. The names of " +
            "state and LGA are included at every level. The price of a session includes 5 lookups, and 30 calls of lookup, " +
            "reverse and nearby together."
        )
      )
      .annotate(Access, "session")
      .annotate(Leveled, true)
      .annotate(FromDirectory, true),
    HttpApiEndpoint.get("reverse", "/v1/widget/reverse", {
      query: { ...place, max_distance_m: Schema.optionalKey(Radius) },
      success: Data(Schema.Union([SessionReversed, NotReversed])),
      error: failures.read
    })
      .annotate(Synonyms, { lon: "lng", radius_m: "max_distance_m" })
      .annotateMerge(
        documented(
          "Find the nearest active unit in a session",
          "Like `/v1/search/reverse`, with the names of state and LGA for every key. Locality and address need the scope " +
            "`search` and level 2, `point_geometry` the scope and level 5. Counts as one of the session's 30 calls."
        )
      )
      .annotate(Access, "session")
      .annotate(FromDirectory, true),
    HttpApiEndpoint.get("nearby", "/v1/widget/nearby", {
      query: { ...place, radius: Schema.optionalKey(Radius), limit: Schema.optionalKey(SessionUnitLimit) },
      success: Data(Schema.Struct({ results: Schema.Array(SessionUnit) })),
      error: failures.read
    })
      .annotate(Synonyms, { lon: "lng", radius_m: "radius" })
      .annotateMerge(
        documented(
          "Find the active units around a point in a session",
          "Within `radius`: default and maximum 300 m. Nearest first, at most 20, with the data of `/v1/widget/reverse`. Counts as one of the session's 30 calls."
        )
      )
      .annotate(Access, "session")
      .annotate(FromDirectory, true),
    HttpApiEndpoint.post("selected", "/v1/widget/selected", {
      payload: Schema.Struct({
        postcode: Code,
        source: Schema.optionalKey(
          oneOf(selectionSources).annotate({
            description: "How the user found it: a saved bookmark, a search, or a unit near the user."
          })
        )
      }),
      success: Data(Schema.Struct({ recorded: Schema.Literal(true) })),
      error: failures.write
    })
      .annotateMerge(
        documented(
          "Record the postcode that the end user selected",
          "In any format. Whether it exists is not checked. Free."
        )
      )
      .annotate(Access, "session")
  )
  .annotateEndpoints(Host, "platform")
  .annotate(OpenApi.Title, "Widget")
  .annotate(
    OpenApi.Description,
    "The back end of the postcode widget. A session is one use by one end user, on the pages of one publishable key. " +
      "It ends after 15 minutes or with its key."
  )
