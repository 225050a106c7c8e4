/** How fast and how large: each text, the index in memory, building it, and opening a snapshot with it. */

import { Directory, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { snapshotPieces } from "@postcode/core/Snapshot"
import { demoAttributes, demoUnits } from "@postcode/demo"
import { compared, type Figure } from "../../Bench.ts"
import { median } from "../../measure.ts"
import { ownCpuTime_ns } from "../peers/Peer.ts"
import { answerTo } from "../quality/search.ts"
import { type AddressRow, splitAddress } from "../texts/AddressRow.ts"
import { Lot } from "../texts/Lot.ts"
import { type Addresses, readFolder } from "../texts/readFolder.ts"
import { buildDemo, generateDemo, type Source } from "../texts/Source.ts"
import { bare, plainRecipes } from "../texts/unitTexts.ts"

export interface SpeedParameter {
  readonly source: Source
  readonly of: string
  readonly texts: number
  readonly rounds: number
}

interface Built {
  readonly directory: Directory
  /** Some of its addresses that have a name. */
  readonly sample: ReadonlyArray<AddressRow>
  /** CPU time of building with addresses, without reading or generating them. */
  readonly build_s: number
}

export const speed = async (
  { of, rounds, source, texts }: SpeedParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  progress(`${of}: building with addresses`)
  const { build_s, directory, sample } = await build(source, texts, rounds)
  const figure = (what: string, value: number, unit: string): Figure =>
    compared(unit === "units/s" ? "more" : "less", {
      bench: "address",
      figure: `${of}: ${what}`,
      value,
      unit,
      peer: null,
      peer_value: null
    })
  progress(`${of}: searching ${sample.length} texts, ${rounds} rounds`)
  const lot = new Lot(7)
  const short = sample.flatMap((row) => lot.one(Object.values(plainRecipes))(row, lot)?.text ?? [])
  const long = short.flatMap((_, index) => {
    // Twelve addresses in one text, of every tenth.
    const some = short.slice(index, index + 12)
    return index % 10 === 0 ? [bare(some.join(" "), lot).slice(0, 500)] : []
  })
  const times_us = shortest_us(directory, short, rounds)
  // They are few, and long enough to be interrupted more often.
  const longTimes_us = shortest_us(directory, long, 4 * rounds)
  progress(`${of}: snapshots`)
  const plain = bytesOf(directory, false)
  const whole = bytesOf(directory, true)
  return [
    figure("a text, median", quantile(times_us, 0.5), "µs"),
    figure("a text, 99 %", quantile(times_us, 0.99), "µs"),
    figure("a text of 500 characters, 99 %", quantile(longTimes_us, 0.99), "µs"),
    figure("memory beside the directory", whole.length - plain.length, "bytes"),
    figure("memory beside the directory", (whole.length - plain.length) / directory.size, "bytes a unit"),
    figure("building with addresses, CPU time", directory.size / build_s, "units/s"),
    figure("opening the snapshot with addresses, CPU time", opened_ms(whole, rounds), "ms"),
    figure("opening the snapshot without addresses, CPU time", opened_ms(plain, rounds), "ms")
  ]
}

/** Of each text the shortest of the rounds: other processes interrupt the rest. */
const shortest_us = (directory: Directory, texts: ReadonlyArray<string>, rounds: number): Float64Array => {
  const least = new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (const [index, text] of texts.entries()) {
      const start = process.hrtime.bigint()
      answerTo(directory, text)
      least[index] = Math.min(least[index] as number, Number(process.hrtime.bigint() - start) / 1000)
    }
  }
  return least.sort()
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] as number

const bytesOf = (directory: Directory, addresses: boolean): Buffer =>
  Buffer.concat([...snapshotPieces(directory, { addresses })])

const opened_ms = (bytes: Buffer, rounds: number): number =>
  median(
    Array.from({ length: rounds }, () => {
      const start = ownCpuTime_ns()
      Directory.open(bytes)
      return (ownCpuTime_ns() - start) / 1e6
    })
  )

const build = async ({ folder, units }: Source, texts: number, rounds: number): Promise<Built> => {
  if (folder !== undefined) {
    const addresses = await readFolder(folder)
    const named = addresses.rows.filter(({ name }) => name !== "")
    const step = Math.max(1, Math.floor(named.length / texts))
    return {
      directory: addresses.directory,
      sample: named.filter((_, index) => index % step === 0),
      build_s: rebuilt_s(addresses, rounds)
    }
  }
  const start = ownCpuTime_ns()
  generateDemo(units)
  const generated_ns = ownCpuTime_ns() - start
  const buildStart = ownCpuTime_ns()
  const directory = buildDemo(units, true)
  return {
    directory,
    sample: sampleDemo(directory, units, texts),
    build_s: (ownCpuTime_ns() - buildStart - generated_ns) / 1e9
  }
}

/** CPU time of building a directory again from its units in memory, the median of some rounds. */
const rebuilt_s = ({ attributesOf, directory }: Addresses, rounds: number): number => {
  const units = Array.from({ length: directory.size }, (_, id) => ({
    postcode: directory.postcodeAt(id),
    coordinate: directory.coordinateAt(id),
    isActive: directory.isActive(id),
    address: attributesOf(id)
  }))
  return median(
    Array.from({ length: rounds }, () => {
      const start = ownCpuTime_ns()
      const builder = new DirectoryBuilder({ capacity: units.length, addresses: true })
      for (const place of directory.places) builder.addPlace(place)
      for (const { address, coordinate, isActive, postcode } of units) {
        builder.addUnit(postcode, coordinate, isActive, address)
      }
      if (!builder.build().ok) throw new Error("two units have one postcode")
      return (ownCpuTime_ns() - start) / 1e9
    })
  )
}

/** Addresses of the demonstration, evenly spread. */
const sampleDemo = (directory: Directory, units: number, texts: number): ReadonlyArray<AddressRow> => {
  const names = new Map(directory.places.map(({ code, name }) => [code as string, name]))
  const attributesOf = demoAttributes()
  const step = Math.max(1, Math.floor(units / texts))
  const rows: Array<AddressRow> = []
  for (const { active, codes, count } of demoUnits({ units })) {
    for (let i = 0; i < count; i += step) {
      if (active[i] !== 1) continue
      const postcode = unpack(codes[i] as number)
      const { locality_name, recent_address } = attributesOf(postcode)
      const lga = names.get(postcode.slice(0, 5)) ?? ""
      const state = names.get(postcode.slice(0, 2)) ?? ""
      rows.push(splitAddress({ postcode, locality_name, recent_address, lga, state }))
    }
  }
  return rows.filter(({ name }) => name !== "")
}
