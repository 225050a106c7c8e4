/** The port of changes of a directory that cannot be changed. */

import { unitStateIn } from "@postcode/core/Changes"
import { Effect, Layer } from "effect"
import { Conflict } from "../../Errors.ts"
import { CurrentDirectory } from "../CurrentDirectory.ts"
import { Units } from "../Units.ts"
import { DirectoryChanges, keptSince } from "./DirectoryChanges.ts"
import { changePage } from "./StoredChanges.ts"

/** @param message why it cannot be changed: the message of each refusal */
export const layerFixedChanges = (message: string): Layer.Layer<DirectoryChanges, never, CurrentDirectory | Units> =>
  Layer.effect(
    DirectoryChanges,
    Effect.gen(function* () {
      const { get } = yield* CurrentDirectory
      const units = yield* Units
      const refusal = new Conflict({ message })

      return DirectoryChanges.of({
        apply: () => Effect.fail(refusal),
        after: (since) =>
          Effect.flatMap(keptSince, (keptSince) => {
            const { changes, version: edition } = get()
            return Effect.fromResult(changePage(since, { latest: { edition, changes }, next: [], keptSince }))
          }),
        history: (postcode) =>
          Effect.suspend(() => {
            const directory = get()
            return Effect.map(units.attributes([postcode], directory), ([attributes = {}]) => ({
              unit: unitStateIn(directory, postcode, attributes),
              events: []
            }))
          }),
        latest: Effect.succeed(undefined)
      })
    })
  )
