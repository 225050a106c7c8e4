/**
 * The switch from the current edition to another one, for imports and reverts: what becomes of the changes of the
 * current edition is decided before, and applies to those that come meanwhile, too.
 */
import { createHash } from "node:crypto"
import {
  type AllowedRemovals,
  type DecidedChange,
  decideChanges,
  judgeRemovals,
  type Removals,
  type RemovalsVerdict
} from "@postcode/core/Changes"
import { changesBetween } from "@postcode/gateway/directory/imports/changeFate"
import { RemovalsTally } from "@postcode/gateway/directory/imports/RemovalsTally"
import type { Client } from "pg"
import { type ChangedUnit, changedUnits, type EditionUnits, unitsChangedInEither } from "../ChangedUnits.ts"
import { unitsTable } from "../Editions.ts"
import { rowOf, stateColumns } from "../UnitRows.ts"
import { type ChangesOverview, ChangesTally } from "./ChangesOverview.ts"
import { ImportFailure } from "./ImportFailure.ts"
import { switchTo } from "./StoredEditions.ts"

/** Whether changes that the other edition would undo are applied to it, or not. */
export type ChangesPolicy = "keep" | "drop"

/** The policy, or who decides on it. It is called only if changes would be undone, and may reject. */
export type ChangesDecision = ChangesPolicy | ((overview: ChangesOverview) => Promise<ChangesPolicy>)

/** The permitted number, or who decides on it. It is called only if that needs a permission, and may reject. */
export type RemovalsDecision = AllowedRemovals | ((verdict: RemovalsVerdict) => Promise<AllowedRemovals>)

/** Numbers of changed units by their fate. */
export interface CarriedChanges {
  readonly contained: number
  readonly kept: number
  readonly dropped: number
  readonly superseded: number
}

/** The outcome of a switch. */
interface Switched {
  /** The number of changes of the edition that is current now. */
  readonly changes: number
  /** Undefined if there were none. */
  readonly carried: CarriedChanges | undefined
}

export interface SwitchOptions {
  /** By default, the switch is refused if changes would be undone. */
  readonly changes?: ChangesDecision | undefined
  /** Called before a decision. */
  readonly onChanges?: ((overview: ChangesOverview) => void) | undefined
  /** How many active units the switch may take away, if it is more than 1 %. By default, it is then refused. */
  readonly removals?: RemovalsDecision | undefined
  /** Called before a decision on removals, if they need one. */
  readonly onRemovals?: ((verdict: RemovalsVerdict) => void) | undefined
}

/** The edition that is left. */
export interface ChangedEdition {
  readonly edition: number
  readonly version: string
  /** Only changes after this one are considered. */
  readonly after: number
}

/** Where the changes to keep go. */
export interface SwitchTarget extends EditionUnits {
  readonly version: string
  /** Number of its changes. */
  readonly changes: number
  /** What it takes away, both editions without their changes. */
  readonly removals: Removals
}

export class EditionSwitch {
  private readonly client: Client
  private readonly from: ChangedEdition | undefined
  private readonly to: SwitchTarget
  private readonly options: SwitchOptions
  private policy: ChangesPolicy | undefined
  /** The last change that the caller knows. */
  private known = 0
  private allowed: AllowedRemovals = 0
  /** The last change that the removals were counted with. */
  private counted = 0

  /** @param from the current edition; undefined before the first import */
  constructor(client: Client, from: ChangedEdition | undefined, to: SwitchTarget, options: SwitchOptions) {
    this.client = client
    this.from = from
    this.to = to
    this.options = options
    if (typeof options.changes === "string") this.policy = options.changes
    if (typeof options.removals !== "function") this.allowed = options.removals ?? 0
  }

  /** Reports what would become of the changes and the active units so far, and has it decided. */
  async decide(): Promise<void> {
    await this.decideOnChanges()
    await this.decideOnRemovals()
  }

  /** What the switch would take away now. */
  async removals(): Promise<RemovalsVerdict> {
    const verdict = judgeRemovals(await this.countRemovals(), this.allowed)
    if (verdict.isLarge) this.options.onRemovals?.(verdict)
    return verdict
  }

  private async decideOnRemovals(): Promise<void> {
    const verdict = await this.removals()
    if (verdict.isAllowed) return
    const { removals: decision } = this.options
    if (typeof decision === "function") this.allowed = await decision(verdict)
    if (!judgeRemovals(verdict, this.allowed).isAllowed) throw new ImportFailure(`it would ${verdict.description}`)
  }

  /** Both editions with their changes, and those that would be kept. */
  private async countRemovals(): Promise<Removals> {
    const { client, from, to } = this
    if (from === undefined) return to.removals
    const upTo = await changesOf(client, from.edition)
    this.counted = upTo
    if (upTo === 0 && to.changes === 0) return to.removals
    const tally = new RemovalsTally(to.removals)
    for await (const units of unitsChangedInEither(client, { ...from, table: unitsTable(from.edition) }, to)) {
      for (const unit of units) {
        tally.add(unit.fromBase, unit.toBase, -1)
        tally.add(unit.from, unit.to)
      }
    }
    if (this.policy !== "keep") return tally.removals()
    for await (const units of changedUnits(client, { ...from, upTo }, to)) {
      for (const { after, changed, fate } of units) {
        if (fate !== "undone") continue
        tally.add(changed, after, -1)
        tally.add(changed, changed)
      }
    }
    return tally.removals()
  }

