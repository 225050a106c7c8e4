/** The root command, its subcommands, and their common behaviour. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { type CommandError, reportFailure } from "@postcode/server/process/RunMain"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { invitations } from "./commands/accounts/invitations.ts"
import { login, logout, profiles, whoami } from "./commands/accounts/login.ts"
import { managementKeys } from "./commands/accounts/management-keys.ts"
import { members } from "./commands/accounts/members.ts"
import { operators } from "./commands/accounts/operators.ts"
import { signUps } from "./commands/accounts/signUps.ts"
import { audit } from "./commands/audit/audit.ts"
import { credits } from "./commands/credits/credits.ts"
import { backup, restore } from "./commands/data/backup.ts"
import { demo } from "./commands/directory/demo.ts"
import { directory } from "./commands/directory/directory.ts"
import { importCommand } from "./commands/directory/import.ts"
import { snapshot } from "./commands/directory/snapshot/snapshot.ts"
import { keys } from "./commands/keys/keys.ts"
import { ledger } from "./commands/ledger/ledger.ts"
import { enrich } from "./commands/lookup/enrich.ts"
import { lookup } from "./commands/lookup/lookup.ts"
import { notices } from "./commands/notices/notices.ts"
import { access } from "./commands/organizations/access.ts"
import { kyb } from "./commands/organizations/kyb.ts"
import { orgs } from "./commands/organizations/orgs.ts"
import { parse } from "./commands/postcode/parse.ts"
import { validate } from "./commands/postcode/validate.ts"
import { find } from "./commands/search/find.ts"
import { complete, nearby, reverse } from "./commands/search/offlineSearch.ts"
import { serve } from "./commands/serve.ts"
import { openCommand, status } from "./commands/status/status.ts"
import { units } from "./commands/units/units.ts"
import { webhooks } from "./commands/webhooks/webhooks.ts"
import { endUsers } from "./commands/widget/end-users.ts"
import { mcp } from "./mcp/mcp.ts"
import { completions, presenter } from "./Usage.ts"
import { version } from "./Version.ts"

/** The command tree. */
export const postcode = Command.make("postcode").pipe(
  Command.withDescription(
    "The national postcode gateway.\n" +
      "  Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage,\n" +
      "  4 not allowed, 5 not enough credits, 130 interrupted."
  ),
  Command.withSubcommands([
    { group: "The service", commands: [serve, importCommand, backup, restore, ledger, demo, snapshot] },
    { group: "Offline", commands: [parse, complete, find, reverse, nearby, validate] },
    { group: "With a service", commands: [status, openCommand, lookup, enrich] },
    { group: "AI agents", commands: [mcp] },
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
        signUps,
        managementKeys,
        endUsers,
        audit,
        notices,
        directory,
        units
      ]
    },
    { group: "Keys on this computer", commands: [login, logout, profiles, whoami] }
  ])
)

/** Runs the command in the current host. A failure has already been reported when it is returned. */
export const runPostcode = (args: ReadonlyArray<string>): Effect.Effect<void, CommandError> =>
  Command.runWith(postcode, { version })(args).pipe(Effect.tapCause(reportFailure), Effect.provide(commandServices))

const commandServices = Layer.mergeAll(
  NodeServices.layer,
  CliOutput.layerPresenter(presenter),
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, completions] })
)
