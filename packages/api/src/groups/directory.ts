/** Changes of the directory: for operators, what changes it; for keys, the feed of what has changed. */

import { changeKinds } from "@postcode/core/Changes"
import { maxBatchChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { changeLimits } from "@postcode/gateway/InputLimits"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access, FreeQuery, Leveled, LongBody, Metered } from "../access.ts"
import { Data, Timestamp } from "../answers.ts"
import { documented } from "../documented.ts"
import { failures } from "../errors.ts"
import { ChangesLimit, Flag, oneOf, Text, Version } from "../parameters.ts"
import { attributeChanges, knownAttributes } from "../unitAttributes.ts"
import { Point } from "./search.ts"

const optional = Schema.optionalKey

/** Only its form is checked here: core finds the mistakes in the values, and names all of them. */
const DirectoryChange = Schema.Struct({
  change: oneOf(changeKinds).annotate({
    description:
      "`retire` and `replace` take a unit out of use; `replace` names its successor in `replaced_by`. `reactivate` " +
      "puts the unit back. `set` sets the given attributes and keeps the others."
  }),
  postcode: Schema.String,
  lat: optional(Schema.Finite.annotate({ description: "Of `add` and `move`: latitude, WGS 84 degrees." })),
  lng: optional(Schema.Finite.annotate({ description: "Of `add` and `move`: longitude, WGS 84 degrees." })),
  active: optional(Schema.Boolean.annotate({ description: "For `add`. Default: true." })),
  replaced_by: optional(
    Schema.String.annotate({ description: "For `retire`, `replace` and a retired `add`: the successor." })
  ),
  attributes: optional(
    attributeChanges.annotate({ description: "For `add` and `set`. `set` removes attributes that are null." })
  )
}).annotate({ identifier: "DirectoryChange", description: "A change of one unit." })

const changesOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: "expected at least one change" }),
    Schema.isMaxLength(maxBatchChanges, { message: `expected at most ${maxBatchChanges} changes` })
  )

const batchOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    reason: Text(changeLimits.reason).annotate({
      description: "The reason, for the audit log and the history of the units."
    }),
    reference: Text(changeLimits.reference).annotate({
      description: "Your own name for the batch. A repeated batch with the same reference changes nothing."
    }),
    dry_run: optional(Schema.Boolean.annotate({ description: "If true, the changes are only checked." })),
    allow_removals: optional(
      Schema.Union([Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)), Schema.Literal("all")]).annotate({
        description:
          "How many active units the batch may retire, or move by more than 1 km, if they are more than 10 and more than " +
          "1 % of the active units. Without it, such a batch is refused."
      })
    ),
    changes: changesOf(item)
  })

const version = Schema.String.annotate({
  description: "As in `X-Data-Version`: the edition and the number of changes."
})

const ChangeResult = Schema.Struct({
  valid: Schema.Boolean.annotate({ description: "False only in a dry run, for changes with faults." }),
  version: version.annotate({
    description: "The version of the directory with the changes; the current version if there are faults."
  }),
  applied: Schema.Int.annotate({ description: "The number of changes with an effect." }),
  unchanged: Schema.Int.annotate({ description: "The number of changes without an effect." }),
  repeated: Schema.Boolean.annotate({ description: "Whether the batch was already applied under its reference." }),
  removals: optional(
    Schema.Int.annotate({
      description:
        "In a dry run: the number of active units that the batch would retire, or move by more than 1 km, if there are any."
    })
  ),
  active_units: optional(Schema.Int.annotate({ description: "With `removals`: the number of active units now." })),
  faults: Schema.Array(
    Schema.Struct({
      index: Schema.Int.annotate({ description: "The index in `changes`, from 0." }),
      reason: Schema.String
    })
  ).annotate({ description: "All faults in a dry run; otherwise empty, because a batch with faults is refused." })
}).annotate({
  identifier: "DirectoryChangeResult",
  description: "The result of a batch of changes, or of its dry run."
})

const stateOfUnit = {
  point_geometry: Point,
  status: Schema.Literals(["active", "retired"]),
  replaced_by: optional(Schema.String),
  attributes: knownAttributes
}

const UnitEvent = Schema.Struct({
  version: version.annotate({ description: "The version of the directory with this change." }),
  change: Schema.Literals(changeKinds),
  at: Timestamp,
  actor: Schema.String,
  reason: Schema.String,
  reference: Schema.String,
  ...stateOfUnit
}).annotate({ identifier: "UnitEvent", description: "A change, and the state of the unit after it." })

const UnitDetails = Schema.Struct({
  postcode: Schema.String,
  unit: Schema.NullOr(Schema.Struct(stateOfUnit)).annotate({
    description: "The current state; null if the current directory does not have the unit."
  }),
  history: Schema.Array(UnitEvent).annotate({ description: "Newest first, at most 100 changes." })
}).annotate({ identifier: "UnitDetails", description: "The current state of a unit, and its changes." })

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
          "the current state has no effect and is not a fault. One fault refuses the whole batch: the message names the first " +
          "20 faults, and a dry run returns all. The body can have up to 4 MiB."
      )
    ),
  HttpApiEndpoint.get("getUnit", "/v1/admin/directory/units/:postcode", {
    params: { postcode: Schema.String },
    success: Data(UnitDetails),
    error: failures.managementRead
  }).annotate(OpenApi.Summary, "Show a unit with all its data and its history")
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
      description: "Only with `coordinates`: the coordinates of a unit that was added, moved or reactivated."
    })
  )
}).annotate({ identifier: "FollowedChange", description: "A change of the directory, for copies that follow it." })

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
            description: "The current version of the directory. If it differs from `version`, there are more changes."
          })
        })
      ),
      error: failures.changes
    })
      .annotate(FreeQuery, ({ coordinates = false }) => !coordinates)
      .annotateMerge(
        documented(
          "List the changes since a version, oldest first",
          "Postcodes, kinds of changes, times and successors are free. Names and addresses are not included. With " +
            "coordinates=true, units that were added, moved or reactivated have their coordinates. This needs a key that is " +
            "served level 5, and costs a lookup at that level for each postcode with coordinates in the page, charged all " +
            "or nothing. Changes of the current edition are available for a year. After that, or after a new edition, since " +
            "gets 410 version_expired: get a new snapshot, and continue from its version."
        )
      )
  )
  .annotateEndpoints(Access, "key")
  .annotateEndpoints(Metered, true)
  .annotateEndpoints(Leveled, true)
  .annotate(OpenApi.Title, "Directory")
  .annotate(OpenApi.Description, "Changes of the directory, for clients that keep a copy. Any API key can be used.")
