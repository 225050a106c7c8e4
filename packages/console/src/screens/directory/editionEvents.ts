/** Imports and reverts in the audit log. */
import type { AuditEvent } from "../audit/actions.ts"

/** An import or a revert. */
export type EditionEvent = Pick<AuditEvent, "action" | "details">

/** The edition that a revert would return to; undefined if the events do not name it. */
export const previousOf = ([last, before]: ReadonlyArray<EditionEvent>): string | undefined => {
  const previous = last?.action === "directory.reverted" ? last.details.left_version : before?.details.version
  return previous === undefined ? undefined : String(previous)
}

/** An import that takes more away needs a permission, see `judgeRemovals` in core. */
export const largeShare = 0.01

/** The share of the units of the edition before that an import removed or retired, from 0 to 1. */
export const removedShare = ({ details }: EditionEvent): number => {
  const { added, removed, retired, units } = details
  const taken = Number(removed ?? 0) + Number(retired ?? 0)
  return taken > 0 ? taken / (Number(units) - Number(added) + Number(removed)) : 0
}
