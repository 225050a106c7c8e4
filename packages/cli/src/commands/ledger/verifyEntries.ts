/** `postcode ledger verify`: proves every balance from the entries of the ledger. */
import { verifyLedger } from "@postcode/postgres"
import type { DatabaseFlags } from "@postcode/server/data/DatabaseFlags"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { printable, say } from "@postcode/server/process/Output"
import { grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { printRecord } from "../../terminal/Print.ts"
import { onLedger } from "./onLedger.ts"

export interface VerifyInput extends DatabaseFlags {
  /** The folder of the archive. */
  readonly archive: string | undefined
  readonly json: boolean
}

export const verifyEntries = (input: VerifyInput): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { archive } = input
    const report = yield* onLedger(input, "postcode ledger verify", verifyLedger({ archive, onStep: say }))
    const { carried_forward, problems } = report
    yield* printRecord(input, report, {
      accounts: ({ accounts }) => grouped(accounts),
      entries: ({ entries }) => grouped(entries),
      months: ({ months }) => grouped(months),
      "test balances": ({ balances }) => grouped(balances.test ?? 0),
      "live balances": ({ balances }) => grouped(balances.live ?? 0),
      result: () => (problems.length === 0 ? "every balance is the sum of its entries" : "wrong")
    })
    for (const problem of problems) say(printable(problem))
    if (problems.length > 0) return yield* Effect.fail(new CommandFailure("the ledger is wrong: see above"))
    if (carried_forward > 0) {
      say(
        `${grouped(carried_forward)} archived months were taken from their closing balances: read them with --archive DIR`
      )
    }
  })
