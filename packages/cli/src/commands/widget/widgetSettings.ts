import { Command } from "effect/cli"
import { oneOf, optionalFlag } from "../../Parameters.ts"
import { organizationId } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./manageWidget.ts"))

const onOff = (name: string, description: string) =>
  optionalFlag(name, { read: oneOf(["on", "off"]), metavar: "on|off", description })

export const widgetSettings = command(
  "widget",
  "Show or change what an organization's widget sessions may do with bookmarks",
  {
    id: organizationId,
    own_bookmarks: onOff("own-bookmarks", "Whether end users with a proof may save bookmarks; off by default"),
    bookmarks_without_proof: onOff(
      "bookmarks-without-proof",
      "Whether sessions without a proof show bookmarks; on by default"
    )
  },
  ({ changeWidget }) => changeWidget
).pipe(Command.withExamples([{ command: "postcode orgs widget org_… --own-bookmarks on" }]))

export const proofKey = command(
  "proof-key",
  "Create the key with which an organization's server vouches for end users, and print it, once",
  { id: organizationId },
  ({ createProofKey }) => createProofKey
)
