/** `postcode login`, `logout`, `profiles` and `whoami`. */
import { Command } from "effect/cli"
import { insecureHttp, json, profile, url } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageProfiles.ts")
const command = commandsOf(load)

export const login = commandsOf(() => import("./storeCredential.ts"))(
  "login",
  "Check an API key or a management key, and store it with its service as a profile\n" +
    "  The key is read from a hidden prompt on a terminal, and from standard input elsewhere. An API key is for lookup, find,\n" +
    "  enrich and snapshot follow; a management key or the operator token is for management commands. A profile holds one of\n" +
    "  each: log in twice. Only the user can read the file. A profile for another service is replaced.",
  { url, profile, insecureHttp, json },
  ({ storeCredential }) => storeCredential
).pipe(
  Command.withShortDescription("Store an API key or a management key for a service"),
  Command.withExamples([
    { command: "postcode login --url https://postcode.example" },
    { command: "postcode login --url https://postcode.example --profile invoicing < key.txt" }
  ])
)

export const logout = command(
  "logout",
  "Remove a profile from this computer; its keys stay valid",
  { profile },
  ({ logout }) => logout
)

export const profiles = command(
  "profiles",
  "List the profiles on this computer, without their keys and tokens",
  { json },
  ({ listProfiles }) => listProfiles
)

export const whoami = managementCommandsOf(load)(
  "whoami",
  "Show the role and the organization of the token that management commands use",
  {},
  ({ whoAmI }) => whoAmI
)
