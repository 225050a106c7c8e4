/** Accounts of end users: their bookmarks, and the keyed hashes of the identifiers that lead to them. */
import { runAll } from "./Statements.ts"

/** An end user belongs to no organization. `json` keeps a text as it was written, whatever characters it holds. */
export const createEndUsers = runAll(
  `CREATE TABLE postcode.end_users (
    id text PRIMARY KEY,
    bookmarks json NOT NULL
  )`,
  `CREATE TABLE postcode.end_user_identifiers (
    hash text COLLATE "C" PRIMARY KEY,
    end_user_id text NOT NULL REFERENCES postcode.end_users
  )`,
  "CREATE INDEX end_user_identifiers_end_user ON postcode.end_user_identifiers (end_user_id)"
)