  private async decideOnChanges(): Promise<void> {
    const overview = await this.overview()
    if (overview === undefined) return
    this.known = overview.changes
    if (overview.undone === 0 || this.policy !== undefined) return
    const { changes: decision } = this.options
    if (typeof decision !== "function") throw new ImportFailure("it would undo changes of the current edition")
    const policy = await decision(overview)
    // What was dropped was shown; later changes were not.
    if (policy === "keep") this.policy = policy
  }

  /** Reports what would become of the changes so far; undefined if there are none. */
  async overview(): Promise<ChangesOverview | undefined> {
    const { client, from, to } = this
    const upTo = from === undefined ? 0 : await changesOf(client, from.edition)
    if (from === undefined || upTo === from.after) return undefined
    const tally = new ChangesTally()
    for await (const units of changedUnits(client, { ...from, upTo }, to)) {
      for (const unit of units) tally.add(unit)
    }
    const overview = tally.overview(from.version, upTo)
    this.options.onChanges?.(overview)
    return overview
  }

  /**
   * Makes the other edition current, in the transaction of the caller, which has to commit next: nothing can be changed
   * until then.
   *
   * @param reference of the changes that are kept
   */
  async run(reference: string): Promise<Switched> {
    for (;;) {
      await this.client.query("SAVEPOINT before_switch")
      const switched = await this.carry(reference)
      if (switched !== undefined) {
        await switchTo(this.client, this.to.edition)
        return switched
      }
      // Releases the lock.
      await this.client.query("ROLLBACK TO SAVEPOINT before_switch")
      await this.decide()
    }
  }

  /** Locks the current edition and writes the changes to keep; undefined if new ones have to be decided on first. */
  private async carry(reference: string): Promise<Switched | undefined> {
    const { client, from, to } = this
    if (from === undefined) return { changes: to.changes, carried: undefined }
    const { at, changes: upTo } = await lockEdition(client, from.edition)
    if (upTo !== this.counted && !judgeRemovals(await this.countRemovals(), this.allowed).isAllowed) return undefined
    if (upTo === from.after) return { changes: to.changes, carried: undefined }
    const counts = { contained: 0, undone: 0, superseded: 0 }
    let last = to.changes
    for await (const units of changedUnits(client, { ...from, upTo }, to)) {
      for (const { fate } of units) counts[fate]++
      const undone = units.filter(({ fate }) => fate === "undone")
      if (this.policy === undefined && undone.some(({ number }) => number > this.known)) return undefined
      if (this.policy !== "keep") continue
      const kept = decide(undone)
      await insertChanges(client, { edition: to.edition, last, at, reference }, kept)
      last += kept.length
    }
    if (last > to.changes) await this.noteBatch(`kept from edition ${from.version}`, { last, at, reference })
    const { contained, superseded, undone } = counts
    const [kept, dropped] = this.policy === "keep" ? [undone, 0] : [0, undone]
    return { changes: last, carried: { contained, kept, dropped, superseded } }
  }

  private async noteBatch(reason: string, { at, last, reference }: Omit<Place, "edition">): Promise<void> {
    const { changes, edition, version } = this.to
    await this.client.query(
      `INSERT INTO postcode.directory_batches
        (edition, version, first_change, last_change, at, actor, reason, reference, digest, unchanged)
      VALUES ($1, $2, $3, $4, $5, 'command', $6, $7, $8, 0)`,
      [edition, version, changes + 1, last, at, reason, reference, digestOf(reference)]
    )
    await this.client.query("UPDATE postcode.directory_editions SET changes = $2 WHERE edition = $1", [edition, last])
  }
}

/** Where changes are written. */
interface Place {
  readonly edition: number
  /** The number of the last change before. */
  readonly last: number
  readonly at: Date
  readonly reference: string
}

const changesOf = async (client: Client, edition: number): Promise<number> => {
  const { rows } = await client.query<{ readonly changes: number }>(
    "SELECT changes FROM postcode.directory_editions WHERE edition = $1",
    [edition]
  )
  return rows[0]?.changes ?? 0
}

const lockEdition = async (client: Client, edition: number) => {
  const { rows } = await client.query<{ readonly changes: number; readonly at: Date }>(
    "SELECT changes, clock_timestamp() AS at FROM postcode.directory_editions WHERE edition = $1 AND is_current FOR UPDATE",
    [edition]
  )
  const [row] = rows
  if (row === undefined)
    throw new ImportFailure("another edition became current in the meantime; run the command again")
  return row
}

/** The changes that bring the other edition's units to their changed states. */
const decide = (undone: ReadonlyArray<ChangedUnit>): ReadonlyArray<DecidedChange> => {
  const states = new Map(undone.map(({ after, changed }) => [changed.postcode, after]))
  const changes = undone.flatMap(({ after, changed }) => changesBetween(after, changed))
  const decision = decideChanges((postcode) => states.get(postcode), changes)
  if (!decision.ok) throw new Error(`a change cannot be kept: ${decision.faults[0]?.reason}`)
  return decision.changes
}

const insertChanges = async (
  client: Client,
  { at, edition, last, reference }: Place,
  changes: ReadonlyArray<DecidedChange>
): Promise<void> => {
  if (changes.length === 0) return
  const rows = changes.map(({ kind, unit }, i) => ({ number: last + 1 + i, kind, ...rowOf(unit) }))
  await client.query(
    `INSERT INTO postcode.directory_changes (edition, at, reference, ${names})
    SELECT $1, $2, $3, ${names} FROM json_populate_recordset(NULL::postcode.directory_changes, $4)`,
    [edition, at, reference, JSON.stringify(rows)]
  )
}

const names = `number, kind, ${stateColumns}`

/** No batch of changes has it, so the reference cannot be used for one. */
const digestOf = (reference: string): Buffer => createHash("sha256").update(reference).digest()
