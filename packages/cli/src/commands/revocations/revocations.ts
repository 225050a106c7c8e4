/** `postcode revocations`: keys that were revoked after the moment to which a database is restored. */
import { Command } from "effect/cli"
import { textArgument } from "../../Parameters.ts"
import { data, databaseUrl, json, postgresBin } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./keepRevocations.ts"))
const flags = {
  file: textArgument("FILE", "Revoked keys, one a line in JSON, without secrets"),
  databaseUrl,
  data,
  postgresBin,
  json
}

const save = command(
  "save",
  "Add the revoked keys of the database to a file\n" +
    "  Run it each minute, and keep the file apart from the database. postcode archive does so each 10 s, as revocations.jsonl.",
  flags,
  ({ save }) => save
).pipe(Command.withShortDescription("Add the revoked keys of the database to a file"))

const replay = command(
  "replay",
  "Revoke the keys in a file again, after a restore to an earlier time\n" +
    "  Run it before the service starts. All of them are revoked, or none. Keys that are revoked already do not change.",
  flags,
  ({ replay }) => replay
).pipe(Command.withShortDescription("Revoke the keys in a file again"))

export const revocations = Command.make("revocations").pipe(
  Command.withDescription("Revoke keys again that a restored database has as valid"),
  Command.withSubcommands([save, replay])
)
