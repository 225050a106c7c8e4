/**
 * Nearest and membership, compared with PostGIS and a primary key on the same units: sequential prepared statements
 * through a local socket.
 */
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Directory } from "@postcode/core/Directory"
import { parse } from "@postcode/core/Postcode"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { findPostgres, startPostgres } from "@postcode/drills/postgres"
import { openSnapshotFile } from "@postcode/node"
import type { Client } from "pg"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { compared, type Figure } from "../../Bench.ts"
import { mediansOfAsync } from "../../measure.ts"
import { watchForInterruption } from "../../setUp/Interruption.ts"
import { nearUnits } from "../Points.ts"

export interface PostgisParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  /** The folder for the database. */
  readonly folder: string
  readonly points: number
  readonly rounds: number
  /** The folder of PostgreSQL's programs; the usual ones if undefined. */
  readonly programFolders: ReadonlyArray<string> | undefined
}

export const postgis = async (
  parameter: PostgisParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { directory } = await openSnapshotFile(parameter.path)
  const programs = findPostgres(parameter.programFolders)
  if (programs === undefined) {
    progress(
      "postgis: missing: there is no PostgreSQL server here. On Debian: apt install postgresql postgresql-postgis"
    )
    return withoutPeer(directory, parameter)
  }
  const interruption = watchForInterruption()
  const server = await startPostgres({ programs, folder: parameter.folder, settings: serverSettings })
  const stop = (): void => void server.stop()
  interruption.signal.addEventListener("abort", stop)
  try {
    const client = await server.connect()
    const fault = await createPostgis(client)
    if (fault !== undefined) {
      progress(`postgis: missing: ${fault}. On Debian: apt install postgresql-postgis`)
      return await withoutPeer(directory, parameter)
    }
    await load(client, directory, parameter.folder, progress)
    return await beside(client, directory, parameter, progress)
  } finally {
    await server.stop()
    interruption.end()
  }
}

/** Settings of a read-only service with enough memory; none slows a query down. */
const serverSettings = {
  shared_buffers: "1GB",
  effective_cache_size: "4GB",
  maintenance_work_mem: "512MB",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan"
} as const

/** More units than this would take the database hours to index. */
const maxUnits = 10_000_000

