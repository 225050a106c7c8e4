/** `postcode parse`: uses only the grammar. The directory is opened at the first malformed code, for corrections. */

import { createInterface } from "node:readline"
import { likelyCorrection } from "@postcode/core/Corrections"
import type { Directory } from "@postcode/core/Directory"
import { type LenientResult, parseLenient } from "@postcode/core/ParseLenient"
import { compact, display, type ParseError, type ParseResult, type Postcode, parse } from "@postcode/core/Postcode"
import { type DirectoryFlags, openDirectory } from "@postcode/server/directory/openDirectory"
import { CommandFailure, toFailure } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { printable, say, writeData } from "@postcode/server/process/Output"
import { Effect } from "effect"

/** The number of malformed codes that get a message; the rest are only counted. */
const maxExplained = 20
const flushAt = 1 << 16

interface ParseOptions extends DirectoryFlags {
  readonly codes: ReadonlyArray<string>
  readonly lenient: boolean
  readonly json: boolean
}

/** Prints the canonical format of each code, in order. Malformed codes are reported and make the command fail. */
export const parseCodes = (input: ParseOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data, directory } = input
    const open = yield* Effect.cached(openDirectory({ data, directory, quiet_ms: 5_000, keepsAttributes: false }))
    const openForCorrections = () => Effect.runPromise(Effect.map(open, ({ directory }) => directory))
    let malformed = 0
    const onMalformed = ({ code, did_you_mean, error, where }: Malformed) => {
      malformed++
      if (input.json || malformed > maxExplained + 1) return
      const question = did_you_mean === undefined ? "" : `; did you mean ${did_you_mean}?`
      if (malformed <= maxExplained) say(`${where}${printable(code.slice(0, 60))}: ${error.message}${question}`)
      else say("more malformed codes are only counted")
    }
    const changed = { codes: 0, characters: 0 }
    const onChanged = (characters: number) => {
      changed.codes++
      changed.characters += characters
    }
    const read = input.lenient ? parseLenient : parse
    const parsed = parseAll(input.codes, { read, open: openForCorrections, onChanged, onMalformed })
    const pieces = input.json ? jsonOf(parsed) : linesOf(parsed)
    yield* Effect.tryPromise({ try: () => writeAll(pieces), catch: toFailure })
    if (changed.codes > 0)
      say(`changed ${counted(changed.characters, "character")} in ${counted(changed.codes, "code")}`)
    if (malformed > 0) {
      return yield* Effect.fail(
        new CommandFailure(malformed === 1 ? "1 code is malformed" : `${malformed} codes are malformed`)
      )
    }
  })

const counted = (count: number, noun: string): string => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

interface WellFormed {
  readonly code: string
  readonly postcode: Postcode
  /** The number of look-alikes that were changed; only with `--lenient`. */
  readonly changed: number | undefined
}

interface Malformed {
  readonly code: string
  readonly where: string
  readonly error: ParseError
  readonly did_you_mean: Postcode | undefined
}

type Parsed = WellFormed | Malformed

interface Parsing {
  readonly read: (code: string) => ParseResult | LenientResult
  readonly open: () => Promise<Directory>
  readonly onChanged: (characters: number) => void
  readonly onMalformed: (code: Malformed) => void
}

async function* parseAll(
  codes: ReadonlyArray<string>,
  { onChanged, onMalformed, open, read }: Parsing
): AsyncGenerator<Parsed> {
  for await (const { code, where } of everyCode(codes)) {
    const result = read(code)
    if (result.ok) {
      const changed = "changed" in result ? result.changed : undefined
      if (changed) onChanged(changed)
      yield { code, postcode: result.postcode, changed }
    } else {
      const { error } = result
      const malformed = { code, where, error, did_you_mean: likelyCorrection(await open(), code) }
      onMalformed(malformed)
      yield malformed
    }
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
  for await (const one of parsed) if ("postcode" in one) yield `${one.postcode}\n`
}

/** `{"results": [{"code", "postcode", "display", "compact", "changed"?} | {"code", "error", "did_you_mean"?}, …]}` */
async function* jsonOf(parsed: AsyncIterable<Parsed>) {
  let separator = '{"results":['
  for await (const one of parsed) {
    yield separator + JSON.stringify("postcode" in one ? formats(one) : explanation(one))
    separator = ","
  }
  yield separator === "," ? "]}\n" : '{"results":[]}\n'
}

const formats = ({ changed, code, postcode }: WellFormed) => ({
  code,
  postcode,
  display: display(postcode),
  compact: compact(postcode),
  changed
})

const explanation = ({ code, did_you_mean, error }: Malformed) => {
  const { expected, message, position, segment } = error
  return { code, error: { segment, position, expected, message }, ...(did_you_mean !== undefined && { did_you_mean }) }
}

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
