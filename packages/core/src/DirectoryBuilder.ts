/**
 * Makes a `Directory` of rows that come in any order. Rows are kept in growing typed arrays, 17 bytes each, so that tens
 * of millions are no burden.
 */
import { type Coordinate, e7PerDegree, isCoordinate, toE7 } from "./Coordinate.ts"
import { Directory } from "./Directory.ts"
import { identity, inCodeOrder } from "./internal/CodeOrder.ts"
import { buildTree } from "./internal/SegmentTree.ts"
import { buildSpatialIndex } from "./internal/SpatialIndex.ts"
import { pack, packedCodes, unpack } from "./PackedCode.ts"
import type { Place } from "./Place.ts"
import { type Postcode, parsePartial } from "./Postcode.ts"

export interface DirectoryBuilderOptions {
  /** How many rows to make room for at once. More may come. */
  readonly capacity?: number
  readonly version?: string
  readonly date?: string
}

export type AddPlaceResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** A postcode that came again: the row that had it first, and the one that repeated it. */
export interface Duplicate {
  readonly postcode: Postcode
  readonly rows: readonly [number, number]
}

export interface BuildOptions {
  /** Leave rows out that repeat a postcode, and build all the same. */
  readonly skipDuplicates?: boolean
}

export type BuildResult =
  | {
      readonly ok: true
      readonly directory: Directory
      /** Unit id → the number of its row. */
      readonly rowOfUnit: Uint32Array
      /** The rows left out. */
      readonly duplicates: ReadonlyArray<Duplicate>
    }
  | { readonly ok: false; readonly duplicates: ReadonlyArray<Duplicate> }

/**
 * ```ts
 * const builder = new DirectoryBuilder({ version: "2026-1" })
 * builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos", zone: "South West" })
 * builder.addUnit(postcode, { lat: 6.4541, lon: 3.3947 }, true)
 * const built = builder.build()
 * if (built.ok) built.directory.find(postcode) // 0
 * ```
 */
export class DirectoryBuilder {
  private readonly version: string
  private readonly date: string
  private readonly places = new Map<string, Place>()
  private rows = 0
  private codes: Float64Array
  private lats_e7: Int32Array
  private lons_e7: Int32Array
  private actives: Uint8Array

  constructor(options: DirectoryBuilderOptions = {}) {
    const capacity = options.capacity ?? 1024
    this.version = options.version ?? ""
    this.date = options.date ?? ""
    this.codes = new Float64Array(capacity)
    this.lats_e7 = new Int32Array(capacity)
    this.lons_e7 = new Int32Array(capacity)
    this.actives = new Uint8Array(capacity)
  }

  /** Adds a name. Nothing is added if the place is malformed or there already, or its state is not. */
  addPlace(place: Place): AddPlaceResult {
    const reason = this.placeFault(place)
    if (reason !== undefined) return { ok: false, reason }
    this.places.set(place.code, place)
    return { ok: true }
  }

  /**
   * Adds a unit; returns the number of its row, from 0. Whether the postcode came before shows when all is built.
   *
   * @throws RangeError if the coordinate is none
   */
  addUnit(postcode: Postcode, coordinate: Coordinate, active: boolean): number {
    if (!isCoordinate(coordinate)) {
      throw new RangeError("coordinate: expected lat from -90 to 90 and lon from -180 to 180")
    }
    return this.append(pack(postcode), toE7(coordinate.lat), toE7(coordinate.lon), active)
  }

  /**
   * The same for those that have the numbers at hand: a packed code, and integers of 1e-7 degrees.
   *
   * @throws RangeError if a number is no integer or out of its range
   */
  addPackedUnit(packedCode: number, lat_e7: number, lon_e7: number, active: boolean): number {
    if (!(packedCode >= 0 && packedCode < packedCodes && Number.isInteger(packedCode))) {
      throw new RangeError(`packedCode ${packedCode}: expected an integer from 0 to ${packedCodes - 1}`)
    }
    if (!(isWithin_e7(lat_e7, 90) && isWithin_e7(lon_e7, 180))) {
      throw new RangeError("lat_e7, lon_e7: expected integers of 1e-7 degrees, at most 90 and 180 degrees either way")
    }
    return this.append(packedCode, lat_e7, lon_e7, active)
  }

