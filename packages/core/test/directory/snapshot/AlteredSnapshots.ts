// Tests of altered snapshots. Half of them are left with checksums that do not match, and must not open; the others get
// new checksums, as someone who means harm would write them: whatever opens then has to be safe to use.
import { searchAddress } from "@postcode/core/AddressSearch"
import { complete } from "@postcode/core/Autocomplete"
import { isCoordinate } from "@postcode/core/Coordinate"
import { Directory, type NamedCode } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { LiveDirectory } from "@postcode/core/LiveDirectory"
import { isCanonical, type PartialPostcode, type Postcode } from "@postcode/core/Postcode"
import { type Hit, nearest, within } from "@postcode/core/ReverseGeocoder"
import { InvalidSnapshot, type SnapshotHeader, snapshotHeader } from "@postcode/core/Snapshot"
import { expect, it } from "vitest"
import { randomBelow } from "../../../../../test/RandomNumbers.ts"
import { directoryFrom } from "../BuiltDirectory.ts"
import { at, entryLength, inEntry, reseal, snapshotOf, viewOf } from "./SnapshotBytes.ts"

/** Registers the tests, each of so many snapshots. */
export const alteredSnapshots = (roundsOfEach: number): void => {
  it("an altered snapshot is refused, and one whose alteration changes no byte answers as before", () => {
    const random = randomBelow(1)
    const expected = answersOf(directory)
    let refused = 0
    for (let round = 0; round < roundsOfEach; round++) {
      const { bytes, steps } = altered(random)
      const opened = open(bytes, steps)
      if (opened === undefined) refused++
      else if (answersOf(opened) !== expected) throw new Error(`other answers: ${steps}`)
    }
    expect(refused).toBeGreaterThan(0.95 * roundsOfEach)
  })

  it("an altered snapshot with checksums to match is refused, or answers with what can be an answer", {
    timeout: 900_000
  }, () => {
    const random = randomBelow(2)
    let openedRounds = 0
    for (let round = 0; round < roundsOfEach; round++) {
      const { bytes, steps } = altered(random)
      if (random(2) === 0) fitLengths(bytes)
      reseal(bytes)
      const opened = open(bytes, steps)
      if (opened === undefined) continue
      openedRounds++
      // A change has all of the directory built anew.
      const fault = faultOf(opened) ?? (openedRounds % 4 === 0 ? faultOfChange(opened) : undefined)
      if (fault !== undefined) throw new Error(`${fault}: ${steps}`)
    }
    // Else next to nothing was tried.
    expect(openedRounds).toBeGreaterThan(0.1 * roundsOfEach)
  })
}

type Random = ReturnType<typeof randomBelow>

/** 60 units, all but three of them close to one another, a fourth retired. */
const buildDirectory = (): Directory => {
  const builder = new DirectoryBuilder({ version: "2026-1", date: "2026-01-31", addresses: true })
  const names = { AB: "Abia", "AB-01": "Aba North", "AB-17": "Ukwa", LA: "Lagos", "LA-12": "Ikorodu", ZA: "Zamfara" }
  for (const [code, name] of Object.entries(names)) {
    builder.addPlace({ code: code as PartialPostcode, name, ...(code === "LA" ? { zone: "South West" } : {}) })
  }
  const areas = ["AB-01-A00-AA", "AB-01-A00-AB", "AB-01-ZZ9-QQ", "AB-17-B10-XY", "LA-12-A03-BG", "LA-12-A03-BH"]
  for (let unit = 0; unit < 60; unit++) {
    const code = `${areas[unit % areas.length]}-${String(7 + 3 * Math.floor(unit / areas.length)).padStart(2, "0")}`
    const north = unit < 57 ? 0 : unit - 50
    const point = { lat: 6.5 + 0.0001 * (unit % 8) + north, lon: 3.4 + 0.0001 * Math.floor(unit / 8) }
    const replaced_by = unit % 12 === 0 ? (`${areas[2]}-10` as Postcode) : undefined
    builder.addUnit(code as Postcode, point, unit % 4 !== 0, { ...addressOf(unit), replaced_by })
  }
  return directoryFrom(builder)
}

