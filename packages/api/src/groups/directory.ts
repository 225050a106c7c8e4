/** Changes of the directory: for operators, what changes it; for keys, the feed of what has changed. */
import { maxBatchChanges } from "@postcode/core/DirectoryChanges"
import { changeKinds } from "@postcode/core/UnitChange"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, FreeQuery, Leveled, LongBody, Metered } from "../access.ts"
import { Data, Timestamp } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { ChangesLimit, Flag, oneOf, Text, Version } from "../parameters.ts"
import { Point } from "./search.ts"

const optional = Schema.optionalKey

/** Attributes with values; or with null, which removes one. */
const attributesWith = <T extends Schema.Top, B extends Schema.Top>(value: T, flag: B) =>
  Schema.Struct({
    locality_name: optional(value),
    recent_address: optional(value),
    building_use_status: optional(value),
    building_type: optional(value),
    building_owner: optional(value),
    delivery_point: optional(flag)
  })

const attributesToSet = attributesWith(Schema.NullOr(Schema.String), Schema.NullOr(Schema.Boolean))

/** Only its form is checked here: core finds the mistakes in the values, and names all of them. */
const DirectoryChange = Schema.Struct({
  change: oneOf(changeKinds).annotate({
    description:
      "`retire` and `replace` take a unit out of use, the second with its successor in `replaced_by`; `reactivate` " +
      "puts it back. `set` sets the given attributes and leaves the others."
  }),
  postcode: Schema.String,
  lat: optional(Schema.Finite.annotate({ description: "Of `add` and `move`: latitude, WGS 84 degrees." })),
  lng: optional(Schema.Finite.annotate({ description: "Of `add` and `move`: longitude, WGS 84 degrees." })),
  active: optional(Schema.Boolean.annotate({ description: "Of `add`; true by default." })),
  replaced_by: optional(
    Schema.String.annotate({ description: "Of `retire`, `replace` and a retired `add`: the successor." })
  ),
  attributes: optional(attributesToSet.annotate({ description: "Of `add` and `set`, which removes what is null." }))
}).annotate({ identifier: "DirectoryChange", description: "A change of one unit." })

const changesOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: "expected at least one change" }),
    Schema.isMaxLength(maxBatchChanges, { message: `expected at most ${maxBatchChanges} changes` })
  )

const batchOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    reason: Text(500).annotate({ description: "Why, for the audit log and the history of the units." }),
    reference: Text(200).annotate({
      description: "Your own name of the batch. Sent again under its reference, a batch changes nothing."
    }),
    dry_run: optional(Schema.Boolean.annotate({ description: "Whether the changes are only checked." })),
    changes: changesOf(item)
  })

const version = Schema.String.annotate({ description: "As `X-Data-Version`: the edition, and the number of changes." })

const ChangeResult = Schema.Struct({
  valid: Schema.Boolean.annotate({ description: "False only in a dry run, for changes with faults." }),
  version: version.annotate({
    description: "The version of the directory with the changes; the current one, if there are faults."
  }),
  applied: Schema.Int.annotate({ description: "The changes with an effect." }),
  unchanged: Schema.Int.annotate({ description: "The changes that repeat what is so already." }),
  repeated: Schema.Boolean.annotate({ description: "Whether the batch was applied before, under its reference." }),
  faults: Schema.Array(
    Schema.Struct({
      index: Schema.Int.annotate({ description: "The index in `changes`, from 0." }),
      reason: Schema.String
    })
  ).annotate({ description: "All faults in a dry run; otherwise empty, because a batch with faults is refused." })
}).annotate({ identifier: "DirectoryChangeResult" })

const stateOfUnit = {
  point_geometry: Point,
  status: Schema.Literals(["active", "retired"]),
  replaced_by: optional(Schema.String),
  attributes: attributesWith(Schema.String, Schema.Boolean)
}

