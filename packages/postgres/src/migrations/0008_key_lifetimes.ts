/**
 * Keys that end, keys that replace each other, and what a key may charge a day; entries that say which key was charged for
 * which level, and accounts that run low. The day is the database's, in UTC: the one on which the entries of the ledger
 * are made.
 */
import { runAll } from "./Statements.ts"

/** Columns that may be empty need no table to be written anew. */
const addKeyColumns = `ALTER TABLE postcode.api_keys
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN daily_credit_limit integer CHECK (daily_credit_limit > 0),
  ADD COLUMN replaces text,
  ADD COLUMN replaced_by text`

/** What a key with a daily limit has charged on a day. Half of a page stays free, so that it changes in place. */
const createKeyDays = `CREATE TABLE postcode.key_days (
  organization_id text NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  charged bigint NOT NULL CHECK (charged > 0),
  PRIMARY KEY (organization_id, key_id, day)
) WITH (fillfactor = 50)`

/** What an entry says of the request that it is of. A reference is looked for by its hash, which is short and of one size. */
const addEntryColumns = [
  'ALTER TABLE postcode.ledger_entries ADD COLUMN key_id text COLLATE "C", ADD COLUMN level smallint',
  `CREATE INDEX ledger_entries_reference ON postcode.ledger_entries
    (hashtextextended(reference, hashtextextended(organization_id, 0)))`
]

/** Below its threshold a balance is low. */
const addThreshold = `ALTER TABLE postcode.credit_accounts
  ADD COLUMN low_balance_threshold bigint CHECK (low_balance_threshold > 0)`

export const addKeyLifetimes = runAll(addKeyColumns, createKeyDays, ...addEntryColumns, addThreshold)
