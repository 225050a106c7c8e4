/**
 * Checks a batch of changes in order, each against the directory after the changes before it. The directory is only
 * read. An invalid change has no effect on those after it.
 */

import { isCanonical, type Postcode, parse } from "../../postcode/Postcode.ts"
import { absent, active, retired } from "../codes/AreaUnits.ts"
import { pack } from "../codes/PackedCode.ts"
import { noSuccessor, successorFault } from "../codes/Successors.ts"
import type { Directory } from "../Directory.ts"
import { type Coordinate, isCoordinate, toE7 } from "../space/Coordinate.ts"
import { hideUnit } from "../space/SpatialIndex.ts"
import { type ChangedUnit, type ChangedUnits, columnsOf, type Layer } from "./Layer.ts"
import { changeKinds, type UnitChange } from "./UnitChange.ts"

/** The state of a unit after the changes so far. */
interface Draft extends ChangedUnit {
  /** The layer of the directory that has it, or −1, and its id in that layer. */
  readonly layer: number
  readonly id: number
  status: number
  lat_e7: number
  lon_e7: number
  successor: number
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
    switch (change.change) {
      case "add":
        return this.add(draft, change)
      case "move":
        return this.put(draft, { ...draft, ...pointOf(change.coordinate) })
      case "retire":
        return this.put(draft, { ...draft, status: retired, successor: packedOr(change.replaced_by, draft.successor) })
      case "replace":
        return this.put(draft, { ...draft, status: retired, successor: pack(change.replaced_by) })
      case "reactivate":
        return this.put(draft, { ...draft, status: active, successor: noSuccessor })
      case "set":
        return undefined
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
    const status = (change.active ?? true) ? active : retired
    const successor = packedOr(change.replaced_by, draft.successor)
    const added = { status, ...pointOf(change.coordinate), successor }
    if (draft.status === absent) return this.put(draft, added)
    if (isSame(draft, added)) return undefined
    return "postcode: a unit has it already, in another place or of another status; move, retire or reactivate that one"
  }

  private put(draft: Draft, state: UnitState): undefined {
    if (isSame(draft, state)) return
    draft.status = state.status
    draft.lat_e7 = state.lat_e7
    draft.lon_e7 = state.lon_e7
    draft.successor = state.successor
    this.drafts.set(draft.code, draft)
    this.effective++
  }

  private draftOf(postcode: UnitChange["postcode"], code: number): Draft {
    const found = this.directory.find(postcode)
    if (found < 0) return { ...unknownUnit, code }
    const layer = this.directory.layerOf(found)
    const of = this.directory.layers[layer] as Layer
    const id = found - (this.directory.firstIds[layer] as number)
    const status = of.isActive(id) ? active : retired
    const point = { lat_e7: of.latOf_e7(id), lon_e7: of.lonOf_e7(id) }
    return { code, layer, id, statusBelow: status, status, ...point, successor: of.successorOf(id) }
  }
}

type UnitState = Pick<Draft, "lat_e7" | "lon_e7" | "status" | "successor">

const unknownUnit: Omit<Draft, "code"> = {
  layer: -1,
  id: -1,
  statusBelow: absent,
  status: absent,
  lat_e7: 0,
  lon_e7: 0,
  successor: noSuccessor
}

const isSame = (a: UnitState, b: UnitState): boolean =>
  a.status === b.status && a.lat_e7 === b.lat_e7 && a.lon_e7 === b.lon_e7 && a.successor === b.successor

const pointOf = ({ lat, lon }: Coordinate) => ({ lat_e7: toE7(lat), lon_e7: toE7(lon) })

const packedOr = (postcode: Postcode | undefined, otherwise: number): number =>
  postcode === undefined ? otherwise : pack(postcode)

/** The fault of a change that does not depend on the directory. Changes are untrusted input. */
const faultOf = (change: unknown): string | undefined => {
  if (typeof change !== "object" || change === null)
    return `expected a change like { "change": "retire", "postcode": … }`
  const { active: isActive, change: kind, coordinate, postcode, replaced_by } = change as Record<string, unknown>
  if (typeof kind !== "string" || !kinds.has(kind)) return `change: expected one of ${changeKinds.join(", ")}`
  if (!isCanonical(postcode)) return postcodeFault("postcode", postcode)
  if (isActive !== undefined && typeof isActive !== "boolean") return "active: expected true or false"
  const isRetired = kind === "retire" || kind === "replace" || (kind === "add" && isActive === false)
  const hasSuccessor = kind === "replace" || (replaced_by !== undefined && kind !== "move")
  const fault = hasSuccessor ? replacedByFault(postcode, isRetired, replaced_by) : undefined
  if (fault !== undefined || (kind !== "add" && kind !== "move")) return fault
  return isPoint(coordinate) ? undefined : "coordinate: expected lat from -90 to 90 and lon from -180 to 180"
}

const kinds: ReadonlySet<string> = new Set(changeKinds)

const postcodeFault = (name: string, postcode: unknown): string => {
  const parsed = parse(postcode as string)
  return parsed.ok ? `${name}: expected canonical format, like LA-12-A03-BG-07` : `${name}: ${parsed.error.message}`
}

const replacedByFault = (postcode: Postcode, isRetired: boolean, replaced_by: unknown): string | undefined =>
  isCanonical(replaced_by)
    ? successorFault(pack(postcode), !isRetired, pack(replaced_by))
    : postcodeFault("replaced_by", replaced_by)

const isPoint = (coordinate: unknown): boolean => {
  if (typeof coordinate !== "object" || coordinate === null) return false
  const { lat, lon } = coordinate as Record<string, unknown>
  return typeof lat === "number" && typeof lon === "number" && isCoordinate({ lat, lon })
}
