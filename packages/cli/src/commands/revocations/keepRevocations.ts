/** `postcode revocations save` and `replay`. */
import { type ReplayedRevocations, replayRevocations, saveRevocationsOf } from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import { databaseOf } from "@postcode/server/data/databaseOf"
import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect, Redacted } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"

export interface KeepRevocations extends DatabaseFlags {
  readonly file: string
  readonly json: boolean
}

export const save = (input: KeepRevocations): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file } = input
      const url = Redacted.value(yield* databaseOf(input, "postcode revocations save"))
      const added = yield* untilSettled(() => saveRevocationsOf(url, file))
      yield* printRecord(input, { file, added }, { file: "file", added: "added" })
    })
  )

export const replay = (input: KeepRevocations): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { file } = input
      const url = Redacted.value(yield* databaseOf(input, "postcode revocations replay"))
      yield* printRecord(input, yield* untilSettled(() => replayRevocations(url, file)), view)
    })
  )

const view: View<ReplayedRevocations> = {
  "revoked again": "revoked",
  "revoked already": "repeated",
  "not in this database": "unknown",
  "unreadable lines": "unreadable"
}