/** The reason why PostGIS is missing, if it is. */
const createPostgis = async (client: Client): Promise<string | undefined> => {
  try {
    await client.query("CREATE EXTENSION postgis")
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** A table of the active units, or of an evenly spread sample up to the maximum. */
const load = async (
  client: Client,
  directory: Directory,
  folder: string,
  progress: (message: string) => void
): Promise<void> => {
  const file = join(folder, "units.copy")
  progress("postgis: writing the units to load")
  await pipeline(Readable.from(copyRows(directory)), createWriteStream(file))
  progress("postgis: loading them")
  await client.query("BEGIN")
  await client.query("CREATE TABLE units (postcode text NOT NULL, place geography(Point, 4326) NOT NULL)")
  await client.query(`COPY units FROM '${file.replaceAll("'", "''")}'`)
  await client.query("COMMIT")
  await rm(file)
  progress("postgis: indexing postcodes")
  await client.query("ALTER TABLE units ADD PRIMARY KEY (postcode)")
  progress("postgis: indexing places")
  await client.query("CREATE INDEX ON units USING gist (place)")
  progress("postgis: reading everything once")
  await client.query("VACUUM ANALYZE units")
}

/** Every `stride`th unit is loaded. */
const strideOf = (directory: Directory): number => Math.ceil(directory.size / maxUnits)

/** Lines of PostgreSQL's COPY, in chunks of a few thousand. */
function* copyRows(directory: Directory): Generator<string> {
  let lines = ""
  for (let id = 0; id < directory.size; id += strideOf(directory)) {
    if (!directory.isActive(id)) continue
    const { lat, lon } = directory.coordinateAt(id)
    lines += `${directory.postcodeAt(id)}\tSRID=4326;POINT(${lon} ${lat})\n`
    if (lines.length < 1 << 18) continue
    yield lines
    lines = ""
  }
  yield lines
}

const nearestStatement = {
  name: "nearest",
  text: `SELECT postcode FROM units
    WHERE ST_DWithin(place, ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography, 25)
    ORDER BY place <-> ST_SetSRID(ST_MakePoint($1, $2), 4326)::geography LIMIT 1`
} as const

const memberStatement = { name: "member", text: "SELECT true FROM units WHERE postcode = $1" } as const

/** Each peer counts its results. */
const beside = async (
  client: Client,
  directory: Directory,
  parameter: PostgisParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const plan = { rounds: parameter.rounds, warm_up_rounds: 2 }
  const { members, ourMembers, ourNearest, points } = ourWorks(directory, parameter)
  const theirNearest = async (): Promise<number> => {
    let found = 0
    for (const { lat, lon } of points.slice(0, parameter.points)) {
      found += (await client.query({ ...nearestStatement, values: [lon, lat] })).rows.length
    }
    return found
  }
  const theirMembers = async (): Promise<number> => {
    let found = 0
    for (const postcode of members.slice(0, parameter.points)) {
      found += (await client.query({ ...memberStatement, values: [postcode] })).rows.length
    }
    return found
  }
  const { postgres, postgis, units } = await versions(client)
  const peer = strideOf(directory) === 1 ? "" : `, with ${units} of the units`
  progress(`postgis: nearest, beside PostGIS ${postgis}`)
  const nearestTimes = await mediansOfAsync([ourNearest, theirNearest], plan)
  progress(`postgis: membership, beside a primary key of PostgreSQL ${postgres}`)
  const memberTimes = await mediansOfAsync([ourMembers, theirMembers], plan)
  return [
    figureOf("nearest within 25 m", `PostGIS ${postgis}${peer}`, nearestTimes, parameter.points),
    figureOf("membership from a string", `PostgreSQL ${postgres} primary key${peer}`, memberTimes, parameter.points)
  ]
}

/** The same figures without a peer. */
const withoutPeer = async (directory: Directory, parameter: PostgisParameter): Promise<ReadonlyArray<Figure>> => {
  const { ourMembers, ourNearest } = ourWorks(directory, parameter)
  const plan = { rounds: parameter.rounds, warm_up_rounds: 2 }
  const [nearestTime = 0, memberTime = 0] = await mediansOfAsync([ourNearest, ourMembers], plan)
  return [
    figureOf("nearest within 25 m", "PostGIS", [nearestTime], parameter.points),
    figureOf("membership from a string", "PostgreSQL primary key", [memberTime], parameter.points)
  ]
}

/** Our rounds have this many times more points, since they would be too short otherwise. */
const oursToTheirs = 50

const ourWorks = (directory: Directory, parameter: PostgisParameter) => {
  const random = randomNumbers(9)
  const points = nearUnits(directory, oursToTheirs * parameter.points, 8).coordinates
  const members = points.map(() => directory.postcodeAt(Math.floor(random() * directory.size)))
  const ourNearest = (): number => {
    let found = 0
    for (const point of points) if (nearest(directory, point, 25) !== undefined) found++
    return found
  }
  const ourMembers = (): number => {
    let found = 0
    for (const member of members) {
      const parsed = parse(member)
      if (parsed.ok && directory.find(parsed.postcode) >= 0) found++
    }
    return found
  }
  return { points, members, ourNearest, ourMembers }
}

const versions = async (client: Client) => {
  const { rows } = await client.query<{ postgres: string; postgis: string; units: string }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS postgres, postgis_lib_version() AS postgis,
      (SELECT count(*) FROM units) AS units`
  )
  const [row] = rows
  if (row === undefined) throw new Error("PostgreSQL does not tell its version")
  return row
}

const figureOf = (figure: string, peer: string, times_ns: ReadonlyArray<number>, points: number): Figure => {
  const [ours = 0, peers] = times_ns
  const peer_value = peers === undefined ? null : peers / points
  return compared("less", {
    bench: "directory",
    figure,
    value: ours / (oursToTheirs * points),
    unit: "ns",
    peer,
    peer_value
  })
}
