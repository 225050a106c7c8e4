/** Shared code of the stores of changes. */

import type { UnitChange } from "@postcode/core/Changes"
import { type DirectoryVersion, formatVersion } from "@postcode/core/Directory"
import { Result } from "effect"
import { Conflict, InvalidParameter, VersionExpired } from "../../Errors.ts"
import type { AppliedChange, ChangePage } from "./DirectoryChanges.ts"

/** The changes after a version, as a store returns them. */
export interface StoredChanges {
  readonly latest: DirectoryVersion
  /** The first changes of the current edition after the version's number, oldest first, as far as they are stored. */
  readonly next: ReadonlyArray<AppliedChange>
  /** Changes before this time have expired, see `keptChanges_days`. ISO 8601, UTC. */
  readonly keptSince: string
}

/** The page of changes after a version, or why there is none. */
export const changePage = (
  since: DirectoryVersion,
  { keptSince, latest, next }: StoredChanges
): Result.Result<ChangePage, VersionExpired | InvalidParameter> => {
  if (!isSameEdition(since, latest)) {
    return expired(`the edition of this version was replaced by ${editionOf(latest)}`)
  }
  if (since.changes > latest.changes) {
    const message = `since: the directory has no such version yet, it has ${formatVersion(latest)}`
    return Result.fail(new InvalidParameter({ parameter: "since", message }))
  }
  const [first] = next
  if (since.changes < latest.changes && (first?.number !== since.changes + 1 || first.at < keptSince)) {
    return expired("the changes after this version are no longer kept")
  }
  const version = { edition: latest.edition, changes: since.changes + next.length }
  return Result.succeed({ changes: next, version, latest })
}

const expired = (reason: string) =>
  Result.fail(new VersionExpired({ message: `${reason}: get a snapshot of the directory, and follow from there` }))

/** Of a long edition, the text of a version has only the first characters. */
const isSameEdition = (a: DirectoryVersion, b: DirectoryVersion): boolean => editionOf(a) === editionOf(b)

const editionOf = ({ edition }: DirectoryVersion): string => formatVersion({ edition, changes: 0 })

/**
 * The changes of a batch as text: equal changes have equal texts, whatever the order of their fields. It contains only
 * the fields and attributes that a change has, so a later version with more of them has the same text.
 */
export const canonicalChanges = (changes: ReadonlyArray<UnitChange>): string =>
  JSON.stringify(changes.map(presentFields))

/** The fields of an object that are not undefined, in the order of their names, with the fields of objects in them. */
const presentFields = (fields: object): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(fields as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === "object" && value !== null ? presentFields(value) : value])

/** The error of a batch whose reference belongs to another one. */
export const referenceUsed = new Conflict({
  message: "reference: it was already used for another batch; use a new reference for each batch"
})
