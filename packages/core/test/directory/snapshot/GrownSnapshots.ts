// Tests of grown snapshots: sections up to and beyond what a writer makes, all with checksums that match. What opens must
// answer every search with at most so many times the work of a search in the original.
import { searchAddress } from "@postcode/core/AddressSearch"
import { complete } from "@postcode/core/Autocomplete"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { nearest, within } from "@postcode/core/ReverseGeocoder"
import { InvalidSnapshot } from "@postcode/core/Snapshot"
import { expect, it } from "vitest"
import { randomBelow } from "../../../../../test/RandomNumbers.ts"
import { directoryFrom } from "../BuiltDirectory.ts"
import { elementsOf, sectionIn, snapshotOf, withSections } from "./SnapshotBytes.ts"

/** The slowest search takes at most so many times as long as a normal one. */
const maxFactor = 20

/** Registers the test, of so many snapshots that open. */
export const grownSnapshots = (openedRounds: number): void => {
  it("a grown snapshot is refused, or its slowest search takes at most 20 times as long as a normal one", {
    timeout: 1_800_000
  }, async ({ annotate }) => {
    const random = randomBelow(3)
    const normal = Directory.open(original)
    for (let round = 0; round < 30; round++) for (const search of searches) search.run(normal)
    const quiet_ms = new Map([...new Set(searches.map(kindOf))].map((kind) => [kind, normal_ms(normal, kind)]))
    let slowest = { factor: 0, of: "" }
    let opened = 0
    let refused = 0
    while (opened < openedRounds) {
      const { bytes, steps } = grown(random)
      const hostile = open(bytes)
      if (hostile === undefined) {
        refused++
        continue
      }
      opened++
      for (const search of searches) {
        const factor = factorOf(search, hostile, normal, quiet_ms.get(kindOf(search)) as number)
        if (factor > slowest.factor) slowest = { factor, of: `${search.name} after ${steps}` }
      }
    }
    await annotate(`slowest of ${opened}: ${slowest.factor.toFixed(1)} times a normal one, ${slowest.of}`)
    expect(slowest.factor, slowest.of).toBeLessThanOrEqual(maxFactor)
    // Else next to nothing was beyond the limits.
    expect(refused).toBeGreaterThan(0.1 * openedRounds)
  })
}

type Random = ReturnType<typeof randomBelow>

interface Search {
  readonly name: string
  readonly run: (directory: Directory) => unknown
}

const syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "so", "ti", "wu", "ya", "de", "fo", "gi", "ha", "ju"]
const kinds = ["Street", "Road", "Primary School", "Close", "Avenue", "Hospital", "Health Post", "Church"]

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

/** A word of two to four syllables. */
const wordOf = (random: Random): string =>
  Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)]).join("")

/** 3,000 units on streets of 200 localities, and as many places as Nigeria has. */
const buildDirectory = (): Directory => {
  const random = randomBelow(4)
  const builder = new DirectoryBuilder({ version: "2026-1", addresses: true })
  const lgas: Array<string> = []
  for (const state of letters.flatMap((letter) => [`A${letter}`, `B${letter}`]).slice(0, 37)) {
    builder.addPlace({ code: state as PartialPostcode, name: `${wordOf(random)} ${wordOf(random)}` })
    for (let lga = 10; lga < 31; lga++) {
      builder.addPlace({
        code: `${state}-${lga}` as PartialPostcode,
        name: `${wordOf(random)} ${["North", "South"][lga % 2]}`
      })
      lgas.push(`${state}-${lga}`)
    }
  }
  const localities = Array.from({ length: 200 }, () => wordOf(random))
  for (let unit = 0; unit < 3_000; unit++) {
    const locality = unit % 200
    const locality_name = localities[locality] as string
    const name = `${wordOf(random)} ${kinds[random(kinds.length)]}`
    const number = random(3) === 0 ? "" : `${1 + random(90)} `
    const code = `${lgas[(19 * locality) % lgas.length]}-A${String(locality % 100).padStart(2, "0")}-AA-${String(Math.floor(unit / 200)).padStart(2, "0")}`
    const district = locality < 100 ? code : code.replace("-A", "-B")
    const point = { lat: 6 + 0.01 * locality + 0.0002 * random(20), lon: 3 + 0.0002 * random(20) }
    builder.addUnit(district as Postcode, point, unit % 9 !== 0, {
      locality_name,
      recent_address: `${number}${name}, ${locality_name}`
    })
  }
  return directoryFrom(builder)
}

