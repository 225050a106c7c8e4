/**
 * `postcode end-users import`: checks every row of a file, then sends all end users, some hundred per request. Saving is
 * idempotent, so an interrupted import can be repeated.
 */

import { CommandFailure, toFailure } from "@postcode/server/process/ExitCode"
import { printable, say, standardErrorDrained } from "@postcode/server/process/Output"
import { counted, grouped, makeProgress, type Progress } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { type Call, connect } from "../../management/connect.ts"
import { type ConnectionFlags, resolveConnection } from "../../management/resolveConnection.ts"
import { printRecord } from "../../terminal/Print.ts"
import { inBatches } from "./EndUserBatches.ts"
import type { FoundEndUser } from "./EndUserRows.ts"
import { type ReadEndUsers, readEndUsers } from "./readEndUsers.ts"

/** The file, and the options of the import. */
export interface ImportEndUsers extends ConnectionFlags {
  readonly json: boolean
  /** `-` is standard input. */
  readonly file: string
  /** Of a workbook. */
  readonly sheet: string | undefined
  readonly dryRun: boolean
  readonly skipBadRows: boolean
  /** Where to write line and reason of each. */
  readonly badRows: string | undefined
}

/** Concurrent requests: the next one is encoded while one is answered. */
const concurrency = 4

/** Saves the end users of a file. Tries all of them, then fails if any was not saved. */
export const importEndUsers = (input: ImportEndUsers): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const read = yield* Effect.tryPromise({ try: (signal) => readEndUsers(input, signal), catch: toFailure })
    if (input.dryRun) {
      say("nothing was sent")
      return yield* print(input, read, 0)
    }
    const saved = yield* send(input, read)
    yield* print(input, read, saved)
    const all = read.endUsers.length
    if (saved < all) {
      const count = `${grouped(all - saved)} of ${counted(all, "end user")}`
      return yield* Effect.fail(new CommandFailure(`${count} not saved: see the lines above`))
    }
  })

/** Returns the number of saved end users. */
const send = (input: ImportEndUsers, { endUsers, name }: ReadEndUsers): Effect.Effect<number, CommandFailure> =>
  Effect.suspend(() => {
    const progress = makeProgress({ doing: "saving", what: "end users" })
    let saved = 0
    let done = 0
    let isWaiting = false
    const onWait = (reason: string) => {
      if (!isWaiting) progress.say(`waiting: ${reason}`)
      isWaiting = true
    }
    const sendNext = (call: Call) => (batch: ReadonlyArray<FoundEndUser>) =>
      Effect.map(sendBatch(name, call, batch, progress), (savedOfBatch) => {
        isWaiting = false
        saved += savedOfBatch
        done += batch.length
        progress.update(done, done / endUsers.length)
      })
    const soFar = () =>
      `${grouped(saved)} of ${counted(endUsers.length, "end user")} ${saved === 1 ? "is" : "are"} saved; the same command again saves all`
    const connected = Effect.flatMap(resolveConnection(input), (options) => connect(options, onWait))
    return Effect.flatMap(connected, (call) =>
      Effect.forEach(inBatches(endUsers), sendNext(call), { concurrency, discard: true })
    ).pipe(
      Effect.mapError(
        ({ exitCode, message }) => new CommandFailure(saved === 0 ? message : `${message}; ${soFar()}`, exitCode)
      ),
      Effect.tapError(() => Effect.sync(progress.clear)),
      Effect.onInterrupt(() => Effect.sync(() => progress.say(`interrupted: ${soFar()}`))),
      Effect.map(() => {
        progress.finish(saved)
        return saved
      })
    )
  })

const sendBatch = (
  name: string,
  call: Call,
  batch: ReadonlyArray<FoundEndUser>,
  progress: Progress
): Effect.Effect<number, CommandFailure> =>
  Effect.gen(function* () {
    const { results } = yield* Effect.mapError(
      call("PUT /v1/admin/end-users/batch", {
        body: { end_users: batch.map(({ bookmarks, identifiers }) => ({ identifiers, bookmarks })) }
      }),
      (failure) => atLine(name, batch, failure)
    )
    if (results.length !== batch.length) return yield* Effect.fail(otherVersion)
    let saved = 0
    for (const [i, result] of results.entries()) {
      if (!("error" in result)) saved++
      else progress.say(`${name}:${batch[i]?.line}: ${printable(result.error.message)}`)
    }
    yield* Effect.promise(standardErrorDrained)
    return saved
  })

/** Replaces the index of the end user in an error by its line. */
const atLine = (name: string, batch: ReadonlyArray<FoundEndUser>, failure: CommandFailure): CommandFailure => {
  const [, place, rest] = /^end_users\[(\d+)\]\.?(.*)$/.exec(failure.message) ?? []
  const line = batch[Number(place)]?.line
  return line === undefined ? failure : new CommandFailure(`${name}:${line}: ${rest}`)
}

const otherVersion = new CommandFailure("the service did not return a result for each end user: it has another version")

const print = (input: ImportEndUsers, { badRows, endUsers, excluded }: ReadEndUsers, saved: number) =>
  printRecord(
    input,
    {
      outcome: input.dryRun ? "checked" : "sent",
      end_users: endUsers.length,
      bookmarks: endUsers.reduce((count, { bookmarks }) => count + bookmarks.length, 0),
      bad_rows: badRows,
      left_out: excluded.length,
      saved
    },
    {
      outcome: "outcome",
      "end users": ({ end_users }) => grouped(end_users),
      bookmarks: ({ bookmarks }) => grouped(bookmarks),
      "bad rows": ({ bad_rows }) => grouped(bad_rows),
      "left out": ({ left_out }) => grouped(left_out),
      saved: ({ saved }) => grouped(saved)
    }
  )
