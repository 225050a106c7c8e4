/** A database with editions of a few units, their changes, and what it holds. */
import { randomUUID } from "node:crypto"
import type { UnitChange, UnitState } from "@postcode/core/Changes"
import { fromE7, toE7 } from "@postcode/core/Coordinate"
import { unitLine, unitsHeader } from "@postcode/core/Csv"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { makeMigratedDatabase, type TestDatabase, textInput } from "@postcode/drills/postgres"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import {
  type ChangesOverview,
  type ImportOptions,
  importDirectory,
  layerDatabase,
  layerDirectoryChanges,
  revertDirectory
} from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { afterEach, beforeEach, expect } from "vitest"

export const codeOf = (number: number) =>
  `LA-12-A${String(Math.floor(number / 100)).padStart(2, "0")}-BG-${String(number % 100).padStart(2, "0")}` as Postcode

interface State {
  readonly lat_e7?: number
  readonly active?: boolean
  readonly replaced_by?: Postcode
  readonly attributes?: UnitAttributes
}

export const unit = (
  number: number,
  { active = true, attributes = {}, lat_e7 = 66_000_000, replaced_by }: State = {}
) =>
  ({
    postcode: codeOf(number),
    coordinate: { lat: fromE7(lat_e7), lon: 3.5 },
    active,
    ...(replaced_by && { replaced_by }),
    attributes
  }) satisfies UnitState

type Units = ReadonlyArray<UnitState>

export const retire = (number: number): UnitChange => ({ change: "retire", postcode: codeOf(number) })

export const move = (number: number, lat_e7: number): UnitChange => ({
  change: "move",
  postcode: codeOf(number),
  coordinate: { lat: fromE7(lat_e7), lon: 3.5 }
})

export const byCode = (units: Units): Record<string, UnitState> =>
  Object.fromEntries(units.map((unit) => [unit.postcode, unit]))

/** Before each test of the file a new database. */
export const editionDatabase = () => {
  let database: TestDatabase
  let client: Client

  beforeEach(async () => {
    database = await makeMigratedDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
  })

  afterEach(async () => {
    await client.end()
    await database.drop()
  })

  /** Another connection. In a transaction the activity of others stays as it was. */
  const connect = async () => {
    const observer = new Client({ connectionString: database.url })
    await observer.connect()
    return Object.assign(observer, { [Symbol.asyncDispose]: () => observer.end() })
  }

  const runImport = async (version: string, units: Units, options: Partial<ImportOptions> = {}) => {
    const overviews: Array<ChangesOverview> = []
    const result = await importDirectory(textInput(places, csvOf(units)), {
      url: database.url,
      version,
      dayOfFiles: "2026-01-31",
      // One of a few units is more than 1 %.
      removals: "all",
      ...options,
      watch: { onChanges: (overview) => overviews.push(overview), ...options.watch }
    })
    return { result, overviews }
  }

  const query = async (statement: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
    (await client.query<Record<string, unknown>>(statement)).rows

  /** Applies changes to the current edition, as a service does. */
  const change = async (...changes: ReadonlyArray<UnitChange>): Promise<void> => {
    const batch = { changes, reference: randomUUID(), reason: "test", actor: "operator", at: new Date().toISOString() }
    const outcome = Effect.flatMap(DirectoryChanges, ({ apply }) => apply(batch, false))
    const store = Layer.provide(layerDirectoryChanges, layerDatabase({ url: Redacted.make(database.url) }))
    expect(await Effect.runPromise(Effect.provide(outcome, store))).toMatchObject({ _tag: "Applied" })
  }

  /** The units of the current edition with its changes, by postcode. */
  const currentUnits = async (): Promise<Record<string, UnitState>> => {
    const [{ edition } = {}] = await query("SELECT edition FROM postcode.directory_editions WHERE is_current")
    const rows = await query(`
      SELECT DISTINCT ON (postcode) postcode, lat, lon, status, replaced_by, locality_name, recent_address FROM (
        SELECT 0 AS number, postcode, lat, lon, status, replaced_by, locality_name, recent_address FROM postcode.units_${edition}
        UNION ALL
        SELECT number, postcode, lat, lon, status, replaced_by, locality_name, recent_address
        FROM postcode.directory_changes WHERE edition = ${edition}
      ) all_states ORDER BY postcode, number DESC`)
    return byCode(
      rows.map(({ lat, locality_name, lon, postcode, recent_address, replaced_by, status }) => ({
        postcode: postcode as Postcode,
        coordinate: { lat: Number(lat), lon: Number(lon) },
        active: status === "active",
        ...(replaced_by !== null && { replaced_by: replaced_by as Postcode }),
        attributes: {
          ...(locality_name !== null && { locality_name: String(locality_name) }),
          ...(recent_address !== null && { recent_address: String(recent_address) })
        }
      }))
    )
  }

  const changesOf = (edition: number) =>
    query(`SELECT number, kind, postcode, lat, status, replaced_by, locality_name FROM postcode.directory_changes
      WHERE edition = ${edition} ORDER BY number`)

  const editions = () =>
    query("SELECT edition, version, is_current, changes FROM postcode.directory_editions ORDER BY edition")

  const lastEvent = async () => (await query("SELECT * FROM postcode.audit_events ORDER BY number DESC LIMIT 1"))[0]

  const revert = (options: Partial<Parameters<typeof revertDirectory>[0]> = {}) =>
    revertDirectory({ url: database.url, removals: "all", ...options })

  return { query, connect, runImport, change, currentUnits, changesOf, editions, lastEvent, revert }
}

const places = "code,name,zone\nLA,Lagos,South West\nLA-12,Ikorodu,\n"

const csvOf = (units: Units): string =>
  unitsHeader +
  units
    .map(({ active, attributes, coordinate: { lat, lon }, postcode, replaced_by }) =>
      unitLine(postcode, toE7(lat), toE7(lon), active, attributes, replaced_by)
    )
    .join("")
