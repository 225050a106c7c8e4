/** How many active units a command may take away: a flag, or a question on a terminal. */
import type { AllowedRemovals, RemovalsVerdict } from "@postcode/core/Changes"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { Result } from "effect"
import { optionalFlag, type Reader, wholeNumber } from "../../Parameters.ts"
import { askLine, canAsk } from "../../terminal/askLine.ts"

const numberOrAll: Reader<AllowedRemovals> = (given) =>
  given === "all"
    ? Result.succeed(given)
    : Result.mapError(wholeNumber(0, Number.MAX_SAFE_INTEGER)(given), () => "a whole number of units, or all")

/** The flag. */
export const allowRemovals = optionalFlag("allow-removals", {
  read: numberOrAll,
  metavar: "N",
  description:
    "Go on although more than 1 % of the active units would be removed, retired or moved by more than 1 km: up to N of " +
    "them, or all"
})

type Removing = Pick<RemovalsVerdict, "count" | "description">

/** The number of the flag, or a question that wants the number typed. Without an answer, nothing is changed. */
export const removalsDecision = (
  allowed: AllowedRemovals | undefined,
  signal: AbortSignal
): ((verdict: Removing) => Promise<AllowedRemovals>) =>
  allowed === undefined ? (verdict) => ask(verdict, signal) : (verdict) => refuseAbove(verdict, allowed)

const ask = async (verdict: Removing, signal: AbortSignal): Promise<AllowedRemovals> => {
  if (!canAsk()) throw refused(verdict)
  const number = String(verdict.count)
  const answer = await askLine(`it would ${verdict.description}; type ${number} to go on: `, signal)
  if (answer.replaceAll(",", "") === number) return verdict.count
  throw new CommandFailure(`nothing was changed: expected ${number}`)
}

const refuseAbove = async (verdict: Removing, allowed: AllowedRemovals): Promise<AllowedRemovals> => {
  if (allowed !== "all" && verdict.count > allowed) throw refused(verdict)
  return allowed
}

const refused = (verdict: Removing): CommandFailure =>
  new CommandFailure(`nothing was changed: ${describeRemovals(verdict)}`)

/** What would be taken away, and the flag that permits it. */
export const describeRemovals = ({ count, description }: Removing): string =>
  `it would ${description}; if that is meant, run it again with --allow-removals ${count}`
