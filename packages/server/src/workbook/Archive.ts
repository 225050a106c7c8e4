/** The parts of a workbook, which is a zip archive. What a part may hold is bounded, since a small archive may unpack to terabytes. */
import type { Readable } from "node:stream"
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl"
import { CommandFailure } from "../process/ExitCode.ts"

/** More parts than a workbook of any spreadsheet program has. */
const maxParts = 20_000

export class Archive implements AsyncDisposable {
  private readonly zip: ZipFile
  private readonly entries: ReadonlyMap<string, Entry>

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.zip = zip
    this.entries = entries
  }

  /**
   * @param source a path, or the bytes
   * @throws CommandFailure if the archive is damaged
   */
  static async open(source: string | Buffer): Promise<Archive> {
    const options = { autoClose: false }
    const zip = await reading(() =>
      typeof source === "string" ? openPromise(source, options) : fromBufferPromise(source, options)
    )
    const entries = new Map<string, Entry>()
    try {
      await reading(async () => {
        for await (const entry of zip.eachEntry()) {
          if (entries.size === maxParts) throw new CommandFailure("it is an archive of too many files")
          entries.set(entry.fileName.toLowerCase(), entry)
        }
      })
    } catch (error) {
      zip.close()
      throw error
    }
    return new Archive(zip, entries)
  }

  /** Paths are compared without case: some programs write `xl/SharedStrings.xml`. */
  has(path: string): boolean {
    return this.entries.has(path.toLowerCase())
  }

  /** The number of bytes that a part has, as the archive states. */
  sizeOf(path: string): number {
    return this.entries.get(path.toLowerCase())?.uncompressedSize ?? 0
  }

  /**
   * The bytes of a part, chunk by chunk.
   *
   * @throws CommandFailure if the part is missing, damaged or longer
   */
  async *read(path: string, max_bytes: number): AsyncGenerator<Buffer> {
    const entry = this.entries.get(path.toLowerCase())
    if (entry === undefined) throw damaged(`it has no ${path}`)
    if (entry.isEncrypted()) throw new CommandFailure("the workbook has a password: save it without one")
    if (entry.uncompressedSize > max_bytes) throw tooLarge(path, max_bytes)
    const stream: Readable = await reading(() => this.zip.openReadStreamPromise(entry))
    const chunks = stream[Symbol.asyncIterator]()
    let size = 0
    try {
      for (;;) {
        const next = await reading(() => chunks.next())
        if (next.done === true) return
        size += next.value.length
        if (size > max_bytes) throw tooLarge(path, max_bytes)
        yield next.value
      }
    } finally {
      stream.destroy()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.zip.close()
  }
}

const tooLarge = (path: string, max_bytes: number): CommandFailure =>
  new CommandFailure(
    `the workbook's part ${path} unpacks to more than ${max_bytes >> 20} MiB: save the sheet as CSV UTF-8`
  )

/** The failure of a workbook that no spreadsheet program writes. */
export const damaged = (why: string): CommandFailure =>
  new CommandFailure(`the workbook is damaged: ${why}; open it in a spreadsheet program and save it again`)

const reading = async <A>(read: () => Promise<A>): Promise<A> => {
  try {
    return await read()
  } catch (error) {
    const isOfSystem = typeof (error as NodeJS.ErrnoException).errno === "number" && !isOfZlib(error)
    throw error instanceof CommandFailure || isOfSystem ? error : damaged(short((error as Error).message))
  }
}

const isOfZlib = (error: unknown): boolean => String((error as NodeJS.ErrnoException).code).startsWith("Z_")

/** Without what follows in parentheses or quotes, which may be bytes of the file. */
const short = (message: string): string => (message.split(/[.:("]/)[0] as string).trim().slice(0, 80).toLowerCase()
