import { memberRoles } from "@postcode/gateway/ManagementAccess"
import { Command } from "effect/cli"
import {
  duration,
  list as listOf,
  oneOf,
  optionalFlag,
  requiredFlag,
  requiredText,
  text,
  textArgument
} from "../../Parameters.ts"
import { organizationId, page } from "../CommonFlags.ts"
import { managementCommandsOf, organizationCommandsOf } from "../commandsOf.ts"

const load = () => import("./manageManagementKeys.ts")
const command = managementCommandsOf(load)
const ofOrganization = organizationCommandsOf(load)

const list = ofOrganization(
  "list",
  "List an organization's management keys, newest first",
  { page },
  ({ listManagementKeys }) => listManagementKeys
)

const create = command(
  "create",
  "Create a management key and print it, once",
  {
    id: organizationId,
    name: requiredText("name", "NAME", "What it is for"),
    role: requiredFlag("role", {
      read: oneOf(memberRoles),
      metavar: "ROLE",
      description: `What it may do: ${memberRoles.join(", ")}`
    }),
    allowed_ips: optionalFlag("allowed-ips", {
      read: listOf(text),
      metavar: "LIST",
      description: "IP addresses and ranges that may use it: 203.0.113.7, 2001:db8::/32; default: any"
    }),
    expires_in_ms: optionalFlag("expires-in", {
      read: duration,
      metavar: "TIME",
      description: "How long it is active: 90d, 12h, 30m; default: for ever"
    })
  },
  ({ createManagementKey }) => createManagementKey
).pipe(
  Command.withExamples([
    { command: "postcode management-keys create org_… --name invoicing --role billing" },
    {
      command:
        "postcode management-keys create org_… --name contractor --role developer --expires-in 90d --allowed-ips 203.0.113.7"
    }
  ])
)

const revoke = command(
  "revoke",
  "Revoke a management key immediately",
  { id: textArgument("MANAGEMENT-KEY", "A management key's id: mgk_…") },
  ({ revokeManagementKey }) => revokeManagementKey
)

export const managementKeys = Command.make("management-keys").pipe(
  Command.withDescription("Management keys: an organization's own servers call the management API with them"),
  Command.withSubcommands([list, create, revoke])
)
