/**
 * `postcode end-users import`: the first pass checks every row, the second sends all end users, some hundred per
 * request. Saving is idempotent, so an interrupted import can be repeated.
 *
 * If bad rows are to be skipped, a pass in between finds the end users to exclude.
 */
import { stat } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { reportBadRows } from "../../directory/BadRowReport.ts"
import { CommandFailure, exitCodes, toFailure } from "../../ExitCode.ts"
import { type Call, type ConnectionOptions, connect } from "../../management/connect.ts"
import { printable, say, standardErrorDrained, writeData, writeJson } from "../../Output.ts"
import { grouped, makeProgress, type Progress } from "../../Progress.ts"
import { record } from "../../Table.ts"
import { untilSettled } from "../../UntilSettled.ts"
import { CheckedBlocks } from "./CheckedBlocks.ts"
import { inBatches } from "./EndUserBatches.ts"
import type { FoundEndUser } from "./EndUserRows.ts"
import { type ReadEndUsers, readEndUsers } from "./readEndUsers.ts"
import { SeenIdentifiers } from "./SeenIdentifiers.ts"

/** The file, and the options of the import. */
export interface ImportEndUsers extends ConnectionOptions {
  readonly file: string
  readonly dryRun: boolean
  readonly skipBadRows: boolean
  readonly json: boolean
}

/** The result of the first pass. */
interface Checked {
  /** Without the excluded end users. */
  readonly endUsers: number
  readonly bookmarks: number
  readonly badRows: number
  /** End users excluded because of bad rows. */
  readonly leftOut: number
  readonly again: Pick<ReadEndUsers, "blocks" | "inDoubt">
}

/** Concurrent requests: the next one is read and decoded while one is answered. */
const concurrency = 4

/** Saves the end users of a file. Tries all of them, then fails if any was not saved. */
export const importEndUsers = (input: ImportEndUsers): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const checked = yield* untilSettled((signal) => check(input, signal))
    if (input.dryRun) {
      say("nothing was sent")
      return yield* print(input, checked, 0)
    }
    const sent = yield* send(input, checked)
    yield* print(input, checked, sent.saved)
    if (sent.refused > 0) {
      const count = `${grouped(sent.refused)} of ${grouped(checked.endUsers)} end users`
      return yield* Effect.fail(new CommandFailure(`${count} not saved: see the lines above`))
    }
  })

const check = async (input: ImportEndUsers, signal: AbortSignal): Promise<Checked> => {
  const { file, skipBadRows } = input
  await refuseStream(file)
  const again = { blocks: new CheckedBlocks(), inDoubt: new SeenIdentifiers() }
  const progress = makeProgress({ doing: `checking ${file}`, what: "rows" })
  const report = reportBadRows({ file: { name: file } }, progress, Number.POSITIVE_INFINITY)
  let badRows = 0
  let rows = 0
  const onBadRow = (line: number, reason: string) => {
    badRows++
    report.add("file", line, reason)
  }
  const onProgress = (read: number, share: number) => {
    rows = read
    progress.update(read, share)
  }
  try {
    const counts = await countEndUsers({ file, ...again, onBadRow, onProgress, onExcluded: ignore }, signal)
    progress.finish(rows)
    if (badRows === 0) {
      if (counts.endUsers === 0) say(`${file} names the columns, and no end user`)
      return { ...counts, badRows, leftOut: 0, again }
    }
    if (!skipBadRows) throw new CommandFailure(`${file} was not imported: ${report.summary()}`)
    let leftOut = 0
    const onExcluded = (line: number) => {
      leftOut++
      progress.say(`${file}:${line}: the end user is left out: a bad row is theirs, or may be`)
    }
    const kept = await countEndUsers({ file, ...again, onBadRow: ignore, onExcluded }, signal)
    const endUsers = leftOut === 1 ? "1 end user" : `${grouped(leftOut)} end users`
    say(`${report.summary()} left out${leftOut === 0 ? "" : `, and with them ${endUsers}`}`)
    return { ...kept, badRows, leftOut, again }
  } finally {
    progress.clear()
  }
}

const ignore = () => {}

const countEndUsers = async (options: ReadEndUsers, signal: AbortSignal) => {
  const counts = { endUsers: 0, bookmarks: 0 }
  for await (const endUsers of readEndUsers(options)) {
    await standardErrorDrained(signal)
    signal.throwIfAborted()
    counts.endUsers += endUsers.length
    for (const { bookmarks } of endUsers) counts.bookmarks += bookmarks.length
  }
  return counts
}

