/** `postcode directory revert`: makes the edition before the current one current again, in one transaction. */

import type { RemovalsVerdict } from "@postcode/core/Changes"
import { compareDirectories } from "@postcode/gateway/directory/imports/compareDirectories"
import { Effect, Redacted } from "effect"
import type { Client } from "pg"
import { newEventId } from "../../audit/EventId.ts"
import { layerDatabase } from "../../connection/Database.ts"
import { findEdition, unitsTable } from "../Editions.ts"
import { loadEdition } from "../loadEdition.ts"
import type { ChangesOverview } from "./ChangesOverview.ts"
import { type CarriedChanges, type ChangesDecision, EditionSwitch, type RemovalsDecision } from "./EditionSwitch.ts"
import { type ImportConnectionOptions, lockImports, prepareSchema, withImportConnection } from "./ImportConnection.ts"
import { commitOrDoubt, ImportFailure } from "./ImportFailure.ts"
import { noteEvent, previousEdition, type StoredEdition, shownName, storedEdition } from "./StoredEditions.ts"

/** The options of a revert. */
export interface RevertOptions extends ImportConnectionOptions {
  /** What becomes of changes of the current edition that the revert would undo. By default, it is then refused. */
  readonly changes?: ChangesDecision | undefined
  /** What the revert would do to the changes of the current edition, if there are any, before they are decided on. */
  readonly onChanges?: ((overview: ChangesOverview) => void) | undefined
  /** How many active units the revert may take away, if it is more than 1 %. By default, it is then refused. */
  readonly removals?: RemovalsDecision | undefined
  /** What the revert would take away, if that needs a permission, before it is decided on. */
  readonly onRemovals?: ((verdict: RemovalsVerdict) => void) | undefined
  /** The edition that is left, and the one that becomes current. */
  readonly onEditions?: (from: StoredEdition, to: StoredEdition) => void
  /** Called before anything is changed. It may reject. */
  readonly confirm?: (to: StoredEdition) => Promise<void>
  readonly onWait?: (reason: string) => void
}

/** The outcome of a revert. */
export interface RevertResult {
  /** The edition that was left. It stays stored, so that a revert can be reverted. */
  readonly from: StoredEdition
  /** The edition that is current again, with the changes that were kept. */
  readonly to: StoredEdition
  /** What became of the changed units of the edition that was left; undefined if there are none. */
  readonly carried: CarriedChanges | undefined
}

/**
 * Returns to the previous edition with all its changes. Rejects with `ImportFailure`, the reason of the signal,
 * or what `confirm` rejects with. Even after the signal, it rejects with `ImportInDoubt` if the revert may be done.
 */
export const revertDirectory = (options: RevertOptions): Promise<RevertResult> =>
  withImportConnection(options, async (client) => {
    await prepareSchema(options, options.onWait)
    await lockImports(client)
    await client.query("BEGIN")
    const { from, to } = await editionsOf(client)
    options.onEditions?.(from, to)
    // The changes since it became current: the earlier ones are those of the other edition, or were dropped.
    const left = { ...from, after: from.base_changes }
    const { removals } = compareDirectories(...(await readEditions(options.url, from, to)))
    const target = { ...to, table: unitsTable(to.edition), removals }
    const switching = new EditionSwitch(client, left, target, options)
    await switching.decide()
    await options.confirm?.(to)
    const id = newEventId()
    const { carried, changes } = await switching.run(id)
    const { date, edition, version } = to
    const details = { version, date, left_edition: from.edition, left_version: from.version, ...carried }
    await noteEvent(client, { id, actor: "command", action: "directory.reverted", edition, details })
    await commitOrDoubt(client, edition, "see which one is, before you revert again")
    return { from, to: { ...to, changes }, carried }
  })

const editionsOf = async (client: Client) => {
  const from = await storedEdition(client)
  if (from === undefined) throw new ImportFailure("the database holds no directory yet")
  const to = await previousEdition(client)
  if (to === undefined) throw new ImportFailure(`no edition before ${shownName(from.version)} is stored`)
  if (shownName(from.version) === shownName(to.version) && from.changes > 0) {
    throw new ImportFailure(
      `editions ${from.edition} and ${to.edition} are both called ${shownName(to.version)}, and clients know the changes ` +
        "by that name: import the files of the earlier one under another --data-version"
    )
  }
  return { from, to }
}

/** Two editions without their changes, which only an import or a revert could replace meanwhile. */
const readEditions = (url: string, from: StoredEdition, to: StoredEdition) =>
  Effect.all([readEdition(from.edition), readEdition(to.edition)]).pipe(
    Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections: 1 })),
    Effect.runPromise
  )

const readEdition = (number: number) =>
  Effect.flatMap(findEdition(number), (edition) =>
    edition === undefined ? Effect.die(new Error(`edition ${number} is no longer stored`)) : loadEdition(edition)
  )
