/** Commands: their flags, and the work that is imported when they run. */

import type { CommandFailure } from "@postcode/server/process/ExitCode"
import { lazily } from "@postcode/server/process/Lazy"
import { Effect } from "effect"
import { Command, type Flag } from "effect/cli"
import type { ManagementOptions } from "../management/connect.ts"
import type { ConnectionFlags } from "../management/resolveConnection.ts"
import { connection, json, ownOrganizationId } from "./CommonFlags.ts"

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
      (module) =>
        ({ input, options }) =>
          connected(options, () => (resolved) => workOf(module)(input as ValuesOf<Flags>, resolved))
    )
}

/**
 * The same for commands on one organization, whose id may be left out with a credential of that organization.
 *
 * @param printed the flag of the format; none for commands that write files
 */
export const organizationCommandsOf = <Module>(
  load: () => Promise<Module>,
  printed: { readonly json?: Flag.Flag<boolean> } = { json }
) => {
  const command = commandsOf(load)
  return <const Name extends string, const Flags extends Command.Command.Config>(
    name: Name,
    description: string,
    flags: Flags,
    workOf: (module: Module) => Work<Id & ValuesOf<Flags>>
  ) =>
    command(
      name,
      description,
      { organization: ownOrganizationId, input: flags, options: { ...connection, ...printed } },
      (module) =>
        ({ input, options, organization }) =>
          connected(
            { json: false, ...options },
            ({ ownOrganization }) =>
              (resolved) =>
                Effect.flatMap(ownOrganization(resolved, organization), (id) =>
                  workOf(module)({ ...(input as object), id } as Id & ValuesOf<Flags>, resolved)
                )
          )
    )
}

type Connecting = typeof import("../management/resolveConnection.ts")

/** Runs work with the service and the credential that the flags stand for. */
const connected = (
  { json, ...flags }: ConnectionFlags & { readonly json: boolean },
  work: (module: Connecting) => (options: ManagementOptions) => Effect.Effect<void, CommandFailure>
): Effect.Effect<void, CommandFailure> =>
  lazily(
    () => import("../management/resolveConnection.ts"),
    (module) => Effect.flatMap(module.resolveConnection(flags), (options) => work(module)({ ...options, json }))
  )
