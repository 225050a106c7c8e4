/** Commands: their flags, and the work that is imported when they run. */
import type { Effect } from "effect"
import { Command } from "effect/cli"
import type { CommandFailure } from "../ExitCode.ts"
import { lazily } from "../Lazy.ts"
import type { ManagementOptions } from "../management/connect.ts"
import { connection, json } from "./CommonFlags.ts"

type ValuesOf<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/**
 * Makes the commands of a module.
 *
 * @param load imports the module
 */
export const commandsOf =
  <Module>(load: () => Promise<Module>) =>
  <const Name extends string, const Flags extends Command.Command.Config>(
    name: Name,
    description: string,
    flags: Flags,
    workOf: (module: Module) => (input: ValuesOf<Flags>) => Effect.Effect<void, CommandFailure>
  ) =>
    Command.make(name, flags, (input) => lazily(load, (module) => workOf(module)(input))).pipe(
      Command.withDescription(description)
    )

/** What a management command does with the values of its flags. */
export type Work<Input> = (input: Input, options: ManagementOptions) => Effect.Effect<void, CommandFailure>

/** The id in a path. */
export interface Id {
  readonly id: string
}

/** Makes the management commands of a module. Each has the flags of the connection and `--json` after its own. */
export const managementCommandsOf = <Module>(load: () => Promise<Module>) => {
  const command = commandsOf(load)
  return <const Name extends string, const Flags extends Command.Command.Config>(
    name: Name,
    description: string,
    flags: Flags,
    workOf: (module: Module) => Work<ValuesOf<Flags>>
  ) =>
    command(
      name,
      description,
      { input: flags, options: { ...connection, json } },
      (module) => (values) => workOf(module)(values.input as ValuesOf<Flags>, values.options)
    )
}
