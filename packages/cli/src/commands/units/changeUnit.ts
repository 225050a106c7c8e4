/** `postcode units add`, `move`, `retire`, `replace`, `reactivate` and `set`: one change of one unit. */
import { randomBytes } from "node:crypto"
import type { DataOf } from "@postcode/client"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { CallFailure, type ManagementOptions, request } from "../../management/connect.ts"
import { inLetters } from "../../management/letterHash.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Change } from "./UnitChanges.ts"

/** What each change needs. */
export interface ChangeInput {
  readonly reason: string
  /** Under which a repetition changes nothing; by default a new one. */
  readonly reference: string | undefined
  readonly dryRun: boolean
}

/** Applies a change, or checks it. */
export const changeUnit = (
  change: Change,
  { dryRun: dry_run, reason, reference = randomReference() }: ChangeInput,
  options: ManagementOptions
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const body = { reason, reference, dry_run, changes: [change] }
    const result = yield* Effect.mapError(request(options, "POST /v1/admin/directory/changes", { body }), (failure) =>
      explain(failure, reference)
    )
    const { faults, ...outcome } = result
    yield* printRecord(options, options.json ? { ...result, reference } : { ...outcome, faults, reference }, fields)
    const [fault] = faults
    if (fault !== undefined) return yield* Effect.fail(new CommandFailure(printable(fault.reason)))
  })

const randomReference = (): string => `change-${inLetters(randomBytes(16).toString("hex"))}`

/** Without an answer, the change may have been applied. */
const explain = (failure: CommandFailure, reference: string): CommandFailure => {
  const isUnknown = failure instanceof CallFailure && (failure.code === "network_error" || failure.code === "timeout")
  const message = failure.message.replace(/^changes\[0\][.:] ?/, "")
  return isUnknown
    ? new CommandFailure(`${message}; repeat it with --reference ${reference}, so that it is applied once`)
    : new CommandFailure(message, failure.exitCode)
}

type Result = DataOf<"POST /v1/admin/directory/changes"> & { readonly reference: string }

const fields: View<Result> = {
  version: "version",
  outcome: ({ applied, repeated, valid }) => {
    if (!valid) return "not valid"
    if (repeated) return "applied before"
    return applied === 0 ? "unchanged" : "applied"
  },
  reference: "reference"
}
