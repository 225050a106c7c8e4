/** `postcode login`, `logout`, `profiles` and `whoami`. */
import { Command } from "effect/cli"
import { booleanFlag } from "../../Parameters.ts"
import { consoleUrl, insecureHttp, json, profile, url } from "../CommonFlags.ts"
import { commandsOf, managementCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageProfiles.ts")
const command = commandsOf(load)

export const login = commandsOf(() => import("./storeCredential.ts"))(
  "login",
  "Get a management key for this computer, or store a key that you have, as a profile\n" +
    "  On a terminal, it opens the console. Once you agree there, this computer has a management key with your role in your\n" +
    "  organization, for 90 days. With --with-key it prompts for a key that you have, without showing it; elsewhere than on\n" +
    "  a terminal it reads the key from standard input. An API key is for lookup, find, enrich and snapshot follow; a\n" +
    "  management key or the operator token is for management commands. A profile holds one of each: log in twice. Only the\n" +
    "  user can read the file. A profile for another service is replaced.",
  {
    url,
    profile,
    insecureHttp,
    json,
    withKey: booleanFlag("with-key", "Prompt for an API key, a management key or the operator token"),
    publicUrl: consoleUrl
  },
  ({ storeCredential }) => storeCredential
).pipe(
  Command.withShortDescription("Get a management key for this computer, or store a key that you have"),
  Command.withExamples([
    { command: "postcode login --url https://postcode.example" },
    { command: "postcode login --url https://postcode.example --profile invoicing < key.txt" }
  ])
)

export const logout = command(
  "logout",
  "Remove a profile from this computer, and revoke the management key that postcode login got for it\n" +
    "  Keys that you stored yourself stay valid.",
  { profile, keepKey: booleanFlag("keep-key", "Revoke nothing, such as if the service is gone") },
  ({ logout }) => logout
).pipe(Command.withShortDescription("Remove a profile from this computer, and revoke its own management key"))

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
