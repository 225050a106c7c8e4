/** Compares what every replica answers, once changes have stopped, with the rows of the database. */

import type { Unit } from "../kit/DemoSample.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { prefixesBelow, unitsWithin } from "./BruteForce.ts"
import type { ReplicaClient } from "./ReplicaClient.ts"
import { placeAt, type StoredDirectory } from "./StoredDirectory.ts"
import { describeExpected, describeShown } from "./wrongObservations.ts"

/** Units by their postcodes; undefined for those that do not exist. */
export type Expected = ReadonlyMap<string, Unit | undefined>

/** Compares units with all their attributes. */
export const wrongUnits = async (client: ReplicaClient, expected: Expected): Promise<Wrong> => {
  const wrong: Array<string> = []
  const postcodes = [...expected.keys()]
  for (let first = 0; first < postcodes.length; first += 100) {
    for (const shown of await client.lookup(postcodes.slice(first, first + 100), 5)) {
      const [found, wanted] = [describeShown(shown), describeExpected(expected.get(shown.postcode), 5)]
      if (found !== wanted) wrong.push(`port ${client.port}: ${shown.postcode}: ${found} in place of ${wanted}`)
    }
  }
  return { "a unit that a replica shows otherwise than its row": wrong.slice(0, 20) }
}

/** Compares statuses and successors of random units of the directory, those that never changed included. */
export const wrongStatuses = async (
  client: ReplicaClient,
  { units }: StoredDirectory,
  count: number,
  random: () => number
): Promise<Wrong> => {
  const wrong: Array<string> = []
  for (let first = 0; first < count; first += 100) {
    const rows = Array.from({ length: 100 }, () => placeAt(units, Math.floor(random() * units.codes.length)))
    const expected = new Map(rows.map((row) => [row.postcode as string, { ...row, attributes: {} }]))
    for (const shown of await client.lookup([...expected.keys()], 1)) {
      const [found, wanted] = [describeShown(shown), describeExpected(expected.get(shown.postcode), 1)]
      if (found !== wanted) wrong.push(`port ${client.port}: ${shown.postcode}: ${found} in place of ${wanted}`)
    }
  }
  return { "a unit that a replica shows otherwise than its row": wrong.slice(0, 20) }
}

/** Compares searches around units with searches that look at every unit. */
export const wrongSearches = async (
  clients: ReadonlyArray<ReplicaClient>,
  stored: StoredDirectory,
  around: ReadonlyArray<Unit>
): Promise<Wrong> => {
  const wrong: Array<string> = []
  for (const { lat_e7, lon_e7, postcode } of around) {
    const expected = unitsWithin(stored.units, lat_e7, lon_e7, nearby_m + 1)
    for (const client of clients) {
      const at = `lat=${(lat_e7 / 1e7).toFixed(7)}&lng=${(lon_e7 / 1e7).toFixed(7)}`
      const near = await client.call<ReadonlyArray<Hit>>("GET", `/v1/search/nearby?${at}&radius=${nearby_m}&limit=100`)
      const reverse = await client.call<{ readonly unit?: Hit }>("GET", `/v1/search/reverse?${at}&max_distance_m=250`)
      const hits = reverse.unit === undefined ? [] : [reverse.unit]
      for (const difference of [
        differenceOfHits(near, expected, nearby_m, 100),
        differenceOfHits(hits, expected, 250, 1),
        await differenceOfSuggestions(client, stored, postcode)
      ]) {
        if (difference !== undefined) wrong.push(`port ${client.port}: around ${postcode}: ${difference}`)
      }
    }
  }
  return { "a search that differs from brute force": wrong.slice(0, 20) }
}

interface Hit {
  readonly postcode: string
  readonly distance_m: number
}

const nearby_m = 300

/** Distances are shown to 0.1 m; what is closer together than a millimetre may be in either order. */
const differenceOfHits = (
  hits: ReadonlyArray<Hit>,
  expected: ReadonlyArray<Hit>,
  radius_m: number,
  limit: number
): string | undefined => {
  const countWithin = (reach_m: number) => expected.filter(({ distance_m }) => distance_m <= reach_m).length
  const [fewest, most] = [radius_m - 0.001, radius_m + 0.001].map((reach_m) => Math.min(limit, countWithin(reach_m)))
  if (hits.length < (fewest as number) || hits.length > (most as number)) {
    return `${hits.length} units within ${radius_m} m in place of ${fewest}`
  }
  const distances = new Map(expected.map(({ distance_m, postcode }) => [postcode, distance_m]))
  for (const [rank, { distance_m, postcode }] of hits.entries()) {
    const [own_m, ranked_m] = [distances.get(postcode), (expected[rank] as Hit).distance_m]
    if (own_m === undefined) return `${postcode}, which is not there`
    if (Math.abs(own_m - distance_m) > 0.051) return `${postcode} at ${distance_m} m in place of ${own_m}`
    if (Math.abs(own_m - ranked_m) > 0.001) return `${postcode} in place of ${(expected[rank] as Hit).postcode}`
  }
  return undefined
}

/** Where each segment ends in a postcode. */
const ends = [2, 5, 9, 12, 15] as const

const differenceOfSuggestions = async (
  client: ReplicaClient,
  { units }: StoredDirectory,
  postcode: string
): Promise<string | undefined> => {
  for (const [depth, end] of ends.slice(1).entries()) {
    const prefix = postcode.slice(0, ends[depth])
    const { suggestions } = await client.call<{ readonly suggestions: ReadonlyArray<{ readonly prefix: string }> }>(
      "GET",
      `/v1/search/autocomplete?q=${prefix}&limit=100`
    )
    const [found, expected] = [
      suggestions.map((suggestion) => suggestion.prefix).join(),
      prefixesBelow(units, prefix, end).slice(0, 100).join()
    ]
    if (found !== expected) return `suggestions below ${prefix}: ${found} in place of ${expected}`
  }
  return undefined
}
