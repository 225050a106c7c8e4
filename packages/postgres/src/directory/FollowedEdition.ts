/**
 * An edition in memory and its changes, as far as they were read. Many changes are merged into it, in a worker thread.
 */
import { setImmediate } from "node:timers/promises"
import type { ChangeKind } from "@postcode/core/Changes"
import type { DirectoryWarning } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import { ChangedAddresses, isOfAddress, LiveDirectory, maxStep, unitStatesOf } from "@postcode/core/LiveDirectory"
import { refreshed } from "@postcode/gateway/directory/refreshAddresses"
import { indexAddressesInWorker, mergeInWorker } from "@postcode/node"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import type { Edition } from "./Editions.ts"
import { loadEdition } from "./loadEdition.ts"
import { type PlaceRow, placeOf } from "./UnitRows.ts"

export interface FollowedEdition {
  /** Its number, from 1; each import increments it. */
  readonly edition: number
  /** When it became current, ISO 8601, UTC. */
  readonly since: string
  readonly warnings: ReadonlyArray<DirectoryWarning>
  /** The directory with the changes that were read so far. All but the newest of them is in shared memory. */
  readonly live: LiveDirectory
  readonly addresses: ChangedAddresses
  /** Ends what runs for it in other threads. */
  readonly close: () => void
}

/** Loads an edition with all its changes. */
export const openEdition = (edition: Edition): Effect.Effect<FollowedEdition, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const threads = new AbortController()
    const { signal } = threads
    const live = yield* mergedDirectory(yield* loadEdition(edition), signal)
    const addresses = new ChangedAddresses(live, (task) => indexAddressesInWorker(task, { signal }))
    const opened = {
      edition: edition.edition,
      since: edition.current_since.toISOString(),
      warnings: edition.warnings,
      live,
      addresses,
      close: () => {
        addresses.close()
        threads.abort()
      }
    }
    yield* readChanges(opened, edition.changes)
    yield* refreshed(opened.addresses)
    return opened
  })

const mergedDirectory = (directory: Directory, signal: AbortSignal): Effect.Effect<LiveDirectory> =>
  Effect.map(Effect.context(), (context) => {
    const run = Effect.runForkWith(context)
    return new LiveDirectory(directory, {
      merge: (changed) => mergeInWorker(changed, { signal }),
      onMergeFailed: (error) => {
        if (!signal.aborted) run(Effect.logWarning("the changes of the directory could not be merged yet", error))
      },
      pause: () => setImmediate()
    })
  })

/** Reads the changes up to a number, and shows them together. If it fails, none is shown, and it can be repeated. */
export const readChanges = (
  { addresses, edition, live }: Omit<FollowedEdition, "close" | "since">,
  upTo: number
): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const addressed: Array<ChangeRow> = []
    for (let last = live.current.changes; last < upTo; ) {
      const rows = yield* answeredOrBroken(
        sql<ChangeRow>`
          SELECT kind, postcode, lat, lon, status, replaced_by, locality_name, recent_address
          FROM postcode.directory_changes
          WHERE edition = ${edition} AND number > ${last} AND number <= ${Math.min(upTo, last + maxStep)}
          ORDER BY number`,
        timeout_ms
      )
      // Numbers have no gaps.
      last += rows.length
      if (rows.length === 0) throw new Error(`edition ${edition}: the database has no change ${last + 1} of ${upTo}`)
      live.stage(unitStatesOf(rows.map(placeOf)))
      addressed.push(...rows.filter(({ kind }) => isOfAddress(kind)))
    }
    live.show(upTo)
    for (const { locality_name, postcode, recent_address } of addressed) {
      addresses.take(postcode, locality_name ?? "", recent_address ?? "")
    }
  })

interface ChangeRow extends PlaceRow {
  readonly kind: ChangeKind
  readonly locality_name: string | null
  readonly recent_address: string | null
}

const timeout_ms = 5_000
