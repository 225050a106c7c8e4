/** A directory's first call after its snapshot was opened, and the slow ones of many: what is only computed when it is asked for shows here. */
import { complete } from "@postcode/core/Autocomplete"
import type { Directory } from "@postcode/core/Directory"
import { segmentNames } from "@postcode/core/Postcode"
import { nearest, within } from "@postcode/core/ReverseGeocoder"
import { openSnapshotFile } from "@postcode/node"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { compared, type Figure } from "../../Bench.ts"

/** Each makes a call about the unit with an id. The input is made beforehand, from another copy of the directory. */
const kinds = {
  "status of a postcode": (from: Directory, id: number) => {
    const postcode = from.postcodeAt(id)
    return (directory: Directory) => directory.status(postcode)
  },
  "nearest within 25 m": (from: Directory, id: number) => {
    const coordinate = from.coordinateAt(id)
    return (directory: Directory) => nearest(directory, coordinate, 25)
  },
  "nearest 10 within 300 m": (from: Directory, id: number) => {
    const coordinate = from.coordinateAt(id)
    return (directory: Directory) => within(directory, coordinate, 300, 10)
  },
  ...Object.fromEntries(
    segmentNames.map((segment, depth) => [
      `completion of ${segment}s`,
      (from: Directory, id: number) => {
        const prefix = from.postcodeAt(id).split("-").slice(0, depth).join("-")
        return (directory: Directory) => complete(directory, prefix, 20)
      }
    ])
  ),
  "completion of names": (from: Directory, id: number) => {
    const { lga_name = "a" } = from.placeNames(from.postcodeAt(id))
    const text = lga_name.slice(0, 3)
    return (directory: Directory) => complete(directory, text, 20)
  }
} satisfies Record<string, (from: Directory, id: number) => (directory: Directory) => unknown>

export type CallKind = keyof typeof kinds
export const callKinds = Object.keys(kinds) as ReadonlyArray<CallKind>

export interface FirstCallsParameter {
  /** The path of the directory's snapshot. */
  readonly path: string
  readonly kind: CallKind
  readonly calls: number
}

export const firstCalls = async (
  { calls, kind, path }: FirstCallsParameter,
  progress: (message: string) => void
): Promise<ReadonlyArray<Figure>> => {
  progress(`first calls: ${kind}`)
  const random = randomNumbers(8)
  const { directory: inputs } = await openSnapshotFile(path)
  const works = Array.from({ length: calls }, () => kinds[kind](inputs, Math.floor(random() * inputs.size)))
  const { directory } = await openSnapshotFile(path)
  const times_us = works.map((work) => {
    const start = process.hrtime.bigint()
    work(directory)
    return Number(process.hrtime.bigint() - start) / 1e3
  })
  const sorted = times_us.toSorted((a, b) => a - b)
  const figure = (name: string, value: number): Figure =>
    compared("less", {
      bench: "directory",
      figure: `${kind}: ${name}`,
      value,
      unit: "µs",
      peer: null,
      peer_value: null
    })
  return [
    figure("the first call", times_us[0] as number),
    figure("99 % within", sorted[Math.ceil(0.99 * calls) - 1] as number),
    figure(`the slowest of ${calls}`, sorted.at(-1) as number)
  ]
}
