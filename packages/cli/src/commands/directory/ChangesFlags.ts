/** Whether changes of the current edition are kept when another one replaces it: flags, or a question on a terminal. */
import type { CarriedChanges, ChangesDecision, ChangesOverview, ChangesPolicy, Examples } from "@postcode/postgres"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { counted, grouped } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { booleanFlag } from "../../Parameters.ts"
import { askLine, canAsk } from "../../terminal/askLine.ts"

export const changesFlags = {
  keepChanges: booleanFlag("keep-changes", "Apply the changes that would be undone to the other edition"),
  dropChanges: booleanFlag("drop-changes", "Undo the changes that the other edition does not have")
}

export interface ChangesFlags {
  readonly keepChanges: boolean
  readonly dropChanges: boolean
}

/** Refuses both flags at once. */
export const policyOf = (flags: ChangesFlags): Effect.Effect<ChangesPolicy | undefined, CommandFailure> => {
  const { dropChanges, keepChanges } = flags
  if (dropChanges && keepChanges) {
    return Effect.fail(
      new CommandFailure("--keep-changes and --drop-changes: expected one of them, not both", exitCodes.wrongUsage)
    )
  }
  if (keepChanges) return Effect.succeed("keep")
  return Effect.succeed(dropChanges ? "drop" : undefined)
}

/** Asks for the decision. Without an answer, nothing is changed. */
export const askAboutChanges =
  (signal: AbortSignal): Exclude<ChangesDecision, ChangesPolicy> =>
  async ({ undone, version }) => {
    const them = `the changes of ${counted(undone, "unit")} since ${version}`
    if (!canAsk()) {
      throw new CommandFailure(
        `nothing was changed: ${them} would be undone; run it again with --keep-changes or --drop-changes`
      )
    }
    const answer = await askLine(`keep or drop ${them}? [keep/drop] `, signal)
    if (answer === "keep" || answer === "drop") return answer
    throw new CommandFailure("nothing was changed: expected keep or drop")
  }

/** The overview in lines: numbers of units, and some of those that would be undone or have a third state. */
export const describeChanges = (overview: ChangesOverview): ReadonlyArray<string> => {
  const { contained, superseded, supersededUnits, undone, undoneChanges, version } = overview
  const units = counted(contained + undone + superseded, "unit")
  return [
    `changed since ${version}: ${units}; ${describeCounts({ contained, "would be undone": undone, superseded })}`,
    ...Array.from(undoneChanges, ([kind, examples]) => `  would be undone: ${words[kind]} ${listed(examples)}`),
    ...(superseded === 0 ? [] : [`  superseded: ${listed(supersededUnits)}`])
  ]
}

/** What became of the changes, after the end of a sentence; empty if there were none. */
export const describeCarried = (carried: CarriedChanges | undefined): string =>
  carried === undefined ? "" : `; units changed before: ${describeCounts(carried)}`

/** `1 contained, 3 kept, 0 dropped, 1 superseded`. */
export const describeCounts = (counts: object): string =>
  Object.entries(counts)
    .map(([fate, count]) => `${grouped(Number(count))} ${fate}`)
    .join(", ")

const words = {
  add: "added",
  move: "moved",
  retire: "retired",
  replace: "replaced",
  reactivate: "reactivated",
  set: "attributes set of"
} as const

const listed = ({ count, first }: Examples): string =>
  first.join(", ") + (count > first.length ? ` and ${grouped(count - first.length)} more` : "")
