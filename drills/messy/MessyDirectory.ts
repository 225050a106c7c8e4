/** Makes a directory wrong in many ways, at rows that are known. */
import { csvLine } from "@postcode/core/Csv"

/** A whole number from 0 to below a bound. */
type RandomBelow = (bound: number) => number

/** The rows of a directory, by line from 2: the fields of each in the order of `unitColumns`. */
export interface DirectoryRows {
  readonly places: ReadonlyArray<readonly [code: string, name: string, zone: string]>
  readonly units: ReadonlyArray<ReadonlyArray<string>>
}

/** A directory with wrong rows. */
export interface MessyDirectory {
  readonly places: string
  readonly units: string
  /** The lines of `units.csv` that are wrong, by the way. Each set is found if one of its lines is. */
  readonly wrong: ReadonlyMap<string, ReadonlyArray<ReadonlySet<number>>>
  /** Names that are made similar, as the report shows them. */
  readonly similar: ReadonlyArray<string>
}

type Point = readonly [lat: number, lon: number]

/** Ways in which the location of a row becomes wrong. */
const moves: Readonly<Record<string, (point: Point, elsewhere: Point) => Point>> = {
  "at 0,0": () => [0, 0],
  "close to 0,0": () => [0.0003, -0.0005],
  exchanged: ([lat, lon]) => [lon, lat],
  "3 degrees to the north": ([lat, lon]) => [lat + 3, lon],
  "3 degrees to the west": ([lat, lon]) => [lat, lon - 3],
  "half a degree to the north": ([lat, lon]) => [lat + 0.5, lon],
  "50 km to the west": ([lat, lon]) => [lat, lon - 0.45],
  "to the south of the equator": ([lat, lon]) => [-lat, lon],
  "to the west of Greenwich": ([lat, lon]) => [lat, -lon],
  "the point one digit too early": ([lat, lon]) => [lat / 10, lon],
  "the location of another state": (_, elsewhere) => elsewhere
}

const [postcodeAt, latAt, lonAt, statusAt, localityAt, addressAt, replacedAt] = [0, 1, 2, 3, 4, 5, 10] as const

/** @param each the number of rows that become wrong in each way */
export const makeMessy = ({ places, units }: DirectoryRows, each: number, below: RandomBelow): MessyDirectory => {
  const messy = new MessyRows(units, below)
  messy.retire(Math.min(each, 50))
  for (const [way, move] of Object.entries(moves)) for (let count = 0; count < each; count++) messy.move(way, move)
  for (let count = 0; count < each; count++) messy.repeat()
  for (let count = 0; count < each; count++) messy.mar(count)
  messy.crowd()
  const lgas = groupsOf(units, 5)
  const named = messyPlaces(places, lgas, units, (way, ...indexes) => messy.add(way, ...indexes))
  return { ...named, units: messy.text(), wrong: messy.wrong }
}

class MessyRows {
  readonly wrong = new Map<string, Array<ReadonlySet<number>>>()
  private readonly clean: DirectoryRows["units"]
  private readonly rows: ReadonlyArray<Array<string>>
  private readonly below: RandomBelow
  private readonly used = new Set<number>()

  constructor(units: DirectoryRows["units"], below: RandomBelow) {
    this.clean = units
    this.rows = units.map((row) => [...row])
    this.below = below
  }

  text(): string {
    return this.rows.map(csvLine).join("")
  }

  add(way: string, ...indexes: ReadonlyArray<number>): void {
    for (const index of indexes) this.used.add(index)
    this.wrong.set(way, [...(this.wrong.get(way) ?? []), new Set(indexes.map((index) => index + 2))])
  }

  move(way: string, move: (point: Point, elsewhere: Point) => Point): void {
    const index = this.free()
    const [lat, lon] = move(this.pointOf(index), this.pointOf(this.otherThan(index, 2)))
    this.set(index, latAt, lat.toFixed(6))
    this.set(index, lonAt, lon.toFixed(6))
    this.add(way, index)
  }

  /** One building in two rows: at the same point; or with a house number, at points of one LGA that are far apart. */
  repeat(): void {
    const index = this.free()
    const code = this.field(index, postcodeAt)
    const [lat, lon] = this.pointOf(index)
    const isOther = (other: number) => {
      const [otherLat, otherLon] = this.pointOf(other)
      const hasNumber = this.hasNumber(other)
      const isFar = Math.hypot(lat - otherLat, lon - otherLon) > 0.02
      const isUsable = this.field(other, addressAt) !== "" && this.field(other, statusAt) === "active"
      return isUsable && this.field(other, postcodeAt).startsWith(code.slice(0, 5)) && isFar === hasNumber
    }
    const near = [...Array(400).keys()].map((step) => index - 1 - step)
    const other = near.find((other) => other >= 0 && !this.used.has(other) && isOther(other))
    if (other === undefined || this.field(index, statusAt) !== "active") return
    const hasNumber = this.hasNumber(other)
    for (const at of [localityAt, addressAt, ...(hasNumber ? [] : [latAt, lonAt])])
      this.set(index, at, this.field(other, at))
    this.used.add(other)
    this.add("a building twice", index)
  }

