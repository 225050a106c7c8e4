/**
 * 100,000 random changes, in batches of up to 2,000, while replicas start, end, and lose their connections: at the end each
 * equals a directory that is built of the database anew, and no replica ever showed a part of a batch.
 */
import { assert, describe, it } from "@effect/vitest"
import type { UnitChange } from "@postcode/core/Changes"
import { fromE7, toE7 } from "@postcode/core/Coordinate"
import { type Directory, pack, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { within } from "@postcode/core/ReverseGeocoder"
import type { TestUnit } from "@postcode/drills/postgres"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { FollowerTimes, layerDatabase, layerDirectoryChanges } from "@postcode/postgres"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import { randomBelow } from "../../../../test/RandomNumbers.ts"
import { karney_m } from "../../../core/test/directory/space/Geodesic.ts"
import { proxyTo } from "../MigratedDatabase.ts"
import { databaseWith, quiet, replicaOf } from "./Replica.ts"

const units = 20_000
const changes = 100_000
const maxBatch = 2_000
const below = randomBelow(23)

/** Crowded codes, so that units change again and again, and branches come and go. */
const postcodeOf = (number: number): Postcode => unpack(pack("LA-12-A03-BG-00" as Postcode) + 7 * number)

/** A town of some kilometres. */
const anyPlace = () => ({
  lat: fromE7(toE7(6.5 + 0.00001 * below(2_000))),
  lon: fromE7(toE7(3.3 + 0.00001 * below(2_000)))
})

const directory = {
  version: "2026-1",
  date: "2026-01-31",
  places: [
    { code: "LA" as PartialPostcode, name: "Lagos", zone: "South West" },
    { code: "LA-12" as PartialPostcode, name: "Ikeja" }
  ],
  units: Array.from({ length: units }, (_, number): TestUnit => {
    return { postcode: postcodeOf(number), ...anyPlace(), active: below(10) > 0, attributes: {} }
  })
}

/** Random changes that can be, by what is known of the units so far. */
const makeChanges = () => {
  let known = units
  const anyUnit = () => postcodeOf(below(known))
  return (): UnitChange => {
    switch (below(6)) {
      case 0:
        return { change: "add", postcode: postcodeOf(known++), coordinate: anyPlace() }
      case 1:
        return { change: "retire", postcode: anyUnit() }
      case 2:
        return { change: "replace", postcode: anyUnit(), replaced_by: postcodeOf(units + changes) }
      case 3:
        return { change: "reactivate", postcode: anyUnit() }
      case 4:
        return { change: "set", postcode: anyUnit(), attributes: { recent_address: `${below(500)} Allen Avenue` } }
      default:
        return { change: "move", postcode: anyUnit(), coordinate: anyPlace() }
    }
  }
}

/** The units in the database: each in the state after its last change. */
const rebuild = async (url: string): Promise<Directory> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`
    SELECT DISTINCT ON (postcode) postcode, lat, lon, status, replaced_by FROM (
      SELECT 0 AS number, postcode, lat, lon, status, replaced_by FROM postcode.units_1
      UNION ALL SELECT number, postcode, lat, lon, status, replaced_by FROM postcode.directory_changes
    ) states ORDER BY postcode, number DESC`)
  await client.end()
  const builder = new DirectoryBuilder({ version: directory.version, date: directory.date })
  for (const place of directory.places) builder.addPlace(place)
  for (const { lat, lon, postcode, replaced_by, status } of rows) {
    builder.addUnit(postcode, { lat, lon }, status === "active", { replaced_by: replaced_by ?? undefined })
  }
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return built.directory
}

/** A replica that notes every number of changes that it shows. */
const startReplica = async (url: string, shown: Set<number>) => {
  const replica = ManagedRuntime.make(
    Layer.provide(replicaOf(url), Layer.succeed(FollowerTimes, { interval_ms: 20, lifetime_ms: 500 }))
  )
  const { get } = await replica.runPromise(CurrentDirectory)
  const editions = new Set<unknown>()
  const noting = setInterval(() => {
    shown.add(get().changes)
    editions.add(get().layers[0].spatial)
  }, 1)
  return {
    get,
    /** Number of merges. */
    merges: () => editions.size - 1,
    stop: async () => {
      clearInterval(noting)
      await replica.dispose()
    }
  }
}

