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
    const report = input.json ? jsonReport() : lineReport()
    yield* Effect.promise(async () => {
      for await (const { code, where } of everyCode(input.codes)) await report.add(code, where, parse(code))
    })
    const malformed = yield* Effect.promise(report.end)
    if (malformed > 0) {
      return yield* Effect.fail(
        new CommandFailure(malformed === 1 ? "1 code is malformed" : `${malformed} codes are malformed`)
      )
    }
  })

interface Report {
  readonly add: (code: string, where: string, result: ParseResult) => Promise<void>
  /** Returns the number of malformed codes. */
  readonly end: () => Promise<number>
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

const lineReport = (): Report => {
  const out = buffered()
  let malformed = 0
  return {
    add: async (code, where, result) => {
      if (result.ok) return out.write(`${result.postcode}\n`)
      malformed++
      if (malformed <= maxExplained) say(`${where}${printable(code.slice(0, 60))}: ${result.error.message}`)
      if (malformed === maxExplained + 1) say("more malformed codes are only counted")
    },
    end: async () => {
      await out.flush()
      return malformed
    }
  }
}

/** `{"results": [{"code", "postcode", "display", "compact"} | {"code", "error"}, …]}`, written as a stream. */
const jsonReport = (): Report => {
  const out = buffered()
  let malformed = 0
  let separator = '{"results":['
  return {
    add: (code, _where, result) => {
      if (!result.ok) malformed++
      const item = result.ok ? renderings(code, result.postcode) : { code, error: explanation(result.error) }
      const text = separator + JSON.stringify(item)
      separator = ","
      return out.write(text)
    },
    end: async () => {
      await out.write(separator === "," ? "]}\n" : '{"results":[]}\n')
      await out.flush()
      return malformed
    }
  }
}

const renderings = (code: string, postcode: Parameters<typeof display>[0]) => ({
  code,
  postcode,
  display: display(postcode),
  compact: compact(postcode)
})

const explanation = ({ expected, message, position, segment }: ParseError) => ({ segment, position, expected, message })

/** Buffers small writes, with backpressure on the input. */
const buffered = () => {
  let text = ""
  const flush = async () => {
    const full = text
    text = ""
    if (full !== "") await Effect.runPromise(writeData(full))
  }
  const write = async (piece: string) => {
    text += piece
    if (text.length >= flushAt) await flush()
  }
  return { write, flush }
}
