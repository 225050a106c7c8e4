/** Counts the rows of a file by their results. */

import type { AddressAnswer } from "@postcode/core/AddressSearch"
import { validationStatuses } from "@postcode/core/Validation"
import { grouped } from "@postcode/server/process/Progress"
import { isGood, type RowResult } from "./RowResult.ts"

const actions = ["accept", "confirm", "ask"] as const satisfies ReadonlyArray<AddressAnswer["action"]>

/** The counts of what a file has: postcodes by status, addresses by action, and rows whose two do not agree. */
export class RowCounts {
  rows = 0
  /** Rows that somebody needs to look at. */
  bad = 0
  /** In the order in which they are reported. */
  readonly byName: Record<string, number>

  constructor(has: { readonly postcodes: boolean; readonly addresses: boolean }) {
    const names = [
      ...(has.postcodes ? validationStatuses : []),
      ...(has.addresses ? actions : []),
      ...(has.postcodes ? [] : ["malformed"]),
      ...(has.postcodes && has.addresses ? ["disagree"] : [])
    ]
    this.byName = Object.fromEntries(names.map((name) => [name, 0]))
  }

  add(result: RowResult): void {
    const { address, validation } = result
    this.addRow(isGood(result))
    if (validation !== undefined) this.increment(validation.status)
    if (address !== undefined) this.increment(address.answer.action)
    if (address?.agrees === false) this.increment("disagree")
  }

  /** Counts a line that is not a row of the file. */
  addFault(): void {
    this.addRow(false)
    this.increment("malformed")
  }

  /** `2 valid, 0 retired, 1 not_found, 0 malformed` */
  summary(): string {
    return Object.entries(this.byName)
      .map(([name, count]) => `${grouped(count)} ${name}`)
      .join(", ")
  }

  private addRow(good: boolean): void {
    this.rows++
    if (!good) this.bad++
  }

  private increment(name: string): void {
    this.byName[name] = (this.byName[name] ?? 0) + 1
  }
}