const eventually = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const expectSame = (found: Directory, expected: Directory): void => {
  assert.deepStrictEqual([found.size, found.activeSize], [expected.size, expected.activeSize])
  for (let id = 0; id < expected.size; id++) {
    const postcode = expected.postcodeAt(id)
    const at = found.find(postcode)
    assert.isTrue(found.status(postcode) === expected.status(postcode), postcode)
    assert.isTrue(found.replacedBy(postcode) === expected.replacedBy(postcode), postcode)
    assert.deepStrictEqual(found.coordinateAt(at), expected.coordinateAt(id))
  }
  assert.deepStrictEqual(
    { ...found.contents, changes: 0, addresses: undefined },
    { ...expected.contents, changes: 0, addresses: undefined }
  )
}

/** Searches as brute force does them. */
const expectSearches = (found: Directory, expected: Directory): void => {
  const active = Array.from({ length: expected.size }, (_, id) => id).filter((id) => expected.isActive(id))
  for (let query = 0; query < 40; query++) {
    const center = anyPlace()
    const radius_m = [5, 25, 100][query % 3] as number
    const near = active
      .map((id) => ({ postcode: expected.postcodeAt(id), distance_m: karney_m(center, expected.coordinateAt(id)) }))
      .filter(({ distance_m }) => distance_m <= radius_m)
    const hits = within(found, center, radius_m, 10_000).map(({ id }) => found.postcodeAt(id))
    assert.deepStrictEqual([...hits].sort(), near.map(({ postcode }) => postcode).sort())
  }
}

describe("replicas that follow 100,000 changes", () => {
  it.live(
    "equal a directory that is built anew, whatever happened to them meanwhile, and show no part of a batch",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => databaseWith(directory))
        const proxy = yield* proxyTo(url)
        const shown = new Set<number>()
        const boundaries = new Set([0])
        const steady = yield* Effect.promise(() => startReplica(url, shown))
        const shaken = yield* Effect.promise(() => startReplica(proxy.url, shown))
        const others = [yield* Effect.promise(() => startReplica(url, shown))]
        const change = makeChanges()
        const database = Layer.provideMerge(
          layerDirectoryChanges,
          Layer.merge(quiet, layerDatabase({ url: Redacted.make(url), maxConnections: 1 }))
        )
        yield* Effect.gen(function* () {
          const { apply } = yield* DirectoryChanges
          for (let done = 0, batch = 0; done < changes; batch++) {
            const size = batch % 3 === 0 ? 1 + below(maxBatch) : 1 + below(50)
            const outcome = yield* apply(
              {
                changes: Array.from({ length: size }, change),
                reference: `batch-${batch}`,
                reason: "a test",
                actor: "operator",
                at: new Date().toISOString()
              },
              false
            )
            if (outcome._tag !== "Applied") return yield* Effect.die(outcome)
            done = outcome.version.changes
            boundaries.add(done)
            if (batch % 5 === 0) proxy.cut()
            if (batch % 40 === 39) {
              yield* Effect.promise(() => (others.shift() as typeof steady).stop())
              others.push(yield* Effect.promise(() => startReplica(url, shown)))
            }
          }
        }).pipe(Effect.provide(database))
        const last = Math.max(...boundaries)
        assert.isAbove(steady.merges(), 1)
        const late = yield* Effect.promise(() => startReplica(url, shown))
        const rebuilt = yield* Effect.promise(() => rebuild(url))
        for (const { get, stop } of [steady, shaken, ...others, late]) {
          yield* Effect.promise(() => eventually(() => get().changes === last))
          const found = get()
          expectSame(found, rebuilt)
          expectSearches(found, rebuilt)
          yield* Effect.promise(stop)
        }
        assert.deepStrictEqual(
          [...shown].filter((number) => !boundaries.has(number)),
          []
        )
        assert.isAbove(shown.size, 50)
      }).pipe(Effect.scoped),
    { timeout: 600_000 }
  )
})
