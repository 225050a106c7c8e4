/**
 * `postcode end-users import`: goes through the file twice. First every row is checked; then all end users are sent, some
 * hundred in a request. To save one again changes nothing, so whatever ends an import, the same command goes on.
 */
import { stat } from "node:fs/promises"
import { Effect, Stream } from "effect"
import { reportBadRows } from "../directory/BadRowReport.ts"
import { CommandFailure, exitCodes } from "../ExitCode.ts"
import { type ConnectionOptions, type ManagementApi, manage } from "../management/ManagementApi.ts"
import { patient } from "../management/PatientClient.ts"
import { printable, say, writeData, writeJson } from "../Output.ts"
import { grouped, makeProgress, type Progress } from "../Progress.ts"
import { record } from "../Table.ts"
import { untilSettled } from "../UntilSettled.ts"
import { inBatches } from "./EndUserBatches.ts"
import type { FoundEndUser } from "./EndUserRows.ts"
import { readEndUsers } from "./readEndUsers.ts"

export interface ImportEndUsers extends ConnectionOptions {
  readonly file: string
  readonly dryRun: boolean
  readonly skipBadRows: boolean
  readonly json: boolean
}

/** What the file holds. */
interface Checked {
  readonly endUsers: number
  readonly bookmarks: number
  readonly badRows: number
}

/** How many requests are under way at once: while one is answered, the next is read and decoded. */
const concurrency = 4

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
  const progress = makeProgress({ doing: `checking ${file}`, what: "rows" })
  const report = reportBadRows({ file: { name: file } }, progress, Number.POSITIVE_INFINITY)
  const counts = { endUsers: 0, bookmarks: 0, badRows: 0 }
  let rows = 0
  const onBadRow = (line: number, reason: string) => {
    counts.badRows++
    report.add("file", line, reason)
  }
  const onProgress = (read: number, share: number) => {
    rows = read
    progress.update(read, share)
  }
  try {
    for await (const endUsers of readEndUsers({ file, onBadRow, onProgress })) {
      signal.throwIfAborted()
      counts.endUsers += endUsers.length
      for (const { bookmarks } of endUsers) counts.bookmarks += bookmarks.length
    }
  } finally {
    progress.clear()
  }
  progress.finish(rows)
  if (counts.badRows > 0 && !skipBadRows) throw new CommandFailure(`${file} was not imported: ${report.summary()}`)
  if (counts.badRows > 0) say(`${report.summary()} left out`)
  return counts
}

/** What can be read once only cannot be checked before it is sent. */
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
    const sending = manage(
      input,
      (api) =>
        Stream.fromAsyncIterable(inBatches(endUsersOf(input, checked)), unreadable).pipe(
          Stream.mapEffect((batch) => sendBatch(input.file, api, batch, progress, onBatch), { concurrency }),
          Stream.runDrain
        ),
      patient(onWait)
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

/** What became of the file meanwhile is no fault of the service. */
const unreadable = (error: unknown): CommandFailure =>
  error instanceof CommandFailure ? error : new CommandFailure(error instanceof Error ? error.message : String(error))

/** The end users of the file, once more: what was a bad row before is left out again. */
const endUsersOf = ({ file }: ImportEndUsers, { badRows }: Checked) => {
  let found = 0
  const onBadRow = () => {
    if (++found > badRows) throw new CommandFailure("it has changed since it was checked")
  }
  return readEndUsers({ file, onBadRow })
}

const sendBatch = (
  file: string,
  api: ManagementApi,
  batch: ReadonlyArray<FoundEndUser>,
  progress: Progress,
  onBatch: (saved: number, refused: number) => void
): Effect.Effect<void, unknown> =>
  Effect.map(
    api.saveEndUsers({
      payload: { end_users: batch.map(({ bookmarks, identifiers }) => ({ identifiers, bookmarks })) }
    }),
    ({ data: { results } }) => {
      let refused = 0
      for (const [i, result] of results.entries()) {
        if (!("error" in result)) continue
        refused++
        progress.say(`${file}:${batch[i]?.line}: ${printable(result.error.message)}`)
      }
      onBatch(results.length - refused, refused)
    }
  )

const print = ({ dryRun, json }: ImportEndUsers, { badRows, bookmarks, endUsers }: Checked, saved: number) => {
  const summary = {
    outcome: dryRun ? "checked" : "sent",
    end_users: endUsers,
    bookmarks,
    bad_rows: badRows,
    saved
  }
  if (json) return writeJson(summary)
  return writeData(
    record([
      ["outcome", summary.outcome],
      ["end users", grouped(endUsers)],
      ["bookmarks", grouped(bookmarks)],
      ["bad rows", grouped(badRows)],
      ["saved", grouped(saved)]
    ])
  )
}
