/** What a look at a directory found, as it is stored with the edition. */
import type { Directory } from "../Directory.ts"
import { type FindingKind, type Findings, implausibleKinds } from "./Finding.ts"

/** The findings of one kind: their number, and the first of them. */
export interface DirectoryWarning {
  readonly kind: FindingKind
  readonly count: number
  /** In the order of their postcodes, at most 20. */
  readonly first: ReadonlyArray<WarningRow>
}

/** One finding. Those of places have neither line nor postcode. */
export interface WarningRow {
  /** The line of `units.csv` on which the row starts. */
  readonly line?: number
  readonly postcode?: string
  /** Such as a distance; empty if the kind says all. */
  readonly detail: string
}

const maxRows = 20

/**
 * The warnings of an edition.
 *
 * @param lineOf the line of the units' file, by the id of a unit
 */
export const warningsOf = (
  found: ReadonlyArray<Findings>,
  directory: Directory,
  lineOf: (id: number) => number
): ReadonlyArray<DirectoryWarning> =>
  found.map(({ detail, ids, kind }) => ({
    kind,
    count: ids.length,
    first: ids.slice(0, maxRows).map((id, index) => ({
      ...(id >= 0 && { line: lineOf(id), postcode: directory.postcodeAt(id) }),
      detail: detail(index)
    }))
  }))

/** The lines of units whose location cannot be right. */
export const implausibleLines = (found: ReadonlyArray<Findings>, lineOf: (id: number) => number): ReadonlySet<number> =>
  new Set(found.filter(({ kind }) => implausibleKinds.includes(kind)).flatMap(({ ids }) => ids.map(lineOf)))
