/**
 * `postcode complete`, `reverse` and `nearby`: the service's searches on a local directory. Names and addresses are
 * shown, since the user has the whole directory. `--json` prints the API's `data`.
 */

import type { Coordinate } from "@postcode/core/Coordinate"
import { completeOrCorrect } from "@postcode/core/Corrections"
import type { Directory } from "@postcode/core/Directory"
import { clampNearbyRadius } from "@postcode/core/ReverseGeocoder"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { Units } from "@postcode/gateway/directory/Units"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { type FoundUnit, nearby, reverse } from "@postcode/gateway/search/search"
import { type DirectoryFlags, openDirectory } from "@postcode/server/directory/openDirectory"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { say, writeJson } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { printRecord, printTable } from "../../terminal/Print.ts"

interface SearchOptions extends DirectoryFlags {
  readonly json: boolean
}

interface PlaceOptions extends SearchOptions, Coordinate {
  readonly radius_m: number | undefined
}

/** `postcode complete` */
export const completeText = (
  input: SearchOptions & { readonly q: string; readonly limit: number }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { directory } = yield* open(input)
    const completion = completeOrCorrect(directory, input.q, input.limit)
    const { did_you_mean, segment, suggestions } = completion
    yield* printTable(input, completion, suggestions, {
      columns: {
        [segment.toUpperCase()]: "prefix",
        NAME: ({ code, label }) => (label === code ? undefined : label),
        IN: "within"
      },
      empty: `nothing in the directory continues this text${did_you_mean === undefined ? "" : `; did you mean ${did_you_mean}?`}`
    })
  })

/** `postcode reverse` */
export const reverseGeocode = (input: PlaceOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { lat, lon, radius_m } = input
    const answer = yield* searching(input, reverse, (find, directory) =>
      find({ directory, coordinate: { lat, lon }, radius_m, principal: owner })
    )
    if (input.json) return yield* writeJson({ ...answer, coordinate: [lon, lat] })
    if (!answer.found) return say(answer.message)
    yield* printRecord(input, answer.unit, {
      postcode: "postcode",
      distance: metres,
      confidence: "confidence",
      address: "address",
      locality: "locality_name",
      LGA: "lga_name",
      state: "state_name"
    })
  })

/** `postcode nearby` */
export const listNearby = (input: PlaceOptions & { readonly limit: number }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { lat, limit, lon, radius_m } = input
    const units = yield* searching(input, nearby, (find, directory) =>
      find({ directory, coordinate: { lat, lon }, radius_m, limit, principal: owner })
    )
    yield* printTable(input, units, units, {
      columns: {
        POSTCODE: "postcode",
        DISTANCE: { right: metres },
        CONFIDENCE: "confidence",
        ADDRESS: "address",
        LOCALITY: "locality_name",
        LGA: "lga_name",
        STATE: "state_name"
      },
      empty: `no active unit lies within ${clampNearbyRadius(radius_m)} m`
    })
  })

const metres = ({ distance_m }: FoundUnit): string => `${distance_m.toFixed(1)} m`

const open = ({ data, directory }: SearchOptions) => openDirectory({ data, directory, quiet_ms: 1_000 })

/** Runs one of core's use cases on the given directory. */
const searching = <Operation, A, E>(
  input: SearchOptions,
  operation: Effect.Effect<Operation, never, Units>,
  run: (operation: Operation, directory: Directory) => Effect.Effect<A, E>
): Effect.Effect<A, CommandFailure> =>
  Effect.gen(function* () {
    const { attributesOf, directory } = yield* open(input)
    const ready = yield* Effect.provide(operation, layerDirectory(directory, attributesOf))
    // A directory in memory is always available.
    return yield* Effect.orDie(run(ready, directory))
  })

/** The user of the command, as a caller of core. */
const owner: Principal = {
  key_id: "local",
  organization_id: "local",
  kind: "secret",
  environment: "live",
  scopes: ["search", "lookup"],
  max_level: 5,
  granted_level: 5,
  organization_verified: true,
  organization_suspended: false,
  origins: [],
  allowed_ips: [],
  rate_limit_per_minute: undefined,
  organization_rate_limit_per_minute: undefined
}
