import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, CountedBy, FreeQuery, FromDirectory, Metered } from "../access.ts"
import { AddressAnswer } from "../addressAnswer.ts"
import { Data } from "../answers.ts"
import { documented } from "../documented.ts"
import { errorCodes, failures } from "../errors.ts"
import {
  AddressText,
  batchOf,
  CandidateLimit,
  CandidateLimitInBody,
  Latitude,
  LatLng,
  Limit,
  Longitude,
  Radius,
  RadiusInBody,
  SearchText,
  Synonyms
} from "../parameters.ts"

/** `[lon, lat]`, WGS 84 degrees, as in GeoJSON. */
const Position = Schema.Tuple([Schema.Finite, Schema.Finite]).annotate({
  identifier: "Position",
  description: "[longitude, latitude] in WGS 84 degrees."
})

/** A GeoJSON Point. */
export const Point = Schema.Struct({ type: Schema.Literal("Point"), coordinates: Position })

/** The level that a unit is shown at. Present only if the unit may have more for a caller with a higher level. */
export const LimitedTo = Schema.Literals([1, 2, 3, 4, 5]).annotate({
  description:
    "The level that the unit is shown at, if a higher level would show more: what is missing here may be known."
})

const foundUnit = {
  postcode: Schema.String,
  display: Schema.String,
  distance_m: Schema.Finite,
  confidence: Schema.Literals(["high", "medium", "low"]),
  state_name: Schema.optionalKey(Schema.String),
  lga_name: Schema.optionalKey(Schema.String),
  locality_name: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  limited_to: Schema.optionalKey(LimitedTo)
}
const FoundUnit = Schema.Struct(foundUnit).annotate({ identifier: "FoundUnit", description: "A unit near a point." })

/** A unit as a widget session shows it. */
export const SessionUnit = Schema.Struct({ ...foundUnit, point_geometry: Schema.optionalKey(Point) }).annotate({
  identifier: "SessionUnit",
  description: "A unit near a point, as a widget session shows it."
})

const Suggestions = Schema.Struct({
  segment: Schema.Literals(["state", "lga", "district", "area", "unit"]),
  suggestions: Schema.Array(
    Schema.Struct({
      code: Schema.String.annotate({ description: "The code of the segment." }),
      label: Schema.String.annotate({ description: "Its name, or the code if it has none." }),
      prefix: Schema.String.annotate({ description: "The partial postcode up to this segment." }),
      within: Schema.optionalKey(
        Schema.String.annotate({ description: "The names of the places that contain it. Absent for states." })
      ),
      units: Schema.optionalKey(
        Schema.Finite.annotate({
          description: "The number of active units. Only for districts and areas, which have no names."
        })
      ),
      centre: Schema.optionalKey(
        Schema.Struct({ lat: Schema.Finite, lng: Schema.Finite }).annotate({
          description: "The mean of the units' coordinates, rounded to 0.001 degrees. Absent below 20 units."
        })
      )
    })
  ),
  did_you_mean: Schema.optionalKey(Schema.String).annotate({
    description:
      "Only with an empty list: the postcode of the only active unit that differs from `q` by a likely typing error. Show it to the user. Do not use it without the user's consent."
  })
}).annotate({ identifier: "Suggestions", description: "The codes that complete the text of a search." })

const reversed = {
  found: Schema.Literal(true),
  coordinate: Position,
  area: Schema.String,
  district: Schema.String,
  state: Schema.String,
  depth: Schema.Literal("unit"),
  message: Schema.String,
  radius_m: Schema.Finite
}
const Reversed = Schema.Struct({ ...reversed, unit: FoundUnit }).annotate({
  identifier: "ReverseFound",
  description: "The nearest active unit to a point."
})

/** The nearest unit, as a widget session shows it. */
export const SessionReversed = Schema.Struct({ ...reversed, unit: SessionUnit }).annotate({
  identifier: "SessionReverseFound",
  description: "The nearest active unit to a point, as a widget session shows it."
})

export const NotReversed = Schema.Struct({
  found: Schema.Literal(false),
  coordinate: Position,
  message: Schema.String,
  radius_m: Schema.Finite
}).annotate({ identifier: "ReverseNotFound", description: "No active unit is within the radius." })

/** The error of an item of a batch. */
const ItemError = Schema.Struct({ code: Schema.Literals(errorCodes[400]), message: Schema.String })

const ReverseBatchItem = Schema.Union([
  Schema.Struct({ ...LatLng.fields, result: Schema.Union([Reversed, NotReversed]) }),
  Schema.Struct({ ...LatLng.fields, error: ItemError })
]).annotate({ identifier: "ReverseBatchItem", description: "A point of a batch with its result or its error." })

const AddressBatchItem = Schema.Union([
  Schema.Struct({ q: Schema.String, result: AddressAnswer }),
  Schema.Struct({ q: Schema.String, error: ItemError })
]).annotate({ identifier: "AddressBatchItem", description: "A text of a batch with its result or its error." })

