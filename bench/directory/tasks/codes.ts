/** Membership and completion of postcodes, compared with sets and binary search. */
import { complete } from "@postcode/core/Autocomplete"
import type { Directory } from "@postcode/core/Directory"
import { compact, display, type Postcode, parse, segmentNames } from "@postcode/core/Postcode"
import { openSnapshotFile } from "@postcode/node"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { compared, type Figure } from "../../Bench.ts"
import { medians, type Work } from "../../measure.ts"
import { activePackedCodesOf, completeByBinarySearch, hasPackedCode, packedCodesOf } from "../peers/PackedCodes.ts"

export interface CodesParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  readonly inputs: number
  readonly rounds: number
}

/** The strings of a large set take a gigabyte and more. */
export const membershipFlags: ReadonlyArray<string> = ["--max-old-space-size=4096"]

export const membership = async (
  parameter: CodesParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { inputs, path, rounds } = parameter
  const { directory } = await openSnapshotFile(path)
  const random = randomNumbers(6)
  const existing = Math.ceil(inputs / 2)
  const drawn = Array.from({ length: inputs }, (_, at) =>
    at % 2 === 0 ? anyPostcode(directory, random) : absentPostcode(directory, random)
  )
  const mixed = drawn.map((postcode) => rendered(postcode, random))
  const plan = { rounds, warm_up_rounds: 2 }
  const common = { bench: "directory", unit: "ns" }
  const time = (works: ReadonlyArray<Work>): ReadonlyArray<number> => {
    for (const work of works) if (work() !== existing) throw new Error(`${work()} of ${inputs} found, not ${existing}`)
    return medians(works, plan).map((ns) => ns / inputs)
  }
  progress("membership: packing the same postcodes")
  const codes = packedCodesOf(directory)
  progress("membership: any format, beside binary search")
  const [any = 0, bySearch = 0] = time([countMembers(directory, mixed), countByBinarySearch(codes, mixed)])
  const search = compared("less", {
    ...common,
    figure: "membership from a string, any format",
    value: any,
    peer: "parse, then binary search of packed codes",
    peer_value: bySearch
  })
  return [search, besideSet(directory, drawn.map(flat), time, progress)]
}

/** The maximum size of a `Set`. */
const maxSetSize = 16_777_216

const besideSet = (
  directory: Directory,
  inputs: ReadonlyArray<Postcode>,
  time: (works: ReadonlyArray<Work>) => ReadonlyArray<number>,
  progress: (message: string) => void
): Figure => {
  const size = Math.min(directory.size, maxSetSize)
  const common = {
    bench: "directory",
    figure: "membership from a string, canonical",
    unit: "ns",
    peer: "Set of strings"
  }
  if (size < directory.size) {
    progress(`membership: skipped for size: a Set holds ${maxSetSize} entries at most, and there are ${directory.size}`)
    const [value = 0] = time([countFound(directory, inputs)])
    return compared("less", { ...common, value, peer_value: null })
  }
  progress("membership: canonical, beside a Set of the same strings")
  const set = new Set<string>()
  for (let id = 0; id < size; id++) set.add(directory.postcodeAt(id))
  const [value = 0, peer_value = 0] = time([countFound(directory, inputs), countInSet(set, inputs)])
  return compared("less", { ...common, value, peer_value })
}

const countMembers =
  (directory: Directory, inputs: ReadonlyArray<string>): Work =>
  () => {
    let found = 0
    for (const input of inputs) {
      const status = directory.statusOf(input)
      if (status === "active" || status === "retired") found++
    }
    return found
  }

const countFound =
  (directory: Directory, inputs: ReadonlyArray<Postcode>): Work =>
  () => {
    let found = 0
    for (const input of inputs) if (directory.find(input) >= 0) found++
    return found
  }

const countByBinarySearch =
  (codes: Float64Array, inputs: ReadonlyArray<string>): Work =>
  () => {
    let found = 0
    for (const input of inputs) {
      const parsed = parse(input)
      if (parsed.ok && hasPackedCode(codes, parsed.postcode)) found++
    }
    return found
  }

