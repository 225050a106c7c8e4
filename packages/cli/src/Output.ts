/**
 * The two streams. Standard output carries data and nothing else; whatever is said to the person who is waiting for it
 * goes to standard error.
 */

import { styleText } from "node:util"
import { Effect } from "effect"
import { type HostOutput, host } from "./Host.ts"

/** Writes data to standard output, and waits until it is on its way. A failure ends the process: see below. */
export const writeData = (data: string | Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    host().stdout.write(data, (error) => {
      if (error === null || error === undefined) resume(Effect.void)
    })
  })

/** One JSON value on one line. */
export const writeJson = (value: unknown): Effect.Effect<void> => writeData(`${JSON.stringify(value)}\n`)

/** Says something to the person; never data. */
export const say = (text: string): void => {
  host().stderr.write(`${text}\n`)
}

/**
 * Waits until whoever reads standard error has taken what was said, so that much that is said fast is not all in memory.
 * A signal ends the wait.
 */
export const untilHeard = async (signal: AbortSignal): Promise<void> => {
  const { stderr } = host()
  if (!stderr.writableNeedDrain || signal.aborted) return
  await new Promise<void>((resolve) => {
    const proceed = () => {
      signal.removeEventListener("abort", proceed)
      resolve()
    }
    signal.addEventListener("abort", proceed)
    stderr.write("", proceed)
  })
}

/** Whether a stream shows colours: a terminal that can, whose user has not set `NO_COLOR`. */
export const showsColours = (stream: HostOutput): boolean => stream.isTTY === true && stream.hasColors?.() === true

/** Text that stands out on standard error, where that shows colours. */
export const emphasize = (text: string): string => (showsColours(host().stderr) ? styleText("bold", text) : text)

/** Whoever reads may stop before the end (`| head`): that is no failure, and not worth a word. */
export const endQuietlyWithoutReader = (): void => {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    say(`error: standard output could not be written: ${error.message}`)
    process.exit(1)
  })
  process.stderr.on("error", () => {
    // No one listens to the messages; the work goes on.
  })
}

/** Text of others, safe to show on a terminal: control characters could move its cursor or change its colours. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, "\uFFFD")

/** Whether a text holds what may be a NIN or an email address. */
export const mentionsIdentifier = (text: string): boolean => withoutIdentifiers(text) !== text

/** What a command was given, safe to be repeated: a word that may be or hold a NIN or an email address is not shown. */
export const withoutIdentifiers = (text: string): string => text.replace(maybeIdentifier, "[not shown]")

const maybeIdentifier = /[^\s"]*(?:@|(?<!\d)\d{11}(?!\d))[^\s"]*/g
