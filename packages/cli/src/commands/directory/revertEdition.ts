/** `postcode directory revert`: makes the edition before the current one current again. */
import type { AllowedRemovals } from "@postcode/core/Changes"
import { ImportFailure, ImportInDoubt, type RevertResult, revertDirectory } from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import { databaseOf } from "@postcode/server/data/databaseOf"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { printable, say } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect, Redacted } from "effect"
import { askLine, canAsk } from "../../terminal/askLine.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { removalsDecision } from "./AllowRemovals.ts"
import { askAboutChanges, type ChangesFlags, describeChanges, describeCounts, policyOf } from "./ChangesFlags.ts"

/** Options of the revert. */
export interface RevertInput extends DatabaseFlags, ChangesFlags {
  /** Do not ask. */
  readonly yes: boolean
  readonly allowRemovals: AllowedRemovals | undefined
  readonly json: boolean
}

/** Afterwards either the edition before is current or nothing has changed. */
export const revertEdition = (input: RevertInput): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      if (!input.yes && !canAsk()) return yield* Effect.fail(notConfirmed)
      const policy = yield* policyOf(input)
      const url = yield* databaseOf(input, "postcode directory revert")
      const result = yield* untilSettled((signal) =>
        revertDirectory({
          url: Redacted.value(url),
          signal,
          changes: policy ?? askAboutChanges(signal),
          removals: removalsDecision(input.allowRemovals, signal),
          onChanges: (overview) => say(describeChanges(overview).join("\n")),
          onEditions: (from, to) => say(describe(from, to)),
          ...(!input.yes && { confirm: (to) => confirm(to, signal) }),
          onWait: (reason) => say(`waiting for the database: ${printable(reason)}`)
        }).catch((error: unknown) => fail(error, signal))
      )
      yield* printRecord(input, summarize(result), fields)
      say(explain(result))
    })
  )

const notConfirmed = new CommandFailure(
  "this changes what all users of the service get: run it on a terminal, where it asks, or with --yes",
  exitCodes.wrongUsage
)

type Stored = RevertResult["from"]

const describe = (from: Stored, to: Stored): string =>
  `edition ${from.edition}, ${nameOf(from)}, is current; edition ${to.edition}, ${nameOf(to)}, would be current again`

const confirm = async (to: Stored, signal: AbortSignal): Promise<void> => {
  const answer = await askLine(`make ${nameOf(to)} current again? [yes/no] `, signal)
  if (answer !== "yes" && answer !== "y") throw new CommandFailure("nothing was changed")
}

const fail = (error: unknown, signal: AbortSignal): never => {
  if (!(error instanceof ImportFailure)) throw error
  const reason = printable(error.message)
  if (!(error instanceof ImportInDoubt)) throw new CommandFailure(`nothing was changed: ${reason}`)
  // A failure after an interruption is not reported: it would suggest that nothing had changed.
  if (signal.aborted) say(`warning: ${reason}`)
  throw new CommandFailure(reason)
}

const summarize = ({ carried, from, to }: RevertResult) => ({
  outcome: "reverted",
  edition: to.edition,
  data_version: to.version,
  data_date: to.date,
  changes: to.changes,
  left_edition: from.edition,
  left_data_version: from.version,
  ...(carried && { changed_units: carried })
})

const fields: View<ReturnType<typeof summarize>> = {
  outcome: "outcome",
  edition: "edition",
  "data version": "data_version",
  "data date": "data_date",
  changes: ({ changes }) => grouped(changes),
  "left edition": "left_edition",
  "left data version": "left_data_version",
  "changed before": ({ changed_units }) => changed_units && describeCounts(changed_units)
}

const explain = ({ from, to }: RevertResult): string =>
  [
    `${nameOf(to)} is current again: replicas switch to it as soon as they have loaded it`,
    `copies that follow ${from.version} must start again with a snapshot of ${to.version}; those that are still at`,
    `${to.version} continue. Run this again to return to ${from.version}: it stays stored until the next import`
  ].join("\n")

/** The version of an edition with its changes. */
const nameOf = ({ changes, version }: Stored): string => (changes === 0 ? version : `${version}+${changes}`)
