/** The two output streams: data goes to standard output, messages to the user go to standard error. */

import { styleText } from "node:util"
import { withoutInvisible } from "@postcode/core/VisibleText"
import { Effect } from "effect"
import { type HostOutput, host } from "./Host.ts"

/** Writes data to standard output and waits for the write. A failure ends the process. */
export const writeData = (data: string | Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    host().stdout.write(data, (error) => {
      if (error === null || error === undefined) resume(Effect.void)
    })
  })

/** Writes a JSON value on one line. */
export const writeJson = (value: unknown): Effect.Effect<void> => writeData(`${JSON.stringify(value)}\n`)

/** Writes a message to the user; never data. */
export const say = (text: string): void => {
  host().stderr.write(`${text}\n`)
}

/** Waits until standard error has drained, so that many messages do not pile up in memory. A signal ends the wait. */
export const standardErrorDrained = async (signal: AbortSignal): Promise<void> => {
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

/**
 * Whether a stream is shown with colours: a terminal that has them, unless `NO_COLOR` is set. `FORCE_COLOR` decides for
 * every stream, and goes before `NO_COLOR`, as in Node: `0` and `false` switch colours off.
 */
export const supportsColours = (stream: HostOutput): boolean => {
  const { FORCE_COLOR, NO_COLOR } = host().env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false"
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false
  return stream.isTTY === true && stream.hasColors?.() === true
}

/** Styles a text for a stream, if it is shown with colours. */
export const style = (format: "bold" | "red", text: string, stream: HostOutput): string =>
  supportsColours(stream) ? styleText(format, text, { validateStream: false }) : text

/** Emphasizes text on standard error, if it is shown with colours. */
export const emphasize = (text: string): string => style("bold", text, host().stderr)

/** Prints an error message. */
export const sayError = (message: string): void => say(`${style("red", "error:", host().stderr)} ${message}`)

/** A reader that closes the pipe early (`| head`) is not a failure. */
export const ignoreClosedPipe = (): void => {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    sayError(`standard output could not be written: ${error.message}`)
    process.exit(1)
  })
  process.stderr.on("error", () => {
    // Standard error is closed; the work continues.
  })
}

/**
 * Replaces control characters in foreign text, which could move the terminal's cursor or change its colours, and removes
 * invisible characters, which could hide or reorder text.
 */
export const printable = (text: string): string => withoutInvisible(text.replace(/\p{Cc}/gu, "\uFFFD"))

/** Whether a text may contain a NIN or an email address. */
export const mentionsIdentifier = (text: string): boolean => redactIdentifiers(text) !== text

/** Quotes an argument in a message, unless it may contain a NIN or an email address. */
export const redactIdentifiers = (text: string): string => text.replace(identifierLike, "[not shown]")

const identifierLike = /[^\s"]*(?:@|(?<!\d)\d{11}(?!\d))[^\s"]*/g
