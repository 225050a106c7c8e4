/**
 * Builds a `Directory` from rows in any order. Rows are in typed arrays, 17 bytes each, so that tens of millions fit;
 * the arrays are blocks, so that growing copies nothing.
 */

import type { UnitAttributes } from "../levels/UnitAttributes.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import { release } from "./Arrays.ts"
import { emptyBits, setBit } from "./codes/BitSet.ts"
import { identity, inCodeOrder, orderedRows, type UnitRows } from "./codes/CodeOrder.ts"
import { sumLocations } from "./codes/LocationSums.ts"
import { pack, packedCodes } from "./codes/PackedCode.ts"
import { buildTree } from "./codes/SegmentTree.ts"
import { type Successors, successorFault, successorsOf } from "./codes/Successors.ts"
import { Directory } from "./Directory.ts"
import { Duplicates } from "./Duplicates.ts"
import type { Place } from "./places/Place.ts"
import { placeFault } from "./places/placeFault.ts"
import { maxPlaces } from "./snapshot/SnapshotLimits.ts"
import { type Coordinate, e7PerDegree, isCoordinate, toE7 } from "./space/Coordinate.ts"
import { buildSpatialIndex } from "./space/SpatialIndex.ts"
import { AddressRows } from "./text/AddressRows.ts"
import { buildAddressIndex } from "./text/buildAddressIndex.ts"

/** The edition, and a hint of its size. */
export interface DirectoryBuilderOptions {
  /** Expected number of rows, for a single allocation. More may be added. */
  readonly capacity?: number
  readonly version?: string
  readonly date?: string
  /** Whether to index `locality_name` and `recent_address` of the units, for `searchAddress`. Default: no. */
  readonly addresses?: boolean
}

/** The attributes of a unit that address search finds it by. */
export type UnitAddress = Pick<UnitAttributes, "locality_name" | "recent_address">

/** Optional data of a unit, in addition to code, location and status. */
export interface UnitDetails extends UnitAddress {
  /** The successor of a retired unit. It need not be in the directory. */
  readonly replaced_by?: Postcode | undefined
}

export type { Duplicate, Duplicates } from "./Duplicates.ts"

/** Whether a place was added; if not, the reason for the author of the row. */
export type AddPlaceResult = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Options of `build`. */
export interface BuildOptions {
  /** Skips rows that repeat a postcode instead of failing. */
  readonly skipDuplicates?: boolean
}

