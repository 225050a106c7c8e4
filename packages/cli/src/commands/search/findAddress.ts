/** `postcode find`: address search on a local directory, or by a service. `--json` prints the API's `data`. */
import { type AddressAnswer, type AddressCandidate, searchAddress } from "@postcode/core/AddressSearch"
import { type DirectoryFlags, openDirectory } from "@postcode/server/directory/openDirectory"
import { type CommandFailure, failUsage } from "@postcode/server/process/ExitCode"
import { say, writeData, writeJson } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { clientWithKey, type KeyFlags, resolveKey } from "../../management/apiKey.ts"
import { failureOf } from "../../management/connect.ts"
import { recordText, tableText } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"

/** The text, and where to search. */
export interface FindOptions extends KeyFlags, DirectoryFlags {
  readonly text: string
  /** Maximum number of candidates. */
  readonly limit: number
  readonly json: boolean
}

/** Prints the answer and its candidates. */
export const findAddress = (options: FindOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const isRemote = options.url !== undefined || options.profile !== undefined
    const answer = yield* isRemote ? searchByService(options) : searchOffline(options)
    if (options.json) return yield* writeJson(answer)
    const { code, message } = answer
    const candidates = answer.candidates.filter(({ probability }) => probability >= leastShown)
    if (code === null) say(message)
    else yield* writeData(recordText(fields, answer))
    if (candidates.some((candidate) => candidate.code !== code)) {
      yield* writeData(`${code === null ? "" : "\n"}${tableText(columns, candidates)}`)
    }
  })

/** Less is shown as 0.00. */
const leastShown = 0.005

const searchOffline = ({ data, directory, limit, text }: FindOptions): Effect.Effect<AddressAnswer, CommandFailure> =>
  openDirectory({ data, directory, quiet_ms: 1_000, keepsAttributes: false, addresses: true }).pipe(
    Effect.map(({ directory }) => searchAddress(directory, text, { limit }))
  )

const searchByService = ({
  directory,
  limit,
  text,
  ...flags
}: FindOptions): Effect.Effect<AddressAnswer, CommandFailure> =>
  Effect.gen(function* () {
    if (directory !== undefined) {
      const named = flags.url === undefined ? "--profile" : "--url"
      return yield* failUsage(`choose ${named} or --directory`)
    }
    const connection = yield* resolveKey(flags)
    const { data } = yield* Effect.tryPromise({
      try: (signal) => clientWithKey(connection).findAddress({ q: text, limit }, { signal }),
      catch: (error) => failureOf(error, connection)
    })
    return data
  })

const fields: View<AddressAnswer> = {
  code: "code",
  label: "label",
  precision: "precision",
  confidence: "confidence",
  action: "action",
  name: ({ understood }) => understood.name,
  locality: ({ understood }) => understood.locality,
  LGA: ({ understood }) => understood.lga,
  state: ({ understood }) => understood.state,
  relation: ({ understood }) => understood.relation,
  subpremise: ({ understood }) => understood.subpremise,
  ignored: ({ understood }) => understood.ignored.map(({ text }) => text).join(", "),
  unmatched: ({ understood }) => understood.unmatched.join(", "),
  message: "message"
}

const columns: View<AddressCandidate> = {
  CODE: "code",
  PRECISION: "precision",
  PROBABILITY: { right: ({ probability }) => probability.toFixed(2) },
  LABEL: "label"
}