const directory = buildDirectory()
const original = snapshotOf(directory, { addresses: true })

/** The words of the original that can be misspelled. */
const words: ReadonlyArray<string> = (() => {
  const starts = elementsOf(original, "addresses.wordStarts")
  const { start } = sectionIn(original, "addresses.wordBytes")
  const found = Array.from({ length: starts.length - 1 }, (_, at) =>
    new TextDecoder().decode(original.subarray(start + (starts[at] as number), start + (starts[at + 1] as number)))
  )
  return found.filter((word) => word.length > 4)
})()

/** A few texts with all that a search can meet, and the other walks. */
const searches: ReadonlyArray<Search> = (() => {
  const random = randomBelow(5)
  const known = Array.from({ length: 12 }, () => words[random(words.length)] as string)
  const misspelled = known.map((word) => `${word.slice(0, 2)}q${word.slice(3)}`)
  const texts = [
    `12 ${known[0]} street ${known[1]} ${known[2]}`,
    `${known.join(" ")} primary school road street close church`,
    `behind ${known[3]} school near ${known[4]} road`,
    misspelled.join(" "),
    `${misspelled.slice(0, 4).join(" ")} abc bcd cde def efg fgh ghi pps sch hsp`,
    directory.places
      .slice(0, 12)
      .map(({ name }) => name)
      .join(" "),
    "aaaaaaaaaaaa ".repeat(15)
  ].map((text) => text.slice(0, 200))
  return [
    ...texts.map((text, at) => ({ name: `address ${at}`, run: (one: Directory) => searchAddress(one, text) })),
    ...texts.map((text, at) => ({ name: `completion ${at}`, run: (one: Directory) => complete(one, text, 10) })),
    { name: "near 0", run: (one) => nearest(one, { lat: 6.0004, lon: 3.0004 }, 250) },
    { name: "near 1", run: (one) => nearest(one, { lat: 1, lon: 1 }, 250) },
    { name: "near 2", run: (one) => within(one, { lat: 6.5004, lon: 3.0004 }, 2000, 50) }
  ]
})()

/**
 * The processor time of a search: the mean of as many as take 40 ms, because the clock of a thread ticks every 4 ms, and on
 * a busy machine any other clock counts what others do.
 */
const timeOf_ms = (search: Search, one: Directory): number => {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    search.run(one)
    const { system, user } = process.threadCpuUsage(before)
    const time_ms = (system + user) / 1000
    if (time_ms >= 40) return time_ms / runs
  }
}

const kindOf = ({ name }: Search): string => name.split(" ")[0] as string

/** The time of a normal search by kind: the mean of those in the original. */
const normal_ms = (normal: Directory, kind: string): number => {
  const times = searches.filter((search) => kindOf(search) === kind).map((search) => timeOf_ms(search, normal))
  return times.reduce((sum, time) => sum + time, 0) / times.length
}

/**
 * How many normal searches a search takes. Most are as fast as normal ones by any clock; only those that are slow five times
 * are measured by their processor time, and only those that are slow then, too, beside normal ones.
 */
const factorOf = (search: Search, hostile: Directory, normal: Directory, quiet_ms: number): number => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const start_ms = performance.now()
    search.run(hostile)
    const factor = (performance.now() - start_ms) / quiet_ms
    if (factor < suspect) return factor
  }
  const time_ms = timeOf_ms(search, hostile)
  return time_ms < suspect * quiet_ms ? time_ms / quiet_ms : time_ms / normal_ms(normal, kindOf(search))
}

const suspect = 10

const open = (bytes: Uint8Array): Directory | undefined => {
  try {
    return Directory.open(bytes)
  } catch (error) {
    if (error instanceof InvalidSnapshot) return undefined
    throw error
  }
}

/** One to four growths, mostly such that open. */
const grown = (random: Random): { readonly bytes: Uint8Array; readonly steps: string } => {
  const sections: Sections = {}
  const steps: Array<string> = []
  for (let left = 1 + random(4); left > 0; left--) {
    const [name, grow] = growths[random(growths.length)] as (typeof growths)[number]
    steps.push(name)
    grow(sections, random)
  }
  return { bytes: withSections(original, sections), steps: steps.join(", then ") }
}

