/**
 * Reads NINs and email addresses from a file or standard input, never from the command line. No message repeats one.
 */
import { isUtf8 } from "node:buffer"
import { readFile } from "node:fs/promises"
import { normalizeIdentifier } from "@postcode/gateway/widget/endUsers/EndUserIdentifier"
import { missingFile } from "@postcode/server/directory/missingFile"
import { CommandFailure, failUsage, messageOf } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { say } from "@postcode/server/process/Output"
import { Effect, Redacted, Result } from "effect"
import { type ConnectionOptions, readStandardInput } from "../../management/connect.ts"

/** The source of the identifiers. */
export interface IdentifierOptions extends ConnectionOptions {
  /** The file; `-` is standard input. */
  readonly identifiers: string
}

/** Reads at least one identifier. */
export const readIdentifiers = (input: IdentifierOptions): Effect.Effect<ReadonlyArray<string>, CommandFailure> =>
  Effect.gen(function* () {
    const name = input.identifiers === "-" ? "standard input" : input.identifiers
    const bytes = yield* readBytes(input)
    // Invalid bytes would all decode to U+FFFD, and different identifiers to the same one.
    if (!isUtf8(bytes)) return yield* failUsage(`${name} is not UTF-8: save it as UTF-8, or set the terminal to that`)
    const texts = bytes
      .toString("utf8")
      .split(/\s+/)
      .filter((text) => text !== "")
    if (texts.length === 0) {
      return yield* failUsage(`${name} holds no identifier: expected an 11-digit NIN or an email address`)
    }
    for (const [i, text] of texts.entries()) {
      const read = normalizeIdentifier(Redacted.make(text), `${name}, identifier ${i + 1}`)
      if (Result.isFailure(read)) return yield* failUsage(read.failure.message)
    }
    return texts
  })

/** Reads exactly one identifier. */
export const readIdentifier = (input: IdentifierOptions): Effect.Effect<string, CommandFailure> =>
  Effect.flatMap(readIdentifiers(input), ([first = "", ...more]) =>
    more.length === 0
      ? Effect.succeed(first)
      : failUsage(`expected one identifier, found ${more.length + 1}: any one of a person's is enough`)
  )

const readBytes = ({ identifiers, tokenStdin }: IdentifierOptions): Effect.Effect<Buffer, CommandFailure> => {
  if (identifiers !== "-") {
    return Effect.tryPromise({
      try: () => readFile(identifiers),
      catch: (error) =>
        (error as NodeJS.ErrnoException).code === "ENOENT"
          ? missingFile(identifiers)
          : new CommandFailure(`${identifiers} could not be read: ${messageOf(error)}`)
    })
  }
  if (tokenStdin) {
    return failUsage("standard input holds the token: name a file with the identifiers by --identifiers FILE")
  }
  if (host().stdin.isTTY) say("identifiers, with spaces or line ends between several; Ctrl-D ends them:")
  return Effect.promise(readStandardInput)
}
