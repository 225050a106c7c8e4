/**
 * An output file that a `kill -9` at any time neither loses nor doubles a row of.
 *
 * Beside it is a progress file: one line about the job, then one line for each confirmed part of the output. A part is
 * written and flushed to disk before its line is. So the output never holds less than what is confirmed, and what it
 * holds beyond that is cut off when the job is resumed.
 */
import { constants } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { CommandFailure } from "@postcode/server/process/ExitCode"

/** What identifies a job: the same job continues the output. Values of JSON. */
export type Job = Readonly<Record<string, boolean | number | string | null>>

interface OutputOptions {
  readonly path: string
  /** The name of the input in messages. */
  readonly input: string
  /** `sha256` is that of the input. */
  readonly job: Job & { readonly sha256: string }
}

/** @template State what is known after each confirmed part, as JSON */
export class ResumableOutput<State extends object> implements AsyncDisposable {
  /** After the last confirmed part; undefined if there is none. */
  state: State | undefined
  private readonly path: string
  private readonly output: FileHandle
  private readonly progress: FileHandle
  /** The confirmed lengths. */
  private bytes: number
  private progressBytes: number

  private constructor(path: string, files: Files, { bytes, end, state }: Confirmed<State>) {
    this.path = path
    this.output = files.output
    this.progress = files.progress
    this.bytes = bytes
    this.progressBytes = end
    this.state = state
  }

  /**
   * Opens the output of a job: a new one, or the one that was begun. What is not confirmed is cut off.
   *
   * @throws CommandFailure if the input has changed since, or the output is of another job
   */
  static async open<State extends object>({ input, job, path }: OutputOptions): Promise<ResumableOutput<State>> {
    const progressPath = `${path}.progress`
    const begun = await readProgress<State>(progressPath)
    if (begun === undefined) return await ResumableOutput.begin(path, progressPath, job)
    requireSameJob(begun.job, job, { input, path, progressPath })
    const files = { output: await openOutput(path, begun.confirmed.bytes), progress: await open(progressPath, "r+") }
    const resumed = new ResumableOutput(path, files, begun.confirmed)
    await files.output.truncate(begun.confirmed.bytes)
    await files.progress.truncate(begun.confirmed.end)
    await Promise.all([files.output.sync(), files.progress.sync()])
    return resumed
  }

  private static async begin<State extends object>(
    path: string,
    progressPath: string,
    job: Job
  ): Promise<ResumableOutput<State>> {
    if ((await stat(path).catch(() => undefined)) !== undefined) {
      throw new CommandFailure(`${path} exists, and has no progress file to resume from: choose another --output`)
    }
    const progress = await open(progressPath, "w")
    const line = Buffer.from(`${JSON.stringify(job)}\n`)
    await writeAll(progress, line, 0)
    await progress.sync()
    const output = await open(path, "wx")
    await flushFolder(path)
    return new ResumableOutput<State>(path, { output, progress }, { bytes: 0, end: line.length, state: undefined })
  }

  /** Writes the next part and confirms it. After a failure, the part is not confirmed. */
  async confirm(part: Buffer, state: State): Promise<void> {
    const { size } = await this.output.stat()
    if (size !== this.bytes)
      throw new CommandFailure(`${this.path} is changed by another program: wait until it has ended`)
    await writeAll(this.output, part, this.bytes)
    await this.output.datasync()
    const bytes = this.bytes + part.length
    const line = Buffer.from(`${JSON.stringify({ ...state, bytes })}\n`)
    await writeAll(this.progress, line, this.progressBytes)
    await this.progress.datasync()
    this.bytes = bytes
    this.progressBytes += line.length
    this.state = state
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.output.close(), this.progress.close()])
  }
}

interface Files {
  readonly output: FileHandle
  readonly progress: FileHandle
}

/** What the last complete line of a progress file says. */
interface Confirmed<State> {
  /** The length of the output. */
  readonly bytes: number
  /** The end of the line in the progress file. */
  readonly end: number
  readonly state: State | undefined
}

interface Begun<State extends object> {
  readonly job: Job
  readonly confirmed: Confirmed<State>
}

/** A line is shorter than this. */
const maxLine_bytes = 16_384

/** Undefined if there is no progress file, or only the start of its first line. */
const readProgress = async <State extends object>(path: string): Promise<Begun<State> | undefined> => {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const head = await readAt(file, 0, Math.min(size, maxLine_bytes))
    const headEnd = head.indexOf(lineFeed) + 1
    if (headEnd === 0 && size < maxLine_bytes) return undefined
    const job = parsed<Job>(head.subarray(0, headEnd))
    if (job?.sha256 === undefined) {
      throw new CommandFailure(`${path} is no progress file of this command: choose another --output`)
    }
    const from = Math.max(headEnd, size - 2 * maxLine_bytes)
    const tail = await readAt(file, from, size - from)
    return { job, confirmed: lastConfirmed<State>(tail, from) ?? { bytes: 0, end: headEnd, state: undefined } }
  } finally {
    await file.close()
  }
}

const lastConfirmed = <State extends object>(tail: Buffer, from: number): Confirmed<State> | undefined => {
  for (let end = tail.lastIndexOf(lineFeed); end >= 0; ) {
    const start = end === 0 ? -1 : tail.lastIndexOf(lineFeed, end - 1)
    const { bytes, ...state } = parsed<Readonly<Record<string, unknown>>>(tail.subarray(start + 1, end)) ?? {}
    if (typeof bytes === "number") return { bytes, end: from + end + 1, state: state as State }
    end = start
  }
  return undefined
}

const parsed = <A>(line: Buffer): A | undefined => {
  try {
    return JSON.parse(line.toString("utf8"))
  } catch {
    return undefined
  }
}

const lineFeed = 0x0a

interface Names {
  readonly input: string
  readonly path: string
  readonly progressPath: string
}

const requireSameJob = (begun: Job, job: Job, { input, path, progressPath }: Names): void => {
  const startAnew = `or remove ${path} and ${progressPath} to start again`
  if (begun.sha256 !== job.sha256) {
    throw new CommandFailure(`${input} has changed since ${path} was begun: restore it, ${startAnew}`)
  }
  const other = Object.keys(job).filter((name) => begun[name] !== job[name])
  if (other.length === 0) return
  const used = other.map((name) => `${name} ${begun[name] === null ? "not given" : JSON.stringify(begun[name])}`)
  throw new CommandFailure(`${path} was begun with other options (${used.join(", ")}): repeat them, ${startAnew}`)
}

/** The output may be missing only if nothing of it is confirmed. */
const openOutput = async (path: string, bytes: number): Promise<FileHandle> => {
  const flags = bytes === 0 ? constants.O_RDWR | constants.O_CREAT : constants.O_RDWR
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? shorter(path) : error
  })
  const { size } = await file.stat()
  if (size >= bytes) return file
  await file.close()
  throw shorter(path)
}

const shorter = (path: string): CommandFailure =>
  new CommandFailure(
    `${path} is shorter than its progress file records, or missing: restore it, or remove ${path}.progress to start again`
  )

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}

const writeAll = async (file: FileHandle, data: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < data.length; ) {
    const { bytesWritten } = await file.write(data, written, data.length - written, position + written)
    written += bytesWritten
  }
}

/** Makes new names in a folder durable, where the system can. */
const flushFolder = async (path: string): Promise<void> => {
  try {
    await using folder = await open(dirname(path))
    await folder.sync()
  } catch {
    // Windows cannot open a folder.
  }
}