type Sections = Record<string, Uint8Array | Uint16Array | Uint32Array>
type Grow = (sections: Sections, random: Random) => void

const numbersOf = (sections: Sections, name: string): Uint32Array => {
  const known = sections[name]
  return known instanceof Uint32Array ? known : elementsOf(original, name)
}

const bytesOf = (sections: Sections, name: string): Uint8Array => {
  const { end, start } = sectionIn(original, name)
  return (sections[name] as Uint8Array | undefined) ?? original.slice(start, end)
}

/** Gives each range a new list of elements. */
const setRanges = (
  sections: Sections,
  values: string,
  starts: string,
  lists: ReadonlyArray<ArrayLike<number>>
): void => {
  const ends = new Uint32Array(lists.length + 1)
  for (const [at, list] of lists.entries()) ends[at + 1] = (ends[at] as number) + list.length
  const isBytes = values.endsWith("Bytes")
  const all = isBytes ? new Uint8Array(ends[lists.length] as number) : new Uint32Array(ends[lists.length] as number)
  for (const [at, list] of lists.entries()) all.set(list, ends[at])
  sections[values] = all
  sections[starts] = ends
}

const rangesOf = (sections: Sections, values: string, starts: string): Array<ArrayLike<number>> => {
  const all = values.endsWith("Bytes") ? bytesOf(sections, values) : numbersOf(sections, values)
  const ends = numbersOf(sections, starts)
  return Array.from({ length: ends.length - 1 }, (_, at) => all.subarray(ends[at], ends[at + 1]))
}

const countOf = (sections: Sections, starts: string): number => numbersOf(sections, starts).length - 1

/** A length at a limit, or rarely above it. */
const lengthUpTo = (random: Random, limit: number): number =>
  random(12) === 0 ? limit + 1 + random(3 * limit) : random(3) === 0 ? random(limit + 1) : limit

const listOf = (length: number, element: () => number): Uint32Array => new Uint32Array(length).map(element)