const countInSet =
  (set: ReadonlySet<string>, inputs: ReadonlyArray<string>): Work =>
  () => {
    let found = 0
    for (const input of inputs) if (set.has(input)) found++
    return found
  }

export const completion = async (
  parameter: CodesParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  const { inputs, path, rounds } = parameter
  const { directory } = await openSnapshotFile(path)
  const codes = activePackedCodesOf(directory)
  const random = randomNumbers(7)
  return segmentNames.map((segment, depth) => {
    progress(`completion: of ${segment}s, beside binary search`)
    const texts = flattened(
      Array.from({ length: inputs }, () => typedPrefix(anyActive(directory, random), depth, random))
    )
    for (const text of texts) checkCompletion(directory, codes, text)
    const works = [countSuggestions(directory, texts), countByBinarySearches(codes, texts)]
    const [value = 0, peer_value = 0] = medians(works, { rounds, warm_up_rounds: 2 }).map((ns) => ns / inputs)
    const peer = "binary search of packed codes"
    return compared("less", {
      bench: "directory",
      figure: `completion of ${segment}s`,
      value,
      unit: "ns",
      peer,
      peer_value
    })
  })
}

/** As many as the service suggests unless told otherwise. */
const limit = 20

const countSuggestions =
  (directory: Directory, texts: ReadonlyArray<string>): Work =>
  () => {
    let suggestions = 0
    for (const text of texts) suggestions += complete(directory, text, limit).suggestions.length
    return suggestions
  }

const countByBinarySearches =
  (codes: Float64Array, texts: ReadonlyArray<string>): Work =>
  () => {
    let suggestions = 0
    for (const text of texts) suggestions += completeByBinarySearch(codes, text, limit).length
    return suggestions
  }

/** Ours suggests the same codes as the peer, followed by names. */
const checkCompletion = (directory: Directory, codes: Float64Array, text: string): void => {
  const ours = complete(directory, text, limit).suggestions.map(({ code }) => code)
  const peers = completeByBinarySearch(codes, text, limit)
  if (peers.length === 0 || peers.some((code, at) => code !== ours[at])) {
    throw new Error(`completion of "${text}": ${ours.join()} beside ${peers.join()}`)
  }
}

/** A prefix for completion: all previous segments, and half the time the first character of the next one. */
const typedPrefix = (postcode: Postcode, depth: number, random: () => number): string =>
  postcode.slice(0, (segmentStarts[depth] as number) + (random() < 0.5 ? 1 : 0))

const segmentStarts = [0, 3, 6, 10, 13] as const

const anyPostcode = (directory: Directory, random: () => number): Postcode =>
  directory.postcodeAt(Math.floor(random() * directory.size))

const anyActive = (directory: Directory, random: () => number): Postcode => {
  for (;;) {
    const postcode = anyPostcode(directory, random)
    if (directory.status(postcode) === "active") return postcode
  }
}

/** A postcode without a unit, half of the time in an area that has some. */
const absentPostcode = (directory: Directory, random: () => number): Postcode => {
  for (;;) {
    const near = anyPostcode(directory, random)
    const kept = near.slice(0, random() < 0.5 ? 13 : 10)
    const postcode = (kept + anyPostcode(directory, random).slice(kept.length)) as Postcode
    if (directory.find(postcode) < 0) return postcode
  }
}

/** In a random format. */
const rendered = (postcode: Postcode, random: () => number): string => {
  const renderings = [postcode, display(postcode), compact(postcode), postcode.toLowerCase(), ` ${postcode} `]
  return flat(renderings[Math.floor(random() * renderings.length)] as string)
}

const flattened = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.map(flat)

/** Copied through bytes, so that no string is a slice of another. */
const flat = <Text extends string>(text: Text): Text => Buffer.from(text).toString() as Text
