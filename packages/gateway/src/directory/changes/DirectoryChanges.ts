/** Port: changes of the current directory, in one order, and the history of its units. */

import type { ChangeFault, ChangeKind, UnitChange, UnitState } from "@postcode/core/Changes"
import type { DirectoryVersion } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { Clock, Context, Effect } from "effect"
import type { Conflict, InvalidParameter, Unavailable, VersionExpired } from "../../Errors.ts"

/** Changes to apply as a whole. */
export interface ChangeBatch {
  readonly changes: ReadonlyArray<UnitChange>
  /**
   * The most active units that the batch may retire, or move by more than `farMove_m`; a dry run ignores it. Default: no
   * limit.
   */
  readonly allowedRemovals?: number
  /** The operator's name of the batch: repeating a batch under its reference changes nothing. */
  readonly reference: string
  /** Why, in the operator's words. */
  readonly reason: string
  /** As in the audit log. */
  readonly actor: string
  /** ISO 8601, UTC. */
  readonly at: string
}

/** A batch without faults. */
export interface AppliedBatch {
  readonly _tag: "Applied"
  /** The version with the batch. */
  readonly version: DirectoryVersion
  /** Number of changes with an effect. */
  readonly applied: number
  /** Number of changes that repeat the current state. */
  readonly unchanged: number
  /** Whether the batch was applied before, under the same reference. Then nothing was changed now. */
  readonly repeated: boolean
  /** Of a dry run: number of active units that the batch would retire, or move by more than `farMove_m`. */
  readonly removals?: number
}

/** The outcome of a batch. */
export type ChangeOutcome =
  | AppliedBatch
  /** Nothing was changed: there are more than `allowedRemovals`. */
  | { readonly _tag: "TooManyRemovals"; readonly removals: number }
  /** Nothing was changed. All faults, in the order of the changes. */
  | { readonly _tag: "Refused"; readonly faults: ReadonlyArray<ChangeFault> }

/** A change with an effect. */
export interface AppliedChange {
  /** The number of the change in its edition, from 1. */
  readonly number: number
  readonly kind: ChangeKind
  /** ISO 8601, UTC. */
  readonly at: string
  /** The unit after the change. */
  readonly unit: UnitState
}

/** Consecutive changes of the current edition. */
export interface ChangePage {
  readonly changes: ReadonlyArray<AppliedChange>
  /** The version after these changes: where the next page begins. */
  readonly version: DirectoryVersion
  /** The version of the directory when the page was read. */
  readonly latest: DirectoryVersion
}

/** An event in the life of a unit. */
export interface UnitEvent extends AppliedChange {
  /** The version of the edition that was changed. */
  readonly edition: string
  readonly reason: string
  readonly reference: string
  readonly actor: string
}

/** A unit and its history. */
export interface UnitHistory {
  /** The current state; undefined if the current directory does not have the unit. */
  readonly unit: UnitState | undefined
  /** Newest first, at most `maxUnitEvents`. Changes of earlier editions are included for a year. */
  readonly events: ReadonlyArray<UnitEvent>
}

/** The largest batch. */
export const maxBatchChanges = 10_000

/** The default number of changes of a page. */
export const defaultChanges = 100

/** The maximum number of changes of a page. */
export const maxChanges = 1_000

/** How long the changes of a directory can be read, in days. */
export const keptChanges_days = 365

/** The maximum number of changes in the history of a unit. */
export const maxUnitEvents = 100

/** Changes before this time are not shown any more. ISO 8601, UTC. */
export const keptSince: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (now_ms) =>
  new Date(now_ms - keptChanges_days * 86_400_000).toISOString()
)

export class DirectoryChanges extends Context.Service<
  DirectoryChanges,
  {
    /**
     * Applies all changes of a batch, in order, or none. Applied changes are stored: they are not lost by a crash of
     * the service where the store outlives it. Fails with `Conflict` if the reference belongs to another batch, or the
     * directory cannot be changed.
     *
     * Batches that come at the same time may share a transaction, so the caller needs none.
     *
     * @param dryRun checks the batch only; `Applied` then tells what would be
     * @param onApplied what belongs to the batch, such as its audit entry: runs in the same transaction, once, if the
     *   batch is applied and not repeated. Its failure fails the batch.
     */
    readonly apply: (
      batch: ChangeBatch,
      dryRun: boolean,
      onApplied?: (outcome: AppliedBatch) => Effect.Effect<void, Unavailable>
    ) => Effect.Effect<ChangeOutcome, Conflict | Unavailable>
    /**
     * The changes after a version, oldest first. Fails with `VersionExpired` if the edition is no longer current or
     * the changes are older than `keptChanges_days`, and with `InvalidParameter` for a version that never was.
     *
     * @param organization_id of the caller; undefined without a key. Adapters without reserved codes ignore it.
     */
    readonly after: (
      version: DirectoryVersion,
      limit: number,
      organization_id?: string
    ) => Effect.Effect<ChangePage, VersionExpired | InvalidParameter | Unavailable>
    readonly history: (postcode: Postcode) => Effect.Effect<UnitHistory, Unavailable>
    /** The version of the directory now; undefined if it cannot change. */
    readonly latest: Effect.Effect<DirectoryVersion | undefined, Unavailable>
  }
>()("@postcode/gateway/DirectoryChanges") {}
