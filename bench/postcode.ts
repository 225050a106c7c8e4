/**
 * Checking and parsing postcodes, compared with npm's `postcode` for the United Kingdom: equal mixes of inputs in each
 * grammar. Also the size of both in a web page.
 */
import * as ours from "@postcode/core/Postcode"
import * as peer from "postcode"
import peerPackage from "postcode/package.json" with { type: "json" }
import { randomNumbers } from "../test/RandomNumbers.ts"
import type { Bench, Figure } from "./Bench.ts"
import { compared } from "./Bench.ts"
import { medians, type Work } from "./measure.ts"
import { bundle } from "./size/bundle.ts"

const peerName = `postcode ${peerPackage.version}`
const inputCount = 4_096
const plan = { rounds: 400, warm_up_rounds: 100 }

export const postcode: Bench = async function* ({ progress }) {
  for (const [mix, validShare] of [
    ["half valid", 0.5],
    ["all valid", 1],
    ["none valid", 0]
  ] as const) {
    progress(`checking and parsing, ${mix}`)
    yield* timed(mix, validShare)
  }
  for (const [what, names] of [
    ["isValid", "{ isValid }"],
    ["isValid and parse", "{ isValid, parse }"],
    ["everything", "*"]
  ] as const) {
    progress(`bundling ${what}`)
    yield compared("less", {
      bench: "postcode",
      figure: `bundle of ${what}, gzipped`,
      value: (await bundle(`export ${names} from "@postcode/core/Postcode"`)).gzip_bytes,
      unit: "bytes",
      peer: peerName,
      peer_value: (await bundle(`export ${names} from "postcode"`)).gzip_bytes
    })
  }
}

/** Loops are not shared, so that each function is compiled separately, as in a program that uses only one. */
function* timed(mix: string, validShare: number): Generator<Figure> {
  const ourInputs = inputs(1, validShare, ourPostcode)
  const peerInputs = inputs(1, validShare, peerPostcode)
  const works: ReadonlyArray<Work> = [
    () => {
      let valid = 0
      for (const input of ourInputs) if (ours.isValid(input)) valid++
      return valid
    },
    () => {
      let valid = 0
      for (const input of peerInputs) if (peer.isValid(input)) valid++
      return valid
    },
    () => {
      let valid = 0
      for (const input of ourInputs) if (ours.parse(input).ok) valid++
      return valid
    },
    () => {
      let valid = 0
      for (const input of peerInputs) if (peer.parse(input).valid) valid++
      return valid
    }
  ]
  for (const [index, work] of works.entries()) {
    const valid = work()
    if (valid !== validShare * inputCount) throw new Error(`work ${index} took ${valid} inputs, not the valid ones`)
  }
  const [isValid = 0, peerIsValid = 0, parse = 0, peerParse = 0] = medians(works, plan).map((ns) => ns / inputCount)
  const common = { bench: "postcode", unit: "ns", peer: peerName }
  yield compared("less", { ...common, figure: `isValid, ${mix}`, value: isValid, peer_value: peerIsValid })
  yield compared("less", { ...common, figure: `parse, ${mix}`, value: parse, peer_value: peerParse })
}

type Pick = <A>(choices: ArrayLike<A>) => A

/** Inputs in a reproducible random order, with a given fraction of valid ones. */
function inputs(seed: number, validShare: number, make: (pick: Pick) => string): ReadonlyArray<string> {
  const random = randomNumbers(seed)
  const pick: Pick = (choices) => choices[Math.floor(random() * choices.length)] as (typeof choices)[number]
  const list = Array.from({ length: inputCount }, (_, index) =>
    index < validShare * inputCount ? make(pick) : damage(make(pick), pick)
  )
  const shuffled = list.map((input) => [random(), input] as const).sort(([a], [b]) => a - b)
  // Copied through bytes, so that no string is a slice of another.
  return shuffled.map(([, input]) => Buffer.from(input).toString())
}

function ourPostcode(pick: Pick): string {
  const code = fill("LL-DD-XXX-LL-DD", pick)
  return pick([code, code.toLowerCase(), code.replaceAll("-", " "), code.replaceAll("-", "")])
}

function peerPostcode(pick: Pick): string {
  const outward = fill(pick(["LLDL", "LDL", "LD", "LDD", "LLD", "LLDD"]), pick)
  const inward = fill("DLL", pick)
  const code = `${outward} ${inward}`
  return pick([code, code.toLowerCase(), `${outward}  ${inward}`, outward + inward])
}

/** Introduces a typical typing error; the same for both grammars. */
function damage(code: string, pick: Pick): string {
  const at = pick(Array.from(code, (_, index) => index))
  return pick([
    `${code.slice(0, at)}?${code.slice(at + 1)}`,
    code.slice(0, -1),
    `${code}0A`,
    pick(["", "Lagos", "nonsense", "12 Allen Avenue, Ikeja"])
  ])
}

function fill(shape: string, pick: Pick): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  const digits = "0123456789"
  return shape.replaceAll(/[LDX]/g, (kind) => pick(kind === "L" ? letters : kind === "D" ? digits : letters + digits))
}
