/** `postcode login`, `logout`, `profiles` and `whoami`. */
import { Command } from "effect/cli"
import { json, profile, url } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageProfiles.ts")
const command = commandsOf(load)

export const login = command(
  "login",
  "Check a token and store it as a profile for management commands\n" +
    "  The token, a management key or the operator token, is read from standard input, or from a hidden prompt on a\n" +
    "  terminal. Only the user can read the file that holds it. A profile of the same name is replaced.",
  { url, profile, json },
  ({ login }) => login
).pipe(
  Command.withShortDescription("Check a token and store it as a profile for management commands"),
  Command.withExamples([
    { command: "postcode login --url https://postcode.example" },
    { command: "postcode login --url https://postcode.example --profile invoicing < key.txt" }
  ])
)

export const logout = command(
  "logout",
  "Remove a profile from this computer; its token stays valid",
  { profile },
  ({ logout }) => logout
)

export const profiles = command(
  "profiles",
  "List the profiles on this computer, without their tokens",
  { json },
  ({ listProfiles }) => listProfiles
)

export const whoami = managementCommandsOf(load)(
  "whoami",
  "Show the role and the organization of the token that management commands use",
  {},
  ({ whoAmI }) => whoAmI
)
