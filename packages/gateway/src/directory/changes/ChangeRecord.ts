/** The changes of a directory in memory, since the record began. */

import type { DecidedChange } from "@postcode/core/Changes"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import type { Conflict } from "../../Errors.ts"
import {
  type AppliedBatch,
  type AppliedChange,
  type ChangeBatch,
  maxUnitEvents,
  type UnitEvent
} from "./DirectoryChanges.ts"
import { canonicalChanges, referenceUsed } from "./StoredChanges.ts"

interface RecordedBatch {
  /** As text. */
  readonly changes: string
  readonly outcome: AppliedBatch
}

export class ChangeRecord {
  private readonly edition: string
  /** The number of the change before the first one of this record. */
  private readonly start: number
  private readonly events: Array<UnitEvent> = []
  /** The events of each changed unit, oldest first. */
  private readonly eventsByUnit = new Map<Postcode, Array<UnitEvent>>()
  private readonly batches = new Map<string, RecordedBatch>()

  constructor({ changes, version }: Pick<Directory, "changes" | "version">) {
    this.edition = version
    this.start = changes
  }

  /** The outcome of a batch that was recorded before; undefined if its reference is new. */
  repeated({ changes, reference }: ChangeBatch): AppliedBatch | Conflict | undefined {
    const recorded = this.batches.get(reference)
    if (recorded === undefined) return undefined
    return recorded.changes === canonicalChanges(changes) ? { ...recorded.outcome, repeated: true } : referenceUsed
  }

  /** What recording a decided batch gives. */
  outcomeOf(changes: ReadonlyArray<DecidedChange>, unchanged: number): AppliedBatch {
    const version = { edition: this.edition, changes: this.start + this.events.length + changes.length }
    return { _tag: "Applied", version, applied: changes.length, unchanged, repeated: false }
  }

  add(batch: ChangeBatch, changes: ReadonlyArray<DecidedChange>, unchanged: number): AppliedBatch {
    const outcome = this.outcomeOf(changes, unchanged)
    const { actor, at, reason, reference } = batch
    for (const { kind, unit } of changes) {
      const number = this.start + this.events.length + 1
      const event = { number, kind, at, unit, edition: this.edition, reason, reference, actor }
      this.events.push(event)
      const ofUnit = this.eventsByUnit.get(unit.postcode)
      if (ofUnit === undefined) this.eventsByUnit.set(unit.postcode, [event])
      else ofUnit.push(event)
    }
    this.batches.set(reference, { changes: canonicalChanges(batch.changes), outcome })
    return outcome
  }

  /** The attributes of a unit after the change with a number; undefined if no change up to it affected the unit. */
  attributesAt(postcode: Postcode, number: number): UnitAttributes | undefined {
    return this.eventsByUnit.get(postcode)?.findLast((event) => event.number <= number)?.unit.attributes
  }

  /** The changes after the one with a number, oldest first; none if there are some before this record. */
  after(number: number, limit: number): ReadonlyArray<AppliedChange> {
    const first = number - this.start
    if (first < 0) return []
    return this.events.slice(first, first + limit).map(({ at, kind, number, unit }) => ({ number, kind, at, unit }))
  }

  /** The postcodes of the units with events. */
  postcodes(): ReadonlyArray<Postcode> {
    return [...this.eventsByUnit.keys()]
  }

  /** The events of a unit, newest first, from a time on. */
  eventsOf(postcode: Postcode, since: string): ReadonlyArray<UnitEvent> {
    const events = this.eventsByUnit.get(postcode)?.slice(-maxUnitEvents) ?? []
    return events.filter(({ at }) => at >= since).reverse()
  }
}
