/** Imports the demonstration directory into an empty database, so that a first start has something to show. */
import { defaultSeed, defaultUnits, demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { importDirectory } from "@postcode/postgres"
import { type Effect, Redacted } from "effect"
import { commandName } from "../process/CommandName.ts"
import type { CommandFailure } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import { makeProgress } from "../process/Progress.ts"
import { untilSettled } from "../process/UntilSettled.ts"
import { demonstrationVersion } from "./demonstrationVersion.ts"

/** Imports it, as `postcode import` does. */
export const importDemonstration = (url: Redacted.Redacted, data: string): Effect.Effect<void, CommandFailure> =>
  untilSettled(async (signal) => {
    say(
      `no directory yet: importing the demonstration, whose units are invented; ${commandName()} import PATH --data ${data} ` +
        "replaces it"
    )
    const progress = makeProgress({ doing: "importing the demonstration", what: "units", quiet_ms: 0 })
    const onUnits = (rows: number) => progress.update(rows, rows / defaultUnits)
    await importDirectory(demonstrationInput, {
      url: Redacted.value(url),
      version: demonstrationVersion,
      dayOfFiles: new Date().toISOString().slice(0, 10),
      signal,
      watch: { onUnits }
    })
    progress.finish(defaultUnits)
  })

const demonstrationInput = {
  places: async function* () {
    yield Buffer.from(demoPlacesCsv())
  },
  units: async function* () {
    for (const { text } of demoUnitsCsv({ units: defaultUnits, seed: defaultSeed })) yield Buffer.from(text)
  }
}