const UnitEvent = Schema.Struct({
  version: version.annotate({ description: "The version of the directory with this change." }),
  change: Schema.Literals(changeKinds),
  at: Timestamp,
  actor: Schema.String,
  reason: Schema.String,
  reference: Schema.String,
  ...stateOfUnit
}).annotate({ identifier: "UnitEvent", description: "A change, and the unit after it." })

const UnitDetails = Schema.Struct({
  postcode: Schema.String,
  unit: Schema.NullOr(Schema.Struct(stateOfUnit)).annotate({
    description: "The present state; null if the present directory does not have the unit."
  }),
  history: Schema.Array(UnitEvent).annotate({ description: "Newest first, at most 100 changes." })
}).annotate({ identifier: "UnitDetails" })

/** The endpoints of the directory in `Management`. */
export const directoryEndpoints = [
  HttpApiEndpoint.post("changeDirectory", "/v1/admin/directory/changes", {
    payload: batchOf(DirectoryChange),
    success: Data(ChangeResult),
    error: failures.save
  })
    .annotate(LongBody, {
      maximum_bytes: 4 * 1024 * 1024,
      list: "changes",
      maximumItems: maxBatchChanges,
      body: batchOf(Schema.Unknown),
      item: DirectoryChange
    })
    .annotateMerge(
      documented(
        "Change up to 10,000 units at once, all or nothing",
        "Changes are applied in order and become visible together, within a second on every replica. A change that repeats " +
          "the present state has no effect and is no fault. A fault refuses the whole batch; the message names the first 20, " +
          "and a dry run returns all. The body may have 4 MiB."
      )
    ),
  HttpApiEndpoint.get("getUnit", "/v1/admin/directory/units/:postcode", {
    params: { postcode: Schema.String },
    success: Data(UnitDetails),
    error: failures.managementRead
  }).annotate(OpenApi.Summary, "Show a unit with all that is known of it, and its history")
] as const

const FollowedChange = Schema.Struct({
  number: Schema.Int.annotate({ description: "The number of the change in its edition, from 1." }),
  change: Schema.Literals(changeKinds),
  postcode: Schema.String,
  active: Schema.Boolean.annotate({ description: "Whether the unit is active after the change." }),
  at: Timestamp,
  replaced_by: optional(Schema.String.annotate({ description: "The successor of a retired unit." })),
  point_geometry: optional(
    Point.annotate({
      description: "With `coordinates`: where a unit is that was added, moved or reactivated."
    })
  )
}).annotate({ identifier: "FollowedChange" })

/** What has changed in the directory. Needs a key of any kind. */
export const Directory = HttpApiGroup.make("directory")
  .add(
    HttpApiEndpoint.get("changes", "/v1/directory/changes", {
      query: { since: Version, limit: optional(ChangesLimit), coordinates: optional(Flag) },
      success: Data(
        Schema.Struct({
          changes: Schema.Array(FollowedChange),
          version: version.annotate({
            description: "The version after these changes: the `since` of the next page."
          }),
          latest: version.annotate({
            description: "The version of the directory now. There are more changes while it is another."
          })
        })
      ),
      error: failures.changes
    })
      .annotate(FreeQuery, ({ coordinates = false }) => !coordinates)
      .annotateMerge(
        documented(
          "Read what has changed since a version, oldest first",
          "Postcodes, kinds of changes, times and successors are free; there are no names and no addresses. With " +
            "coordinates=true, units that were added, moved or reactivated have their coordinate: this needs a key that is " +
            "served level 5, and costs a lookup at that level for each postcode with a coordinate in the page, charged all " +
            "or nothing. Changes of the current edition can be read for a year. After that, and once another edition is " +
            "current, since is 410 version_expired: get a new snapshot, and follow from its version."
        )
      )
  )
  .annotateEndpoints(Access, "key")
  .annotateEndpoints(Metered, true)
  .annotateEndpoints(Leveled, true)
  .annotate(OpenApi.Title, "Directory")
  .annotate(OpenApi.Description, "What has changed in the directory, for those who keep a copy. Any API key will do.")
