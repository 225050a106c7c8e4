/** `postcode directory`. */
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { record } from "../../Table.ts"

/** Prints the service's current directory. */
export const showDirectory = (input: ManagementOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.directory())
    if (input.json) return yield* writeJson(data)
    yield* writeData(
      record([
        ["version", data.version],
        ["date", data.date],
        ["in force since", data.in_force_since],
        ["active units", grouped(data.active_units)],
        ["retired units", grouped(data.retired_units)],
        ["states", grouped(data.states)],
        ["LGAs", grouped(data.lgas)],
        ["districts", grouped(data.districts)],
        ["areas", grouped(data.areas)]
      ])
    )
  })
