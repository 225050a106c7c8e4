/** Help and version of the command, and one clear line for wrong usage. */

import { helpHint } from "@postcode/server/process/CommandName"
import { type HostOutput, host } from "@postcode/server/process/Host"
import {
  mentionsIdentifier,
  printable,
  redactIdentifiers,
  say,
  sayError,
  supportsColours,
  writeData
} from "@postcode/server/process/Output"
import { Effect, Option } from "effect"
import { type CliError, CliOutput, Completions, Flag, GlobalFlag, type HelpDoc } from "effect/cli"

/** Requested help goes to standard output; all other help, and every error, to standard error. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    switch (event._tag) {
      case "Version":
        return writeData(`${event.name} ${event.version}\n`)
      case "Help":
        return event.reason === "Requested"
          ? writeData(`${renderHelp(event.helpDoc, host().stdout)}\n`)
          : Effect.sync(() => say(renderHelp(event.helpDoc, host().stderr)))
      case "InvalidInvocation": {
        const command = event.commandPath.join(" ")
        return Effect.sync(() => {
          sayError(redactIdentifiers(printable(describe(event.errors[0], command))))
          say(helpHint(...event.commandPath.slice(1)))
        })
      }
    }
  }
}

const renderHelp = (doc: HelpDoc.HelpDoc, stream: HostOutput): string =>
  CliOutput.defaultFormatter({ colors: supportsColours(stream), globalFlags: "none" }).formatHelpDoc({
    ...doc,
    args: (doc.args ?? []).map((arg) => ({ ...arg, type: "" })),
    flags: doc.flags.map(withoutSwitchValue)
  })

/** Boolean flags show no value. */
const withoutSwitchValue = (flag: HelpDoc.FlagDoc): HelpDoc.FlagDoc =>
  flag.type === "[=boolean]" ? { ...flag, type: "boolean" } : flag

/** effect's own flag writes past `Host`, and names every shell twice in the help. */
export const completions = GlobalFlag.Action({
  flag: GlobalFlag.Completions.flag.pipe(Flag.withMetavar("SHELL"), Flag.withDescription("Print a completion script")),
  run: (shell, { command }) =>
    Option.isNone(shell)
      ? Effect.void
      : writeData(`${Completions.generate(command.name, shell.value, Completions.fromCommand(command))}\n`)
})

const describe = (error: CliError.CliError | undefined, command: string): string => {
  switch (error?._tag) {
    case "UnrecognizedOption":
      return `${command} has no flag ${error.option}${suggestion(error.suggestions)}`
    case "UnknownSubcommand":
      if (mentionsIdentifier(error.subcommand)) return identifierShown
      return `${command} has no command ${error.subcommand}${suggestion(error.suggestions)}`
    case "MissingOption":
      return `--${error.option} is missing`
    case "MissingArgument":
      return `${error.argument} is missing`
    case "UnexpectedArgument":
      if (error.arguments.some(mentionsIdentifier)) return identifierShown
      if (command === "postcode login") return tokenShown
      return `${command} takes no further argument: ${error.arguments[0]}`
    case "InvalidValue":
      return error.value === ""
        ? `--${error.option} needs a value`
        : `--${error.option}: expected ${error.expected}, not ${error.value}`
    default:
      return error?.message ?? "this is not how the command is used"
  }
}

/** The argument is not repeated, because it may be the key. */
const tokenShown = "postcode login takes no argument: it reads the key from standard input or from a hidden prompt"

const identifierShown =
  "a NIN or email address is never given on the command line, where others can see it: it is read from standard input"

const suggestion = (suggestions: ReadonlyArray<string>): string =>
  suggestions.length === 0 ? "" : `: did you mean ${suggestions.join(" or ")}?`