export const place = { lat: Latitude, lng: Longitude }

/** Search for units by code, name, location and address. Public; addresses finer than an LGA are for keys, and paid. */
export const Search = HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("autocomplete", "/v1/search/autocomplete", {
      query: { q: Schema.optionalKey(SearchText), limit: Schema.optionalKey(Limit) },
      success: Data(Suggestions),
      error: failures.read
    }).annotateMerge(
      documented(
        "Complete a partial postcode, or find a state or LGA by name",
        "`q` is a partial postcode in either case, with or without separators: `segment` is the first one that `q` does " +
          "not complete, `suggestions` the codes that continue it. Or `q` is a text with the name of a state or LGA " +
          "anywhere in it, such as an address: `suggestions` are the states, or the LGAs, that it names, the likeliest " +
          "first. If there are none and `q` is one typing error away from the postcode of a unit, `did_you_mean` is that " +
          "postcode."
      )
    ),
    HttpApiEndpoint.get("reverse", "/v1/search/reverse", {
      query: { ...place, max_distance_m: Schema.optionalKey(Radius) },
      success: Data(Schema.Union([Reversed, NotReversed])),
      error: failures.read
    })
      .annotate(Synonyms, { lon: "lng", radius_m: "max_distance_m" })
      .annotateMerge(
        documented(
          "Find the nearest active unit",
          "Within `max_distance_m`: 25 m by default, at most 250 m. Of units at the same distance, the first in code order."
        )
      ),
    HttpApiEndpoint.get("nearby", "/v1/search/nearby", {
      query: { ...place, radius: Schema.optionalKey(Radius), limit: Schema.optionalKey(Limit) },
      success: Data(Schema.Array(FoundUnit)),
      error: failures.read
    })
      .annotate(Synonyms, { lon: "lng", radius_m: "radius" })
      .annotateMerge(
        documented(
          "Find the active units around a point",
          "Within `radius`: 300 m by default, at most 2,000 m. Nearest first; at the same distance in code order."
        )
      ),
    HttpApiEndpoint.get("address", "/v1/search/address", {
      query: { q: AddressText, limit: Schema.optionalKey(CandidateLimit) },
      success: Data(AddressAnswer),
      error: failures.pricedRead
    })
      .annotate(Metered, true)
      .annotate(FreeQuery, (_, hasKey) => !hasKey)
      .annotateMerge(
        documented(
          "Find the postcode of an address, a place or a name",
          "`q` is text as people write it, with typing errors, abbreviations and landmarks. The result is the deepest " +
            "code that holds at least 95 % of the evidence, with its confidence. Without a key, below level 2 or without " +
            "the scope `search`, the text is matched only against states and LGAs, free. Other responses cost the price " +
            "of an address search if they contain a code below the LGA. A publishable key gets 403 " +
            "key_type_not_allowed: pages search in a widget session."
        )
      ),
    HttpApiEndpoint.post("reverseBatch", "/v1/search/reverse/batch", {
      payload: Schema.Struct({
        points: batchOf(LatLng, "points"),
        max_distance_m: Schema.optionalKey(RadiusInBody)
      }),
      success: Data(Schema.Struct({ results: Schema.Array(ReverseBatchItem) })),
      error: failures.write
    })
      .annotate(Access, "secret")
      .annotate(CountedBy, "points")
      .annotateMerge(
        documented(
          "Find the nearest active units to up to 100 points",
          "Returns one item for each point, in the order given. The item of a point out of range has an error. Each point " +
            "counts as one request against the rate limit. Free, for secret keys. A publishable key gets 403 " +
            "key_type_not_allowed."
        )
      ),
    HttpApiEndpoint.post("addressBatch", "/v1/search/address/batch", {
      payload: Schema.Struct({
        queries: batchOf(Schema.String, "queries"),
        limit: Schema.optionalKey(CandidateLimitInBody)
      }),
      success: Data(Schema.Struct({ results: Schema.Array(AddressBatchItem) })),
      error: failures.pricedWrite
    })
      .annotate(Metered, true)
      .annotate(Access, "secret")
      .annotate(CountedBy, "queries")
      .annotateMerge(
        documented(
          "Find the postcodes of up to 100 addresses, charged all or nothing",
          "Returns one item for each text, in the order given. The item of a text that is empty or has more than 500 characters " +
            "has an error. The charge is the sum of the address searches; a repeated text is charged once. If the " +
            "balance does not cover the sum, nothing is returned or charged. Each text counts as one request against the " +
            "rate limit. For secret keys. A publishable key gets 403 key_type_not_allowed."
        )
      )
  )
  .annotateEndpoints(FromDirectory, true)
  .annotate(OpenApi.Title, "Search")
  .annotate(
    OpenApi.Description,
    "Public. Keys with the scope `search` that are served level 2 get names and addresses. Only address search can " +
      "cost credits."
  )
