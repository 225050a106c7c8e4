/** The whole command: every part of it by name, and what all parts have in common. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { access } from "./commands/access.ts"
import { audit } from "./commands/audit.ts"
import { complete } from "./commands/complete.ts"
import { credits } from "./commands/credits.ts"
import { demo } from "./commands/demo.ts"
import { directory } from "./commands/directory.ts"
import { endUsers } from "./commands/end-users.ts"
import { importCommand } from "./commands/import.ts"
import { invitations } from "./commands/invitations.ts"
import { keys } from "./commands/keys.ts"
import { kyb } from "./commands/kyb.ts"
import { members } from "./commands/members.ts"
import { nearby } from "./commands/nearby.ts"
import { operators } from "./commands/operators.ts"
import { orgs } from "./commands/orgs.ts"
import { parse } from "./commands/parse.ts"
import { reverse } from "./commands/reverse.ts"
import { serve } from "./commands/serve.ts"
import { snapshot } from "./commands/snapshot.ts"
import { validate } from "./commands/validate.ts"
import { webhooks } from "./commands/webhooks.ts"
import { type CommandError, reportFailure } from "./RunMain.ts"
import { presenter } from "./Usage.ts"
import { version } from "./Version.ts"

/** The tree of commands. */
export const postcode = Command.make("postcode").pipe(
  Command.withDescription(
    "The national postcode gateway.\n" +
      "  Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage,\n" +
      "  4 not allowed, 5 not enough credits, 130 interrupted."
  ),
  Command.withSubcommands([
    { group: "The service", commands: [serve, importCommand, demo, snapshot] },
    { group: "Offline", commands: [parse, complete, reverse, nearby, validate] },
    {
      group: "Management of a running service",
      commands: [
        orgs,
        kyb,
        access,
        keys,
        credits,
        webhooks,
        members,
        operators,
        invitations,
        endUsers,
        audit,
        directory
      ]
    }
  ])
)

/** Runs the command with these arguments in the current host. A failure is already reported when it arrives. */
export const runPostcode = (args: ReadonlyArray<string>): Effect.Effect<void, CommandError> =>
  Command.runWith(postcode, { version })(args).pipe(Effect.tapCause(reportFailure), Effect.provide(commandServices))

const commandServices = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] })
)
