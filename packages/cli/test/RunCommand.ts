/** Runs the real command in this process, with an environment and streams of its own. */
import { Readable, Writable } from "node:stream"
import { bareEnvironment, type Ended, type RunOptions } from "@postcode/drills/StartCommand"
import { replaceHost } from "@postcode/server/process/Host"
import { exitCodeOf } from "@postcode/server/process/RunMain"
import { Effect, Fiber } from "effect"
import { runPostcode } from "../src/PostcodeCommand.ts"

let lastRun: Promise<unknown> = Promise.resolve()

export interface RunHereOptions extends RunOptions {
  /** Called while the command runs, which then is interrupted as by Ctrl-C. */
  readonly during?: (stderr: () => string) => Promise<void>
  /** Whether standard input and output are a terminal. Standard error then has `[hidden]` and `[shown]` where echoing ends and begins. */
  readonly terminal?: boolean
}

/** Runs the command to its end. Runs that are started together take place one after the other. */
export const run = (args: ReadonlyArray<string>, options: RunHereOptions = {}): Promise<Ended> => {
  const next = lastRun.then(() => runAlone(args, options))
  lastRun = next.catch(() => undefined)
  return next
}

const runAlone = async (
  args: ReadonlyArray<string>,
  { cwd, during, env, stdin = "", terminal = false }: RunHereOptions
): Promise<Ended> => {
  const [stdout, stderr] = [Object.assign(new Captured(), { isTTY: terminal }), new Captured()]
  using _host = replaceHost({
    // Building the console from its sources would take longer than most commands.
    env: { ...bareEnvironment(), POSTCODE_NO_CONSOLE: "true", ...env },
    stdin: Object.assign(Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]), {
      isTTY: terminal,
      setRawMode: (isRaw: boolean) => stderr.write(isRaw ? "[hidden]" : "[shown]")
    }),
    stdout,
    stderr
  })
  using _folder = inFolder(cwd)
  const fiber = Effect.runFork(runPostcode(args))
  const written = () => withoutProgress(stderr.text(), args)
  await during?.(written).finally(() => fiber.interruptUnsafe())
  const exit = await Effect.runPromise(Fiber.await(fiber))
  return { code: exitCodeOf(exit), stdout: stdout.text(), stderr: written() }
}

/** Commands that report the end of each stage, however short it was. */
const stagedCommands = ["import", "snapshot"]

/** Without the lines that only a busy machine makes a command write. */
const withoutProgress = (stderr: string, [command = ""]: ReadonlyArray<string>): string => {
  const moving = stderr.replace(/^.+: [\d,]+ \w[\w ]*, [\d,]+ a second, .*\n/gm, "")
  return stagedCommands.includes(command)
    ? moving
    : moving.replace(/^.+: [\d,]+ \w[\w ]* in .+, [\d,]+ a second\n/gm, "")
}

const inFolder = (cwd: string | undefined): Disposable => {
  const before = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  return { [Symbol.dispose]: () => process.chdir(before) }
}

/** Keeps everything that is written to it. */
class Captured extends Writable {
  private readonly chunks: Array<Buffer> = []

  text(): string {
    return Buffer.concat(this.chunks).toString("utf8")
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk)
    done()
  }
}