  mar(count: number): void {
    const index = this.free()
    const values = [
      [postcodeAt, "AB-1"],
      [latAt, "6..1"],
      [lonAt, "1,23.4"],
      [statusAt, "perhaps"]
    ] as const
    const [at, text] = values[count % values.length] as (typeof values)[number]
    this.set(index, at, text)
    this.add("a value that is none", index)
  }

  crowd(): void {
    for (const lga of groupsOf(this.clean, 5)
      .filter(({ length }) => length > 150)
      .slice(0, 5)) {
      const chosen = lga.filter((index) => !this.used.has(index)).slice(0, 60)
      const [lat, lon] = this.pointOf(chosen[0] as number)
      for (const index of chosen) {
        this.set(index, latAt, String(lat))
        this.set(index, lonAt, String(lon))
      }
      this.add("60 units at one point", ...chosen)
    }
  }

  /** Retires units of areas: most with a successor and one without, or two that replace each other. */
  retire(each: number): void {
    const isActive = (area: ReadonlyArray<number>) => area.every((index) => this.field(index, statusAt) === "active")
    const areas = groupsOf(this.clean, 12).filter((area) => area.length >= 8 && isActive(area))
    const start = this.below(Math.max(1, areas.length - 2 * each))
    for (const [count, area] of areas.slice(start, start + 2 * each).entries()) {
      const [successor, first, second, third, last] = area as unknown as readonly [
        number,
        number,
        number,
        number,
        number
      ]
      if (count % 2 === 0) {
        for (const index of [first, second, third]) this.replace(index, this.field(successor, postcodeAt))
        this.replace(last, "")
        this.add("retired without a successor", last)
      } else {
        this.replace(first, this.field(second, postcodeAt))
        this.replace(second, this.field(first, postcodeAt))
        this.add("successors in a circle", first)
        this.add("successors in a circle", second)
      }
    }
  }

  private replace(index: number, by: string): void {
    this.used.add(index)
    this.set(index, statusAt, "retired")
    this.set(index, replacedAt, by)
  }

  /** A row that is still as it was. */
  private free(): number {
    for (;;) {
      const index = this.below(this.rows.length)
      if (!this.used.has(index)) return index
    }
  }

  /** A row whose postcode begins with other characters. */
  private otherThan(index: number, length: number): number {
    const start = this.field(index, postcodeAt).slice(0, length)
    for (;;) {
      const other = this.below(this.rows.length)
      if (!this.used.has(other) && !this.field(other, postcodeAt).startsWith(start)) return other
    }
  }

  private hasNumber(index: number): boolean {
    return /^(?:(?:no|plot|house|block|flat|suite)\W*)?\d/i.test(this.field(index, addressAt))
  }

  private field(index: number, at: number): string {
    return this.rows[index]?.[at] ?? ""
  }

  private set(index: number, at: number, text: string): void {
    ;(this.rows[index] as Array<string>)[at] = text
  }

  private pointOf(index: number): Point {
    return [Number(this.field(index, latAt)), Number(this.field(index, lonAt))]
  }
}

/** The indexes of rows whose postcodes begin in the same way. */
const groupsOf = (units: DirectoryRows["units"], length: number): ReadonlyArray<ReadonlyArray<number>> => {
  const groups = new Map<string, Array<number>>()
  for (const [index, [postcode = ""]] of units.entries()) {
    const key = postcode.slice(0, length)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  }
  return [...groups.values()]
}

/** Leaves out LGAs of units, and gives others the name of another LGA of their state, in capitals. */
const messyPlaces = (
  places: DirectoryRows["places"],
  lgas: ReadonlyArray<ReadonlyArray<number>>,
  units: DirectoryRows["units"],
  add: MessyRows["add"]
) => {
  const missing = new Set<string>()
  for (const lga of lgas.filter((_, at) => at % 97 === 50)) {
    missing.add((units[lga[0] as number]?.[0] ?? "").slice(0, 5))
    add("an LGA without a name", ...lga)
  }
  const similar: Array<string> = []
  const lines = places.flatMap(([code, name, zone], at) => {
    if (missing.has(code)) return []
    const [otherCode = "", otherName = ""] = places[at - 1] ?? []
    const isSimilar = at % 60 === 40 && code.length === 5 && otherCode.length === 5 && !missing.has(otherCode)
    if (isSimilar && code.startsWith(otherCode.slice(0, 2))) {
      const shown = otherName.toUpperCase().replace(/ /g, "  ")
      similar.push(`${otherCode} ${otherName} and ${code} ${shown}`)
      return [csvLine([code, shown, zone])]
    }
    return [csvLine([code, name, zone])]
  })
  return { places: lines.join(""), similar }
}
