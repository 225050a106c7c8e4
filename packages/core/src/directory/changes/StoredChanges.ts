/** Shared code of the stores of changes. */

import { Result } from "effect"
import { Conflict, InvalidParameter, VersionExpired } from "../../Errors.ts"
import type { Postcode } from "../../postcode/Postcode.ts"
import { type DirectoryVersion, formatVersion } from "../DirectoryVersion.ts"
import type { Coordinate } from "../space/Coordinate.ts"
import type { AppliedChange, ChangePage } from "./DirectoryChanges.ts"
import { type AttributeChanges, attributeNames, type UnitChange } from "./UnitChange.ts"

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

/** The changes of a batch as text: equal changes have equal texts, whatever the order of their fields. */
export const canonicalChanges = (changes: ReadonlyArray<UnitChange>): string => JSON.stringify(changes.map(valuesOf))

const valuesOf = (change: AnyChange): ReadonlyArray<unknown> => {
  const { active, attributes, change: kind, coordinate, postcode, replaced_by } = change
  const values = attributes && attributeNames.map((name) => present(attributes[name]))
  return [kind, postcode, coordinate?.lat, coordinate?.lon, active, replaced_by, values]
}

/** JSON has no other value for what is absent than null, which removes an attribute. */
const present = (value: unknown): unknown => (value === undefined ? 0 : value)

/** A change of any kind. */
type AnyChange = Pick<UnitChange, "change" | "postcode"> & {
  readonly active?: boolean
  readonly attributes?: AttributeChanges
  readonly coordinate?: Coordinate
  readonly replaced_by?: Postcode
}

/** The error of a batch whose reference belongs to another one. */
export const referenceUsed = new Conflict({
  message: "reference: it was already used for another batch; use a new reference for each batch"
})
