/** `postcode parse`: uses only the grammar. */

import { createInterface } from "node:readline"
import { compact, display, type ParseError, type ParseResult, parse } from "@postcode/core/Postcode"
import { Effect } from "effect"
import { CommandFailure } from "../../ExitCode.ts"
import { host } from "../../Host.ts"
import { printable, say, writeData } from "../../Output.ts"

/** The number of malformed codes that get a message; the rest are only counted. */
const maxExplained = 20
const flushAt = 1 << 16

/** Prints the canonical format of each code, in order. Malformed codes are reported and make the command fail. */
export const parseCodes = (input: {
  readonly codes: ReadonlyArray<string>
  readonly json: boolean
}): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    let malformed = 0
    const onMalformed = (where: string, code: string, { message }: ParseError) => {
      malformed++
      if (input.json || malformed > maxExplained + 1) return
      if (malformed <= maxExplained) say(`${where}${printable(code.slice(0, 60))}: ${message}`)
      else say("more malformed codes are only counted")
    }
    const parsed = parseAll(input.codes, onMalformed)
    yield* Effect.promise(() => writeAll(input.json ? jsonOf(parsed) : linesOf(parsed)))
    if (malformed > 0) {
      return yield* Effect.fail(
        new CommandFailure(malformed === 1 ? "1 code is malformed" : `${malformed} codes are malformed`)
      )
    }
  })

interface Parsed {
  readonly code: string
  readonly result: ParseResult
}

async function* parseAll(
  codes: ReadonlyArray<string>,
  onMalformed: (where: string, code: string, error: ParseError) => void
): AsyncGenerator<Parsed> {
  for await (const { code, where } of everyCode(codes)) {
    const result = parse(code)
    if (!result.ok) onMalformed(where, code, result.error)
    yield { code, result }
  }
}

/** The given codes; a dash is replaced by the non-blank lines of standard input. */
async function* everyCode(codes: ReadonlyArray<string>) {
  for (const code of codes) {
    if (code !== "-") yield { code, where: "" }
    else {
      let line = 0
      for await (const text of createInterface({ input: host().stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
        line++
        if (text.trim() !== "") yield { code: text, where: `line ${line}: ` }
      }
    }
  }
}

async function* linesOf(parsed: AsyncIterable<Parsed>) {
  for await (const { result } of parsed) if (result.ok) yield `${result.postcode}\n`
}

/** `{"results": [{"code", "postcode", "display", "compact"} | {"code", "error"}, …]}` */
async function* jsonOf(parsed: AsyncIterable<Parsed>) {
  let separator = '{"results":['
  for await (const { code, result } of parsed) {
    yield separator +
      JSON.stringify(result.ok ? renderings(code, result.postcode) : { code, error: explanation(result.error) })
    separator = ","
  }
  yield separator === "," ? "]}\n" : '{"results":[]}\n'
}

const renderings = (code: string, postcode: Parameters<typeof display>[0]) => ({
  code,
  postcode,
  display: display(postcode),
  compact: compact(postcode)
})

const explanation = ({ expected, message, position, segment }: ParseError) => ({ segment, position, expected, message })

/** Writes small pieces together, with backpressure on the input. */
const writeAll = async (pieces: AsyncIterable<string>): Promise<void> => {
  let text = ""
  for await (const piece of pieces) {
    text += piece
    if (text.length < flushAt) continue
    await Effect.runPromise(writeData(text))
    text = ""
  }
  if (text !== "") await Effect.runPromise(writeData(text))
}