  /** Sorts and indexes what was added. Fails, unless told to skip them, if rows repeat a postcode. */
  build(options: BuildOptions = {}): BuildResult {
    const codes = this.codes.subarray(0, this.rows)
    const order = inCodeOrder(codes) ?? identity(this.rows)
    const { duplicates, kept } = withoutDuplicates(codes, order)
    if (duplicates.length > 0 && options.skipDuplicates !== true) return { ok: false, duplicates }
    const activeBits = new Uint8Array((kept.length + 7) >>> 3)
    const sorted = new Float64Array(kept.length)
    for (let id = 0; id < kept.length; id++) {
      const row = kept[id] as number
      sorted[id] = codes[row] as number
      activeBits[id >>> 3] = (activeBits[id >>> 3] as number) | ((this.actives[row] as number) << (id & 7))
    }
    const directory = new Directory({
      version: this.version,
      date: this.date,
      places: [...this.places.values()].sort((a, b) => (a.code < b.code ? -1 : 1)),
      tree: buildTree(sorted, activeBits),
      spatial: buildSpatialIndex(kept, this.lons_e7, this.lats_e7)
    })
    return { ok: true, directory, rowOfUnit: kept, duplicates }
  }

  /** The rows that repeat a postcode, found without building anything. */
  duplicates(): ReadonlyArray<Duplicate> {
    const codes = this.codes.subarray(0, this.rows)
    return withoutDuplicates(codes, inCodeOrder(codes) ?? identity(this.rows)).duplicates
  }

  private append(code: number, lat_e7: number, lon_e7: number, active: boolean): number {
    if (this.rows === this.codes.length) this.grow()
    this.codes[this.rows] = code
    this.lats_e7[this.rows] = lat_e7
    this.lons_e7[this.rows] = lon_e7
    this.actives[this.rows] = active ? 1 : 0
    return this.rows++
  }

  private grow(): void {
    const capacity = Math.max(1024, 2 * this.rows)
    const { actives, codes, lats_e7, lons_e7 } = this
    this.codes = new Float64Array(capacity)
    this.codes.set(codes)
    this.lats_e7 = new Int32Array(capacity)
    this.lats_e7.set(lats_e7)
    this.lons_e7 = new Int32Array(capacity)
    this.lons_e7.set(lons_e7)
    this.actives = new Uint8Array(capacity)
    this.actives.set(actives)
  }

  private placeFault({ code, name, zone }: Place): string | undefined {
    const parsed = parsePartial(code)
    if (!parsed.ok) return `code: ${parsed.error.message}`
    if (parsed.depth > 2 || parsed.partial !== code) return "code: expected a state or an LGA, like LA or LA-12"
    if (name.trim() === "") return "name: expected a name, found nothing"
    if (zone !== undefined && parsed.depth === 2) return "zone: expected none, as a zone belongs to a state"
    if (this.places.has(code)) return `code: ${code} came before`
    if (parsed.depth === 2 && !this.places.has(code.slice(0, 2))) {
      return `code: the state ${code.slice(0, 2)} is missing; states come before their LGAs`
    }
    return undefined
  }
}

const isWithin_e7 = (value: number, degrees: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= degrees * e7PerDegree

/** Of rows in code order, the first of each code, moved together in place, and the rest as duplicates. */
const withoutDuplicates = (
  codes: Float64Array,
  order: Uint32Array
): { readonly kept: Uint32Array; readonly duplicates: ReadonlyArray<Duplicate> } => {
  const duplicates: Array<Duplicate> = []
  let count = 0
  let first = -1
  for (const row of order) {
    const code = codes[row] as number
    if (first >= 0 && code === codes[first]) duplicates.push({ postcode: unpack(code), rows: [first, row] })
    else {
      first = row
      order[count++] = row
    }
  }
  return { duplicates, kept: order.subarray(0, count) }
}
