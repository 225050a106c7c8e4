/** `postcode lookup`: one postcode at a level, and what it cost. `--json` prints the API's `data`. */
import type { DataOf } from "@postcode/client"
import { type AccessLevel, searchNamesLevel } from "@postcode/core/AccessLevel"
import { type AttributeName, attributeEntry, attributeNames, shownValue } from "@postcode/core/UnitAttributes"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { counted, grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { clientWithKey, type KeyFlags, requireKey, resolveKey } from "../../management/apiKey.ts"
import { failureOf } from "../../management/connect.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"

interface LookupOptions extends KeyFlags {
  readonly code: string
  readonly level: AccessLevel
  readonly json: boolean
}

/** Prints the unit and its charge. */
export const lookUpCode = ({ code, json, level, ...flags }: LookupOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const connection = yield* level === 1 ? resolveKey(flags) : requireKey(flags)
    const { data, meta } = yield* Effect.tryPromise({
      try: (signal) => clientWithKey(connection).lookup({ code, level }, { signal }),
      catch: (error) => failureOf(error, connection)
    })
    yield* printRecord({ json }, data, fields)
    const { credits, level: served = level } = meta
    if (served < level) say(`the organization is granted level ${served}: there is no more than that`)
    if (credits !== undefined) say(`charged ${counted(credits.charged, "credit")}; ${grouped(credits.remaining)} left`)
    if (data.status === "not_found") {
      return yield* Effect.fail(new CommandFailure(`the directory does not have ${data.postcode}`))
    }
  })

type Result = DataOf<"GET /v1/lookup">

const isAddress = (name: AttributeName) => attributeEntry(name).level === searchNamesLevel

const attributes = (isShown: (name: AttributeName) => boolean): View<Result> =>
  Object.fromEntries(
    attributeNames.filter(isShown).map((name) => [
      attributeEntry(name).label.toLowerCase(),
      (result: Result) => {
        const value = shownValue(result, name)
        return typeof value === "boolean" ? (value ? "yes" : "no") : value
      }
    ])
  )

const fields: View<Result> = {
  postcode: "postcode",
  status: ({ status }) => status.replace("_", " "),
  "replaced by": "replaced_by",
  ...attributes(isAddress),
  LGA: ({ administrative_address }) => administrative_address?.lga_name,
  state: ({ administrative_address }) => administrative_address?.state_name,
  zone: ({ administrative_address }) => administrative_address?.zone,
  ...attributes((name) => !isAddress(name)),
  lat: ({ point_geometry }) => point_geometry?.coordinates[1],
  lng: ({ point_geometry }) => point_geometry?.coordinates[0]
}