/** Streets with house numbers, schools, and units known by their locality. */
const addressOf = (unit: number) => {
  const locality_name = ["Eziama", "Osusu", "Ọba"][unit % 3] as string
  const name = [`${unit} Allen Avenue, `, `School ${unit % 7}, `, ""][unit % 4] ?? ""
  return { locality_name, recent_address: `${name}${locality_name}` }
}

const directory = buildDirectory()
const original = snapshotOf(directory, { addresses: true })
const header: SnapshotHeader = snapshotHeader(original)
const tableEnd = at.table + header.sections.length * entryLength
const centers = [
  { lat: 6.5, lon: 3.4 },
  { lat: 6.5004, lon: 3.4005 },
  { lat: -90, lon: 180 },
  { lat: 0, lon: 0 }
]
const texts = ["", "l", "lag", "AB-01", "la12a03", "LA-12-A03-BG-1", "aba no", "\ud800", "ZZ-99-ZZZ-ZZ-99"]
const addresses = ["12 allen avenue eziama", "school 3 osusu", "oba", "osussu aba north", "behind school 4", "behind x"]
const codes = ["LA-12-A03-BG-07", "AB-17-B10-XY-34", "ZZ-99-ZZZ-ZZ-99", "AA-00-000-AA-00"] as ReadonlyArray<string>

const answersOf = (one: Directory): string =>
  JSON.stringify([
    one.size,
    one.activeSize,
    one.version,
    one.date,
    Array.from({ length: one.size }, (_, id) => {
      const postcode = one.postcodeAt(id)
      return [postcode, one.coordinateAt(id), one.isActive(id), one.replacedBy(postcode)]
    }),
    one.states().map(({ code }) => [one.lgas(code), one.lgas(code)?.map((lga) => one.districts(code, lga.code))]),
    texts.map((text) => complete(one, text, 10)),
    addresses.map((text) => searchAddress(one, text)),
    codes.map((code) => [one.find(code as Postcode), one.status(code as Postcode), one.placeNames(code as Postcode)]),
    centers.map((center) => [nearest(one, center, 25), within(one, center, 300, 20)])
  ])

/** Undefined if it is refused; whatever else comes of it is a fault. */
const open = (bytes: Uint8Array, steps: string): Directory | undefined => {
  try {
    return Directory.open(bytes)
  } catch (error) {
    if (error instanceof InvalidSnapshot && error.message !== "") return undefined
    throw new Error(`it threw something else: ${steps}`, { cause: error })
  }
}

/** What of a directory's answers can be no answer. */
const faultOf = (one: Directory): string | undefined => {
  if (!(one.activeSize >= 0 && one.activeSize <= one.size)) return "counts"
  for (let id = 0; id < one.size; id++) {
    if (!isCanonical(one.postcodeAt(id))) return `the postcode of unit ${id}`
    if (one.find(one.postcodeAt(id)) !== id) return `the unit of ${one.postcodeAt(id)}`
    const successor = one.replacedBy(one.postcodeAt(id))
    if (successor !== undefined && !isCanonical(successor)) return `the successor of unit ${id}`
    if (!isCoordinate(one.coordinateAt(id))) return `the coordinate of unit ${id}`
    if (one.isActive(id) !== (one.status(one.postcodeAt(id)) === "active")) return `the status of unit ${id}`
  }
  for (const id of [-1, one.size]) if (!isRefused(() => one.postcodeAt(id))) return `unit ${id}`
  return faultOfListings(one) ?? faultOfCompletion(one) ?? faultOfSearch(one)
}

const isRefused = (ask: () => unknown): boolean => {
  try {
    ask()
    return false
  } catch (error) {
    return error instanceof RangeError
  }
}

const isNamed = ({ code, name }: NamedCode): boolean =>
  /^([A-Z]{2}|\d\d|[A-Z\d]{3})$/.test(code) && (name === undefined || typeof name === "string")

const faultOfListings = (one: Directory): string | undefined => {
  for (const state of one.states()) {
    const lgas = one.lgas(state.code)
    if (!isNamed(state) || lgas === undefined || !lgas.every(isNamed)) return `the LGAs of ${state.code}`
    const districts = one.districts(state.code, lgas[0]?.code ?? "")
    if (!districts?.every(isNamed)) return `the districts of ${state.code}`
    if (!one.areas(state.code, lgas[0]?.code ?? "", districts[0]?.code ?? "")?.every(isNamed)) return "areas"
  }
  const [code] = codes
  const names = one.placeNames(code as Postcode)
  return Object.values(names).every((name) => typeof name === "string") ? undefined : "place names"
}