/** A directory; or none, if rows repeat postcodes and `skipDuplicates` is not set. */
export type BuildResult =
  | {
      readonly ok: true
      readonly directory: Directory
      /** The row number of a unit id. */
      readonly rowOf: (id: number) => number
      /** Row number by unit id. */
      readonly rowOfUnit: Uint32Array
      /** The skipped rows, in order. */
      readonly duplicates: Duplicates
    }
  | { readonly ok: false; readonly duplicates: Duplicates }

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
  /** All but the last are full. */
  private blocks: Array<Block>
  private newest: Block
  /** Number of rows in the last block. */
  private used = 0
  private rows = 0
  private addresses: AddressRows | undefined
  private successorRows: Array<SuccessorRow> = []

  constructor(options: DirectoryBuilderOptions = {}) {
    this.version = options.version ?? ""
    this.date = options.date ?? ""
    this.newest = makeBlock(options.capacity ?? minBlockRows)
    this.blocks = [this.newest]
    if (options.addresses === true) this.addresses = new AddressRows(options.capacity ?? minBlockRows)
  }

  /** Adds a place. Fails if it is malformed or repeated, or its state is missing. */
  addPlace(place: Place): AddPlaceResult {
    const reason =
      this.places.size >= maxPlaces ? `expected at most ${maxPlaces} states and LGAs` : placeFault(place, this.places)
    if (reason !== undefined) return { ok: false, reason }
    this.places.set(place.code, place)
    return { ok: true }
  }

  /**
   * Adds a unit; returns its row number, from 0. Repeated postcodes are detected by `build`. Builders without the option
   * `addresses` ignore the address.
   *
   * @throws RangeError if the coordinate is out of range, or the successor is not that of another, retired unit
   */
  addUnit(postcode: Postcode, coordinate: Coordinate, active: boolean, details?: UnitDetails): number {
    if (!isCoordinate(coordinate)) {
      throw new RangeError("coordinate: expected lat from -90 to 90 and lon from -180 to 180")
    }
    return this.append(pack(postcode), toE7(coordinate.lat), toE7(coordinate.lon), active, details)
  }

  /**
   * The same for a packed code and integers of 1e-7 degrees.
   *
   * @throws RangeError as `addUnit` does, and if a number is not an integer
   */
  addPackedUnit(packedCode: number, lat_e7: number, lon_e7: number, active: boolean, details?: UnitDetails): number {
    if (!(packedCode >= 0 && packedCode < packedCodes && Number.isInteger(packedCode))) {
      throw new RangeError(`packedCode ${packedCode}: expected an integer from 0 to ${packedCodes - 1}`)
    }
    if (!(isWithin_e7(lat_e7, 90) && isWithin_e7(lon_e7, 180))) {
      throw new RangeError("lat_e7, lon_e7: expected integers of 1e-7 degrees, at most 90 and 180 degrees either way")
    }
    return this.append(packedCode, lat_e7, lon_e7, active, details)
  }

  /**
   * Sorts and indexes the rows. Fails if rows repeat a postcode, unless `skipDuplicates` is set. After success the
   * builder is empty: its memory is released for the index.
   */
  build(options: BuildOptions = {}): BuildResult {
    const { duplicates, kept } = this.inOrder()
    if (duplicates.length > 0 && options.skipDuplicates !== true) return { ok: false, duplicates }
    const { actives, codes, lats_e7, lons_e7 } = this.joined()
    const units = kept === undefined ? orderedRows(this.rows) : rowsOf(kept)
    const successors = this.successors(duplicates)
    this.newest = makeBlock(0)
    this.blocks = [this.newest]
    this.used = 0
    this.rows = 0
    this.successorRows = []
    // Each array is released as soon as it was read: the index needs as much memory as the rows.
    const activeBits = activeBitsOf(actives, units)
    release(actives)
    const tree = buildTree(units, codes, activeBits)
    release(codes)
    const points = { lats_e7, lons_e7 }
    const locationSums = sumLocations(tree, units, points, activeBits)
    const places = [...this.places.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
    const addresses = this.addresses && buildAddressIndex(this.addresses, units, places)
    this.addresses?.release()
    this.addresses &&= new AddressRows(minBlockRows)
    const directory = new Directory({
      version: this.version,
      date: this.date,
      changes: 0,
      places,
      addresses,
      tree,
      locationSums,
      successors,
      spatial: buildSpatialIndex(units, points, activeBits)
    })
    return {
      ok: true,
      directory,
      rowOf: units.rowOf,
      // Computed on demand, because few callers need it.
      get rowOfUnit() {
        return kept ?? identity(directory.size)
      },
      duplicates
    }
  }

  /** The rows that repeat a postcode, without building. */
  duplicates(): Duplicates {
    return this.inOrder().duplicates
  }

  private append(
    code: number,
    lat_e7: number,
    lon_e7: number,
    active: boolean,
    details: UnitDetails | undefined
  ): number {
    if (details?.replaced_by !== undefined) this.addSuccessor(code, active, pack(details.replaced_by))
    if (this.used === this.newest.codes.length) {
      this.newest = makeBlock(Math.min(Math.max(this.rows, minBlockRows), maxBlockRows))
      this.blocks.push(this.newest)
      this.used = 0
    }
    const { actives, codes, lats_e7, lons_e7 } = this.newest
    codes[this.used] = code
    lats_e7[this.used] = lat_e7
    lons_e7[this.used] = lon_e7
    actives[this.used] = active ? 1 : 0
    this.used++
    this.addresses?.add(code, details?.locality_name ?? "", details?.recent_address ?? "")
    return this.rows++
  }

  private addSuccessor(code: number, active: boolean, successor: number): void {
    const fault = successorFault(code, active, successor)
    if (fault !== undefined) throw new RangeError(fault)
    this.successorRows.push({ row: this.rows, code, successor })
  }

  /** The successors of all rows, without those that repeat a postcode. */
  private successors(duplicates: Duplicates): Successors {
    const { successorRows } = this
    const skipped = new Set(successorRows.length === 0 ? [] : Array.from(duplicates, ({ rows }) => rows[1]))
    const kept = successorRows.filter(({ row }) => !skipped.has(row)).sort((a, b) => a.code - b.code)
    return successorsOf(kept.map(({ code, successor }) => [code, successor]))
  }

  private inOrder(): RowOrder {
    const { codes } = this.joined()
    return withoutDuplicates(codes, inCodeOrder(codes))
  }

  /** All rows in one block, which replaces the others. */
  private joined(): Block {
    const { rows } = this
    this.newest = {
      codes: this.joinedColumn("codes", (length) => new Float64Array(length)),
      lats_e7: this.joinedColumn("lats_e7", (length) => new Int32Array(length)),
      lons_e7: this.joinedColumn("lons_e7", (length) => new Int32Array(length)),
      actives: this.joinedColumn("actives", (length) => new Uint8Array(length))
    }
    this.blocks = [this.newest]
    this.used = rows
    return this.newest
  }

  private joinedColumn<Name extends keyof Block>(name: Name, make: (length: number) => Block[Name]): Block[Name] {
    const { blocks, rows } = this
    const only = blocks.length === 1 ? blocks[0] : undefined
    if (only !== undefined) return only[name].subarray(0, rows) as Block[Name]
    const column = make(rows)
    let at = 0
    for (const block of blocks) {
      const part = block[name]
      column.set(part.subarray(0, rows - at), at)
      at += part.length
      // Released one by one, so that no column is in memory twice.
      release(part)
    }
    return column
  }
}