/** Input that can be read only once cannot be checked before it is sent. */
const refuseStream = async (file: string): Promise<void> => {
  const stats = file === "-" ? undefined : await stat(file).catch(() => undefined)
  const isStream = stats !== undefined && !stats.isFile() && !stats.isDirectory()
  if (file !== "-" && !isStream) return
  throw new CommandFailure(
    "an import goes through its file twice, to check it and to send it: expected a file, not a stream",
    exitCodes.wrongUsage
  )
}

interface Sent {
  saved: number
  refused: number
}

const send = (input: ImportEndUsers, checked: Checked): Effect.Effect<Sent, CommandFailure> =>
  Effect.suspend(() => {
    const progress = makeProgress({ doing: "saving", what: "end users" })
    const sent: Sent = { saved: 0, refused: 0 }
    let isWaiting = false
    const onWait = (reason: string) => {
      if (!isWaiting) progress.say(`waiting: ${reason}`)
      isWaiting = true
    }
    const onBatch = (saved: number, refused: number) => {
      isWaiting = false
      sent.saved += saved
      sent.refused += refused
      const done = sent.saved + sent.refused
      progress.update(done, done / checked.endUsers)
    }
    const endUsers = readEndUsers({ file: input.file, ...checked.again, onBadRow: ignore, onExcluded: ignore })
    const sending = Effect.flatMap(connect(input, onWait), (call) =>
      // A change of the file is not the service's failure.
      Stream.fromAsyncIterable(inBatches(endUsers), toFailure).pipe(
        Stream.mapEffect((batch) => sendBatch(input.file, call, batch, progress, onBatch), { concurrency }),
        Stream.runDrain,
        Effect.andThen(
          Effect.suspend(() =>
            sent.saved + sent.refused === checked.endUsers ? Effect.void : Effect.fail(otherFile(input.file))
          )
        )
      )
    )
    const soFar = () =>
      `${grouped(sent.saved)} of ${grouped(checked.endUsers)} end users are saved; the same command again saves all`
    return sending.pipe(
      Effect.mapError(
        ({ exitCode, message }) => new CommandFailure(sent.saved === 0 ? message : `${message}; ${soFar()}`, exitCode)
      ),
      Effect.tapError(() => Effect.sync(progress.clear)),
      Effect.onInterrupt(() => Effect.sync(() => progress.say(`interrupted: ${soFar()}`))),
      Effect.andThen(
        Effect.sync(() => {
          progress.finish(sent.saved)
          return sent
        })
      )
    )
  })

const otherFile = (file: string) => new CommandFailure(`${file}: it has changed since it was checked`)

const sendBatch = (
  file: string,
  call: Call,
  batch: ReadonlyArray<FoundEndUser>,
  progress: Progress,
  onBatch: (saved: number, refused: number) => void
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { results } = yield* Effect.mapError(
      call("PUT /v1/admin/end-users/batch", {
        body: { end_users: batch.map(({ bookmarks, identifiers }) => ({ identifiers, bookmarks })) }
      }),
      (failure) => atLine(file, batch, failure)
    )
    if (results.length !== batch.length) return yield* Effect.fail(otherVersion)
    let refused = 0
    for (const [i, result] of results.entries()) {
      if (!("error" in result)) continue
      refused++
      progress.say(`${file}:${batch[i]?.line}: ${printable(result.error.message)}`)
    }
    onBatch(results.length - refused, refused)
    yield* Effect.promise(standardErrorDrained)
  })

/** Replaces the index of the end user in an error by its line. */
const atLine = (file: string, batch: ReadonlyArray<FoundEndUser>, failure: CommandFailure): CommandFailure => {
  const [, place, rest] = /^end_users\[(\d+)\]\.?(.*)$/.exec(failure.message) ?? []
  const line = batch[Number(place)]?.line
  return line === undefined ? failure : new CommandFailure(`${file}:${line}: ${rest}`)
}

const otherVersion = new CommandFailure("the service did not answer for each end user: it is not of this version")

const print = ({ dryRun, json }: ImportEndUsers, { badRows, bookmarks, endUsers, leftOut }: Checked, saved: number) => {
  const summary = {
    outcome: dryRun ? "checked" : "sent",
    end_users: endUsers,
    bookmarks,
    bad_rows: badRows,
    left_out: leftOut,
    saved
  }
  if (json) return writeJson(summary)
  return writeData(
    record([
      ["outcome", summary.outcome],
      ["end users", grouped(endUsers)],
      ["bookmarks", grouped(bookmarks)],
      ["bad rows", grouped(badRows)],
      ["left out", grouped(leftOut)],
      ["saved", grouped(saved)]
    ])
  )
}
