/**
 * Checks a batch of changes in order, each against the directory after the changes before it. The directory is only
 * read. An invalid change has no effect on those after it.
 */

import { isCanonical, parse } from "../../postcode/Postcode.ts"
import { absent, active, retired } from "../codes/AreaUnits.ts"
import { pack } from "../codes/PackedCode.ts"
import type { Directory } from "../Directory.ts"
import { isCoordinate, toE7 } from "../space/Coordinate.ts"
import { hideUnit } from "../space/SpatialIndex.ts"
import { type ChangedUnit, type ChangedUnits, columnsOf, type Layer } from "./Layer.ts"
import type { UnitChange } from "./UnitChange.ts"

/** The state of a unit after the changes so far. */
interface Draft extends ChangedUnit {
  /** The layer of the directory that has it, or −1, and its id in that layer. */
  readonly layer: number
  readonly id: number
  status: number
  lat_e7: number
  lon_e7: number
}

export class ChangeBatch {
  /** Number of changes with an effect. The others repeat the current state. */
  effective = 0
  private readonly directory: Directory
  private readonly drafts = new Map<number, Draft>()

  constructor(directory: Directory) {
    this.directory = directory
  }

  /** Adds a change. Returns its fault, or undefined if it is valid. */
  take(change: UnitChange): string | undefined {
    const fault = faultOf(change)
    if (fault !== undefined) return fault
    const code = pack(change.postcode)
    const draft = this.drafts.get(code) ?? this.draftOf(change.postcode, code)
    if (draft.status === absent && change.change !== "add") return "postcode: no unit has it; add it first"
    const { lat_e7, lon_e7, status } = draft
    switch (change.change) {
      case "add":
        return this.add(draft, change)
      case "move":
        return this.put(draft, status, toE7(change.coordinate.lat), toE7(change.coordinate.lon))
      case "retire":
        return this.put(draft, retired, lat_e7, lon_e7)
      case "reactivate":
        return this.put(draft, active, lat_e7, lon_e7)
    }
  }

  /** The changed units, in code order. */
  units(): ChangedUnits {
    return columnsOf([...this.drafts.values()].sort((a, b) => a.code - b.code))
  }

  /** Hides the changed units in the oldest layers of the directory, which must have separate visibility bits. */
  hideIn(oldest: ReadonlyArray<Pick<Layer, "spatial">>): void {
    for (const { id, layer } of this.drafts.values()) {
      if (layer >= 0 && layer < oldest.length) hideUnit((oldest[layer] as Layer).spatial, id)
    }
  }

  private add(draft: Draft, change: UnitChange & { readonly change: "add" }): string | undefined {
    const lat_e7 = toE7(change.coordinate.lat)
    const lon_e7 = toE7(change.coordinate.lon)
    const status = (change.active ?? true) ? active : retired
    if (draft.status === absent) return this.put(draft, status, lat_e7, lon_e7)
    if (draft.status === status && draft.lat_e7 === lat_e7 && draft.lon_e7 === lon_e7) return undefined
    return "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"
  }

  private put(draft: Draft, status: number, lat_e7: number, lon_e7: number): undefined {
    if (draft.status === status && draft.lat_e7 === lat_e7 && draft.lon_e7 === lon_e7) return
    draft.status = status
    draft.lat_e7 = lat_e7
    draft.lon_e7 = lon_e7
    this.drafts.set(draft.code, draft)
    this.effective++
  }

  private draftOf(postcode: UnitChange["postcode"], code: number): Draft {
    const found = this.directory.find(postcode)
    if (found < 0) return { code, layer: -1, id: -1, statusBelow: absent, status: absent, lat_e7: 0, lon_e7: 0 }
    const layer = this.directory.layerOf(found)
    const of = this.directory.layers[layer] as Layer
    const id = found - (this.directory.firstIds[layer] as number)
    const status = of.isActive(id) ? active : retired
    return { code, layer, id, statusBelow: status, status, lat_e7: of.latOf_e7(id), lon_e7: of.lonOf_e7(id) }
  }
}

/** The fault of a change that does not depend on the directory. Changes are untrusted input. */
const faultOf = (change: unknown): string | undefined => {
  if (typeof change !== "object" || change === null)
    return `expected a change like { "change": "retire", "postcode": … }`
  const { active: isActive, change: kind, coordinate, postcode } = change as Record<string, unknown>
  if (typeof kind !== "string" || !kinds.has(kind)) return "change: expected add, move, retire or reactivate"
  if (!isCanonical(postcode)) return postcodeFault(postcode)
  if (kind === "retire" || kind === "reactivate") return undefined
  if (isActive !== undefined && typeof isActive !== "boolean") return "active: expected true or false"
  return isPoint(coordinate) ? undefined : "coordinate: expected lat from -90 to 90 and lon from -180 to 180"
}

const kinds: ReadonlySet<string> = new Set<UnitChange["change"]>(["add", "move", "retire", "reactivate"])

const postcodeFault = (postcode: unknown): string => {
  const parsed = parse(postcode as string)
  return parsed.ok ? "postcode: expected canonical format, like LA-12-A03-BG-07" : `postcode: ${parsed.error.message}`
}

const isPoint = (coordinate: unknown): boolean => {
  if (typeof coordinate !== "object" || coordinate === null) return false
  const { lat, lon } = coordinate as Record<string, unknown>
  return typeof lat === "number" && typeof lon === "number" && isCoordinate({ lat, lon })
}
