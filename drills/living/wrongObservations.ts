/** Holds what replicas showed against the units at the version that they named. */

import type { DemoSample, Unit } from "../kit/DemoSample.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import type { StoredDirectory } from "./StoredDirectory.ts"
import type { Observation, ShownUnit } from "./Watcher.ts"

type Stored = Pick<StoredDirectory, "batches" | "edition" | "rows">

export const wrongObservations = (
  observations: ReadonlyArray<Observation>,
  sample: DemoSample,
  stored: Stored
): Wrong => {
  const history = new UnitHistories(sample, stored)
  // Batches without an effect end where the one before does.
  const ends = new Set([0, ...stored.batches.map(({ last_change }) => last_change)])
  const half = new Set<string>()
  const mixed: Array<string> = []
  for (const { changes, edition, level, replica, results } of observations) {
    if (edition !== stored.edition) continue
    if (!ends.has(changes)) half.add(`replica ${replica}: version ${changes}`)
    for (const result of results) {
      const [shown, expected] = [describeShown(result), describeExpected(history.at(result.postcode, changes), level)]
      if (shown !== expected) {
        mixed.push(`replica ${replica}: ${result.postcode} at version ${changes}: ${shown} in place of ${expected}`)
      }
    }
  }
  return {
    "a version within a batch": [...half],
    "a unit that is not as it was at the version of the answer": mixed
  }
}

/** The states of units at each version. */
class UnitHistories {
  private readonly sample: DemoSample
  private readonly changes = new Map<string, Array<{ readonly number: number; readonly unit: Unit }>>()

  constructor(sample: DemoSample, { rows }: Stored) {
    this.sample = sample
    for (const { number, unit } of rows) {
      const own = this.changes.get(unit.postcode)
      if (own === undefined) this.changes.set(unit.postcode, [{ number, unit }])
      else own.push({ number, unit })
    }
  }

  at(postcode: string, version: number): Unit | undefined {
    const own = this.changes.get(postcode) ?? []
    const last = own.findLast(({ number }) => number <= version)
    return last?.unit ?? this.sample.unit(postcode as Unit["postcode"])
  }
}

/** All that an answer shows of a unit. */
export const describeShown = (shown: ShownUnit): string => {
  const { administrative_address, building_use_status, other_building_info, point_geometry } = shown
  return [
    shown.status,
    shown.replaced_by ?? "-",
    ...(shown.status !== "valid" || point_geometry === undefined
      ? []
      : [
          ...point_geometry.coordinates.map((degrees) => Math.round(degrees * 1e7)),
          administrative_address?.locality_name ?? "-",
          shown.recent_house_address?.recent ?? "-",
          building_use_status ?? "-",
          other_building_info?.type ?? "-",
          other_building_info?.owner ?? "-",
          other_building_info?.delivery_point ?? "-"
        ])
  ].join("|")
}

/** All that an answer should show of a unit. */
export const describeExpected = (unit: Unit | undefined, level: 1 | 5): string => {
  if (unit === undefined) return "not_found|-"
  if (!unit.active) return `retired|${unit.replaced_by ?? "-"}`
  if (level === 1) return "valid|-"
  const { building_owner, building_type, building_use_status, delivery_point, locality_name, recent_address } =
    unit.attributes
  return [
    ...["valid", "-", unit.lon_e7, unit.lat_e7, locality_name ?? "-", recent_address ?? "-"],
    ...[building_use_status ?? "-", building_type ?? "-", building_owner ?? "-", delivery_point ?? "-"]
  ].join("|")
}
