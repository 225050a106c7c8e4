/** Credit accounts, their append-only ledger, and what was charged under which idempotency key. */
import { runAll } from "./Statements.ts"

/** Texts that are only ever compared for equality are in the collation "C": its comparisons are the cheapest. */
const createTables = [
  // A balance is a whole number that a double can hold. `revision` rises with every change of what charges depend on.
  // Half of a page stays free, so that a balance changes in place.
  `CREATE TABLE postcode.credit_accounts (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),
    entries bigint NOT NULL CHECK (entries >= 0),
    revision bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, environment)
  ) WITH (fillfactor = 50)`,
  // Entries are written by whoever holds the lock on their account, so a foreign key would only cost a look-up a row.
  `CREATE TABLE postcode.ledger_entries (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    number bigint NOT NULL CHECK (number > 0),
    id text COLLATE "C" NOT NULL,
    amount bigint NOT NULL CHECK (amount <> 0),
    reason text NOT NULL CHECK (reason IN ('opening', 'grant', 'lookup', 'lookup_batch')),
    reference text NOT NULL,
    balance_after bigint NOT NULL CHECK (balance_after >= 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, environment, number),
    UNIQUE (organization_id, id)
  )`,
  `CREATE UNIQUE INDEX ledger_entries_grant ON postcode.ledger_entries (organization_id, environment, reference)
    WHERE reason = 'grant'`,
  `CREATE TABLE postcode.idempotency_keys (
    organization_id text NOT NULL,
    key_id text NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    charged bigint NOT NULL CHECK (charged >= 0),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, key_id, idempotency_key)
  )`,
  "CREATE INDEX idempotency_keys_expires_at ON postcode.idempotency_keys (expires_at)"
]

const keepLedger = [
  `CREATE FUNCTION postcode.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION '% refused: %.% is append-only; correct an entry by a new one', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME;
  END $$`,
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postcode.ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION postcode.refuse_change()`
]

export const createCredits = runAll(...createTables, ...keepLedger)