const faultOfCompletion = (one: Directory): string | undefined => {
  for (const text of texts) {
    const { suggestions } = complete(one, text, 5)
    if (suggestions.length > 5 || !suggestions.every(isNamed)) return `completion of ${text}`
  }
  for (const text of addresses) {
    const { candidates, code } = searchAddress(one, text)
    if (!(code === null || typeof code === "string") || candidates.length > 5) return `the address ${text}`
  }
  for (const code of codes) {
    const id = one.find(code as Postcode)
    if (!(Number.isInteger(id) && id >= -1 && id < one.size)) return `the unit of ${code}`
  }
  return undefined
}

const faultOfSearch = (one: Directory): string | undefined => {
  for (const center of centers) {
    const hits = [...within(one, center, 300, 5)]
    const hit = nearest(one, center, 25)
    if (hit !== undefined) hits.push(hit)
    if (hits.length > 6 || !hits.every((found) => isHit(one, found))) return `units near ${JSON.stringify(center)}`
  }
  return undefined
}

/** A change to a unit, with all that a live directory does for it, and folded in. */
const faultOfChange = (one: Directory): string | undefined => {
  const postcode = one.postcodeAt(one.size - 1)
  const live = new LiveDirectory(one)
  live.apply([{ change: one.isActive(one.size - 1) ? "retire" : "reactivate", postcode }])
  for (const center of centers) within(live.current, center, 300, 5)
  const folded = new Directory(live.current.contents)
  const isDone = [live.current, folded].every((changed) => changed.status(postcode) !== one.status(postcode))
  return isDone ? undefined : `a change of ${postcode}`
}

const isHit = (one: Directory, { distance_m, id }: Hit): boolean =>
  Number.isInteger(id) && id >= 0 && id < one.size && distance_m >= 0 && distance_m < 30_000_000

/** One to three alterations of the original. */
const altered = (random: Random): { readonly bytes: Uint8Array; readonly steps: string } => {
  let bytes: Uint8Array = original.slice()
  const steps: Array<string> = []
  for (let left = 1 + Math.floor(random(8) / 6) + Math.floor(random(8) / 7); left > 0; left--) {
    const [name, alter] = alterations[random(alterations.length)] as (typeof alterations)[number]
    steps.push(name)
    bytes = alter(bytes, random)
  }
  return { bytes, steps: steps.join(", then ") }
}

type Alter = (bytes: Uint8Array, random: Random) => Uint8Array

const inPlace =
  (alter: (bytes: Uint8Array, random: Random, view: DataView) => void): Alter =>
  (bytes, random) => {
    alter(bytes, random, viewOf(bytes))
    return bytes
  }

const hostile32 = (random: Random, before: number): number => {
  const values = [0, 1, before + 1, before - 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 0x7ff00000, 0x7fc00000, 0xfff80000]
  return (random(3) === 0 ? random(2 ** 32) : random(4) === 0 ? random(128) : (values[random(10)] as number)) >>> 0
}

const set32 = (random: Random, view: DataView, offset: number): void => {
  if (offset + 4 <= view.byteLength) view.setUint32(offset, hostile32(random, view.getUint32(offset, true)), true)
}

/** A section and its place, as the original has them. */
const anySection = (random: Random) => {
  const { length_bytes, offset, type } = header.sections[random(header.sections.length)] as (typeof header.sections)[0]
  return { start: offset, end: offset + length_bytes, width: Number.parseInt(type.replace(/\D+/, ""), 10) / 8 }
}