/** The columns of some rows. */
interface Block {
  readonly codes: Float64Array
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  readonly actives: Uint8Array
}

interface SuccessorRow {
  readonly row: number
  /** Packed, as the successor. */
  readonly code: number
  readonly successor: number
}

/** Rows of the first block if the capacity is unknown; each later block doubles the total. */
const minBlockRows = 1 << 10
/** A few megabytes per column: the system reclaims large blocks individually, but not many small ones. */
const maxBlockRows = 1 << 21

const makeBlock = (length: number): Block => ({
  codes: new Float64Array(length),
  lats_e7: new Int32Array(length),
  lons_e7: new Int32Array(length),
  actives: new Uint8Array(length)
})

interface RowOrder {
  /** The first row of each postcode, in code order; undefined if these are all rows in their order. */
  readonly kept: Uint32Array | undefined
  readonly duplicates: Duplicates
}

const rowsOf = (rows: Uint32Array): UnitRows => ({ count: rows.length, rowOf: (id) => rows[id] as number })

/** The bits of active units. */
const activeBitsOf = (actives: Uint8Array, { count, rowOf }: UnitRows): Uint8Array => {
  const bits = emptyBits(count)
  for (let id = 0; id < count; id++) if (actives[rowOf(id)] === 1) setBit(bits, id)
  return bits
}

const isWithin_e7 = (value: number, degrees: number): boolean =>
  Number.isInteger(value) && Math.abs(value) <= degrees * e7PerDegree

/**
 * Compacts sorted rows in place to the first row of each code, and collects the rest as duplicates.
 *
 * @param order the rows in code order; undefined if they are
 */
const withoutDuplicates = (codes: Float64Array, order: Uint32Array | undefined): RowOrder => {
  let kept = order
  let firstOf = new Uint32Array(0)
  let count = 0
  let first = -1
  for (let rank = 0; rank < codes.length; rank++) {
    const row = order === undefined ? rank : (order[rank] as number)
    if (first >= 0 && codes[row] === codes[first]) {
      if (firstOf.length === 0) firstOf = new Uint32Array(codes.length)
      firstOf[row] = first + 1
      kept ??= identity(codes.length)
    } else {
      first = row
      if (kept !== undefined) kept[count] = row
      count++
    }
  }
  return { duplicates: new Duplicates(codes, firstOf), kept: kept?.subarray(0, count) }
}
