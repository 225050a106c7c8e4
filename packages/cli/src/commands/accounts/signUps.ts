import { Command } from "effect/cli"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageAccounts.ts"))

const show = command(
  "show",
  "Show the sign-up mode, and whether sign-ups are stopped",
  {},
  ({ showSignUps }) => showSignUps
)

const stop = command(
  "stop",
  "Stop sign-ups at once, on all replicas; links that were sent stay valid",
  {},
  ({ stopSignUps }) => stopSignUps(true)
)

const resume = command("resume", "Take sign-ups again", {}, ({ stopSignUps }) => stopSignUps(false))

export const signUps = Command.make("sign-ups").pipe(
  Command.withDescription("Accounts and organizations that strangers open, as the setting --sign-up allows"),
  Command.withSubcommands([show, stop, resume])
)
