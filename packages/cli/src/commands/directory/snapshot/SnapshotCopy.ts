/** A directory that follows the changes of a service, as far as they are shown. */
import type { DataOf } from "@postcode/client"
import type { Directory } from "@postcode/core/Directory"
import { LiveDirectory, type UnitPlace, unitStatesOf } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"

type FollowedChange = DataOf<"GET /v1/directory/changes">["changes"][number]

/**
 * Changes without coordinates leave new units out, and moved units where they were. Names and addresses are never shown,
 * so addresses stay as they were.
 */
export class SnapshotCopy {
  /** The directory without what was taken. */
  readonly base: Directory
  private readonly live: LiveDirectory
  private readonly missing = new Set<string>()
  private readonly unmoved = new Set<string>()

  constructor(directory: Directory) {
    this.base = directory
    this.live = new LiveDirectory(directory)
  }

  get current(): Directory {
    return this.live.current
  }

  /** Number of changed units that the copy lacks, because it was not shown where they are. */
  get missingUnits(): number {
    return this.missing.size
  }

  /** Number of units that moved, and are still where they were in the copy. */
  get unmovedUnits(): number {
    return this.unmoved.size
  }

  /** Applies the next changes, in their order. */
  take(changes: ReadonlyArray<FollowedChange>): void {
    const { current } = this.live
    const places = new Map<string, UnitPlace>()
    for (const change of changes) {
      const known = places.get(change.postcode) ?? placeIn(current, change.postcode as Postcode)
      const place = this.placeAfter(known, change)
      if (place !== undefined) places.set(change.postcode, place)
    }
    if (places.size > 0) this.live.stage(unitStatesOf([...places.values()]))
    this.live.show(current.changes + changes.length)
  }

  private placeAfter(known: UnitPlace | undefined, change: FollowedChange): UnitPlace | undefined {
    const { active, change: kind, point_geometry, replaced_by } = change
    const postcode = change.postcode as Postcode
    const coordinate = point_geometry === undefined ? known?.coordinate : coordinateOf(point_geometry)
    if (coordinate === undefined) {
      this.missing.add(postcode)
      return undefined
    }
    if (point_geometry !== undefined) {
      this.missing.delete(postcode)
      this.unmoved.delete(postcode)
    } else if (kind === "move") this.unmoved.add(postcode)
    return { postcode, coordinate, active, replaced_by: replaced_by as Postcode | undefined }
  }
}

/** Number of units in changes with a coordinate that is charged, each counted once. */
export const pricedUnits = (changes: ReadonlyArray<FollowedChange>): number =>
  new Set(changes.filter(({ change }) => pricedKinds.has(change)).map(({ postcode }) => postcode)).size

const pricedKinds: ReadonlySet<FollowedChange["change"]> = new Set(["add", "move", "reactivate"])

const placeIn = (directory: Directory, postcode: Postcode): UnitPlace | undefined => {
  const id = directory.find(postcode)
  if (id < 0) return undefined
  const [coordinate, active] = [directory.coordinateAt(id), directory.isActive(id)]
  return { postcode, coordinate, active, replaced_by: directory.replacedBy(postcode) }
}

const coordinateOf = ({ coordinates: [lon, lat] }: NonNullable<FollowedChange["point_geometry"]>) => ({ lat, lon })