const growths: ReadonlyArray<readonly [string, Grow]> = [
  [
    "texts of many words",
    (sections, random) => {
      const count = countOf(sections, "addresses.wordStarts")
      const length = lengthUpTo(random, 24)
      const every = 1 + random(3)
      const only = random(2) === 0 ? random(count) : -1
      const lists = rangesOf(sections, "addresses.textWords", "addresses.textWordStarts")
      setRanges(
        sections,
        "addresses.textWords",
        "addresses.textWordStarts",
        lists.map((list, at) => (at % every === 0 ? listOf(length, () => (only < 0 ? random(count) : only)) : list))
      )
    }
  ],
  [
    "full buckets of misspellings",
    (sections, random) => {
      const count = countOf(sections, "addresses.wordStarts")
      const length = lengthUpTo(random, 128)
      const isRepeated = random(3) === 0
      const lists = rangesOf(sections, "addresses.misspellings", "addresses.misspellingStarts")
      setRanges(
        sections,
        "addresses.misspellings",
        "addresses.misspellingStarts",
        lists.map(() => {
          const first = random(count)
          return listOf(length, () => (isRepeated ? first : random(count)))
        })
      )
    }
  ],
  [
    "one bucket of all misspellings",
    (sections, random) => {
      const count = countOf(sections, "addresses.wordStarts")
      setRanges(sections, "addresses.misspellings", "addresses.misspellingStarts", [
        listOf(lengthUpTo(random, 128), () => random(count))
      ])
    }
  ],
  [
    "long words",
    (sections, random) => {
      const length = lengthUpTo(random, 96)
      const every = 1 + random(3)
      const lists = rangesOf(sections, "addresses.wordBytes", "addresses.wordStarts")
      setRanges(
        sections,
        "addresses.wordBytes",
        "addresses.wordStarts",
        lists.map((list, at) => (at % every === 0 ? listOf(length, () => 0x61 + random(26)) : list))
      )
    }
  ],
  [
    "words that are all alike",
    (sections, random) => {
      const model = new TextEncoder().encode(words[random(words.length)])
      const lists = rangesOf(sections, "addresses.wordBytes", "addresses.wordStarts")
      setRanges(
        sections,
        "addresses.wordBytes",
        "addresses.wordStarts",
        lists.map(() => {
          const like = model.slice()
          like[random(like.length)] = 0x61 + random(26)
          return like
        })
      )
    }
  ],
  [
    "long texts",
    (sections, random) => {
      const length = lengthUpTo(random, 600)
      const lists = rangesOf(sections, "addresses.textBytes", "addresses.textStarts")
      setRanges(
        sections,
        "addresses.textBytes",
        "addresses.textStarts",
        lists.map(() => listOf(length, () => 0x61 + random(26)))
      )
    }
  ],
  ...["name", "locality"].map((of): readonly [string, Grow] => [
    `references of all words to every ${of}`,
    (sections, random) => {
      const most = numbersOf(sections, `addresses.${of}Texts`).length
      const length = Math.min(random(4) === 0 ? most : random(1_200), most)
      const count = countOf(sections, "addresses.wordStarts")
      const isRepeated = random(10) === 0
      const first = random(most - length + 1)
      const list = listOf(length, () => 0).map((_, at) => (isRepeated ? first : first + at))
      const every = 1 + random(2)
      const old = rangesOf(sections, `addresses.${of}Refs`, `addresses.${of}RefStarts`)
      const lists = Array.from({ length: count }, (_, word) => (word % every === 0 ? list : (old[word] ?? [])))
      setRanges(sections, `addresses.${of}Refs`, `addresses.${of}RefStarts`, lists)
    }
  ]),
  [
    "words of no rarity",
    (sections, random) => {
      sections["addresses.wordRarities"] = bytesOf(sections, "addresses.wordRarities")
        .slice()
        .fill([0, 1, 100, 255][random(4)] as number)
    }
  ],
  [
    "all names in one locality",
    (sections) => {
      const names = numbersOf(sections, "addresses.nameTexts").length
      const starts = numbersOf(sections, "addresses.localityNames").slice().fill(names)
      starts[0] = 0
      sections["addresses.localityNames"] = starts
      const units = numbersOf(sections, "addresses.localityUnits").slice().fill(directory.size)
      units[0] = 0
      sections["addresses.localityUnits"] = units
    }
  ],
  [
    "all localities in one LGA",
    (sections) => {
      const starts = numbersOf(sections, "addresses.lgaLocalities")
        .slice()
        .fill(numbersOf(sections, "addresses.localityTexts").length)
      starts[0] = 0
      sections["addresses.lgaLocalities"] = starts
    }
  ],
  [
    "one text for all names",
    (sections, random) => {
      const names = numbersOf(sections, "addresses.nameTexts").slice()
      sections["addresses.nameTexts"] = names.fill(names[random(names.length)] as number)
    }
  ],
  [
    "many places of one name",
    (sections, random) => {
      const name = directory.places[random(directory.places.length)]?.name ?? ""
      const states = letters.slice(0, 1 + random(8)).flatMap((first) => letters.map((second) => first + second))
      const places = states.flatMap((state) => [
        { code: state, name },
        ...Array.from({ length: random(40) }, (_, at) => ({
          code: `${state}-${String(at).padStart(2, "0")}`,
          name: random(3) === 0 ? wordOf(random) : name
        }))
      ])
      sections.places = new TextEncoder().encode(JSON.stringify(places.slice(0, lengthUpTo(random, 4096))))
    }
  ],
  [
    "long names of places",
    (sections, random) => {
      const length = lengthUpTo(random, 100)
      const places = directory.places.map(({ code, name }) => ({
        code,
        name: `${name} x y z `.repeat(20).slice(0, length)
      }))
      sections.places = new TextEncoder().encode(JSON.stringify(places))
    }
  ],
  [
    "nested places",
    (sections, random) => {
      const depth = 1 + random(2_000)
      sections.places = new TextEncoder().encode("[".repeat(depth) + "]".repeat(depth))
    }
  ],
  [
    "equal splits",
    (sections, random) => {
      const splits = numbersOf(sections, "spatial.splits").slice()
      sections["spatial.splits"] = splits.fill([60_004_000, 30_004_000, 0, 10_000_000][random(4)] as number)
    }
  ],
  [
    "nothing visible",
    (sections) => {
      sections["spatial.visible"] = bytesOf(sections, "spatial.visible").slice().fill(0)
    }
  ]
]