const alterations: ReadonlyArray<readonly [name: string, alter: Alter]> = [
  [
    "bits",
    inPlace((bytes, random) => {
      for (let left = 1 + random(3); left > 0; left--) {
        const place = random(bytes.length)
        bytes[place] = (bytes[place] ?? 0) ^ (1 << random(8))
      }
    })
  ],
  [
    "a run of bytes",
    inPlace((bytes, random) => {
      const start = random(bytes.length)
      const value = [0, 0xff, random(256), -1][random(4)] as number
      const end = Math.min(bytes.length, start + 1 + random(64))
      for (let place = start; place < end; place++) bytes[place] = value < 0 ? random(256) : value
    })
  ],
  ["cut off", (bytes, random) => bytes.slice(0, random(4) === 0 ? random(bytes.length) : bytes.length - random(64))],
  [
    "extended",
    (bytes, random) => {
      const longer = new Uint8Array(bytes.length + 1 + random(200))
      longer.set(bytes)
      if (random(2) === 0) longer.fill(random(256), bytes.length)
      return longer
    }
  ],
  [
    "a field of the header",
    inPlace((_, random, view) => {
      const fields = [8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]
      set32(random, view, fields[random(fields.length)] as number)
    })
  ],
  [
    "a field of the section table",
    inPlace((_, random, view) => {
      const fields = [inEntry.type, inEntry.checksum, inEntry.offset, inEntry.offset + 4, inEntry.length]
      const entry = at.table + random(header.sections.length) * entryLength
      set32(random, view, entry + (fields[random(fields.length)] as number))
    })
  ],
  [
    "two entries of the section table swapped",
    inPlace((bytes, random) => {
      const [a, b] = [random(header.sections.length), random(header.sections.length)]
      swap(bytes, at.table + a * entryLength, at.table + b * entryLength, entryLength)
    })
  ],
  [
    "two sections swapped",
    inPlace((bytes, random) => {
      const [a, b] = [anySection(random), anySection(random)]
      swap(bytes, a.start, b.start, Math.min(a.end - a.start, b.end - b.start))
    })
  ],
  [
    "a section over another",
    inPlace((bytes, random) => {
      const [a, b] = [anySection(random), anySection(random)]
      const length = Math.min(a.end - a.start, b.end - b.start)
      if (a.start + length <= bytes.length && b.start + length <= bytes.length) {
        bytes.copyWithin(b.start, a.start, a.start + length)
      }
    })
  ],
  ...Array.from(
    { length: 3 },
    () =>
      [
        "elements of a section",
        inPlace((bytes, random, view) => {
          const { end, start, width } = anySection(random)
          for (let left = 1 + random(4); left > 0; left--) {
            const place = start + width * random((end - start) / width)
            if (place + width > bytes.length) continue
            if (width === 4) set32(random, view, place)
            else if (width === 2) view.setUint16(place, hostile32(random, view.getUint16(place, true)), true)
            else view.setUint8(place, hostile32(random, view.getUint8(place)))
          }
        })
      ] as const
  ),
  [
    "two elements of a section swapped",
    inPlace((bytes, random) => {
      const { end, start, width } = anySection(random)
      const elements = (end - start) / width
      swap(bytes, start + width * random(elements), start + width * random(elements), width)
    })
  ],
  [
    "a section moved by some bytes",
    inPlace((bytes, random) => {
      const { end, start } = anySection(random)
      if (end <= bytes.length) bytes.copyWithin(start + 1 + random(8), start, end)
    })
  ],
  [
    "a character of a name",
    inPlace((bytes, random) => {
      const places = header.sections.at(-1)?.offset as number
      if (bytes.length > places) bytes[places + random(bytes.length - places)] = 0x20 + random(0x60)
    })
  ],
  [
    "a character of the data version",
    inPlace((bytes, random) => {
      if (bytes.length > tableEnd + 6) bytes[tableEnd + random(6)] = random(256)
    })
  ]
]

const swap = (bytes: Uint8Array, a: number, b: number, length: number): void => {
  if (Math.max(a, b) + length > bytes.length) return
  const first = bytes.slice(a, a + length)
  bytes.copyWithin(a, b, b + length)
  bytes.set(first, b)
}

/** Makes the header agree with the length of the file, and the last section end where the file does. */
const fitLengths = (bytes: Uint8Array): void => {
  const { offset } = header.sections.at(-1) as (typeof header.sections)[0]
  if (bytes.length < offset) return
  const view = viewOf(bytes)
  view.setBigUint64(at.fileLength, BigInt(bytes.length), true)
  view.setBigUint64(tableEnd - entryLength + inEntry.length, BigInt(bytes.length - offset), true)
}
