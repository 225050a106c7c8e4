/**
 * Credit accounts, their append-only ledger, what was charged under which idempotency key, and the two functions that
 * write all of it.
 *
 * Both functions lock the account's row first. The next statement then has a new snapshot, so it sees whatever was
 * committed before, as long as all who change a balance, revoke a key or lower a grant lock that row as well. That
 * holds in the isolation level `read committed` only.
 */
import { runAll } from "./Statements.ts"

/**
 * Texts that are only ever compared for equality are in the collation "C": its comparisons are the cheapest, and they
 * happen while an account is locked.
 */
const createTables = [
  // A balance is a whole number that a double can hold. Half of a page stays free, so that a balance changes in place.
  `CREATE TABLE postcode.credit_accounts (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),
    entries bigint NOT NULL CHECK (entries >= 0),
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

const lockAccount = `
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'credits need the isolation level read committed, found %', current_setting('transaction_isolation');
    END IF;
    SELECT a.balance, a.entries INTO held, last_number FROM postcode.credit_accounts a
    WHERE a.organization_id = account_organization AND a.environment = account_environment FOR UPDATE;`

/**
 * One batch of charges on one account, given as columns, in the order of their arrival. It answers one row a charge, in
 * that order, with one of these outcomes:
 *
 * - `charged`: `amount` was taken, and `balance` is what it left. A charge whose entry is there already answers as it
 *   did when that was written, so a batch whose commit is in doubt can run again.
 * - `insufficient`: `balance` does not hold the `amount` that is due. Charges behind it may pass all the same.
 * - `no_key`: the key does not exist, is revoked, or is not one of this account.
 * - `level_lowered`: the organization is granted less, `granted_level`, than the level at which the lookup is served.
 * - `reused`: the idempotency key stands for another fingerprint.
 *
 * A charge of an idempotency key finds what was charged under it before in the table, or, where another charge of the
 * same batch was first, in the arrays that are indexed by the position of that first one.
 *
 * Each look-up is lateral and of one row: so it goes by the whole key of an index, whatever the tables hold. As an
 * ordinary join, one plan for all batches may read all entries of the organization, while its account is locked. The
 * settings keep sequential scans out as well.
 */
const createChargeBatch = `CREATE FUNCTION postcode.charge_batch(
    account_organization text, account_environment text, ids text[], key_ids text[], amounts bigint[], levels smallint[],
    reasons text[], request_ids text[], idempotency_keys text[], fingerprints text[]
  ) RETURNS TABLE (outcome text, amount double precision, balance double precision, granted_level smallint)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  SET plan_cache_mode = force_generic_plan
  AS $$
  DECLARE
    held bigint;
    last_number bigint;
    now_at timestamptz;
    charge record;
    before bigint;
    due bigint;
    known_as text;
    fingerprint_of text[] := '{}';
    charged_of bigint[] := '{}';
    entry_positions bigint[] := '{}';
    entry_amounts bigint[] := '{}';
    entry_balances bigint[] := '{}';
  BEGIN${lockAccount}
    now_at := clock_timestamp();
    SELECT o.granted_level INTO granted_level FROM postcode.organizations o WHERE o.id = account_organization;
    FOR charge IN
      SELECT c.*, e.amount AS written, e.balance_after, k.id IS NOT NULL AS has_key,
        r.fingerprint AS known_fingerprint, r.charged AS known_charged,
        min(c.position) OVER (PARTITION BY c.key_id, c.idempotency_key) AS first
      FROM unnest(ids, key_ids, amounts, levels, idempotency_keys, fingerprints) WITH ORDINALITY
        AS c (id, key_id, amount, level, idempotency_key, fingerprint, position)
      LEFT JOIN LATERAL (
        SELECT k.id FROM postcode.api_keys k
        WHERE k.organization_id = account_organization AND k.id = c.key_id
          AND k.environment = account_environment AND k.revoked_at IS NULL LIMIT 1
      ) k ON true
      LEFT JOIN LATERAL (
        SELECT e.amount, e.balance_after FROM postcode.ledger_entries e
        WHERE e.organization_id = account_organization AND e.id = c.id LIMIT 1
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT r.fingerprint, r.charged FROM postcode.idempotency_keys r
        WHERE r.organization_id = account_organization AND r.key_id = c.key_id
          AND r.idempotency_key = c.idempotency_key AND r.expires_at > now_at LIMIT 1
      ) r ON true
      ORDER BY c.position
    LOOP
      balance := held;
      amount := 0;
      IF charge.written IS NOT NULL THEN
        outcome := 'charged';
        amount := -charge.written;
        balance := charge.balance_after;
      ELSIF held IS NULL OR NOT charge.has_key THEN
        outcome := 'no_key';
      ELSIF charge.level > granted_level THEN
        outcome := 'level_lowered';
      ELSE
        known_as := coalesce(fingerprint_of[charge.first], charge.known_fingerprint);
        before := coalesce(charged_of[charge.first], charge.known_charged, 0);
        due := greatest(0, charge.amount - before);
        IF charge.idempotency_key IS NOT NULL AND known_as <> charge.fingerprint THEN
          outcome := 'reused';
        ELSE
          amount := due;
          IF due > held THEN
            outcome := 'insufficient';
          ELSE
            outcome := 'charged';
            held := held - due;
            balance := held;
            IF due > 0 THEN
              entry_positions := array_append(entry_positions, charge.position);
              entry_amounts := array_append(entry_amounts, -due);
              entry_balances := array_append(entry_balances, held);
            END IF;
            IF charge.idempotency_key IS NOT NULL AND (due > 0 OR known_as IS NULL) THEN
              fingerprint_of[charge.first] := charge.fingerprint;
              charged_of[charge.first] := before + due;
            END IF;
          END IF;
        END IF;
      END IF;
      RETURN NEXT;
    END LOOP;
    IF cardinality(entry_positions) > 0 THEN
      INSERT INTO postcode.ledger_entries
        (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
      SELECT account_organization, account_environment, last_number + n.number, ids[n.position], n.amount,
        reasons[n.position], request_ids[n.position], n.balance_after, now_at
      FROM unnest(entry_positions, entry_amounts, entry_balances) WITH ORDINALITY
        AS n (position, amount, balance_after, number);
      UPDATE postcode.credit_accounts a
      SET balance = held, entries = last_number + cardinality(entry_positions)
      WHERE a.organization_id = account_organization AND a.environment = account_environment;
    END IF;
    IF cardinality(charged_of) > 0 THEN
      INSERT INTO postcode.idempotency_keys AS r
        (organization_id, key_id, idempotency_key, fingerprint, charged, expires_at)
      SELECT account_organization, c.key_id, c.idempotency_key, fingerprint_of[c.position], charged_of[c.position],
        now_at + interval '24 hours'
      FROM unnest(key_ids, idempotency_keys) WITH ORDINALITY AS c (key_id, idempotency_key, position)
      WHERE charged_of[c.position] IS NOT NULL
      ON CONFLICT (organization_id, key_id, idempotency_key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, charged = EXCLUDED.charged,
        expires_at = CASE WHEN r.expires_at > now_at THEN r.expires_at ELSE EXCLUDED.expires_at END;
    END IF;
  END $$`

/**
 * One grant. Its outcome is `granted`; `repeated`, with the entry of the first time, where the reference was granted
 * before; `conflict` where it was granted with another amount; or `no_account`.
 */
const createGrantCredits = `CREATE FUNCTION postcode.grant_credits(
    account_organization text, account_environment text, entry_id text, granted bigint, operator_reference text
  ) RETURNS TABLE (outcome text, id text, balance double precision)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
  AS $$
  DECLARE
    held bigint;
    last_number bigint;
    written postcode.ledger_entries;
  BEGIN${lockAccount}
    SELECT * INTO written FROM postcode.ledger_entries e
    WHERE e.organization_id = account_organization AND e.environment = account_environment AND e.reason = 'grant'
      AND e.reference = operator_reference;
    IF held IS NULL THEN
      outcome := 'no_account';
    ELSIF written.id IS NULL THEN
      INSERT INTO postcode.ledger_entries
        (organization_id, environment, number, id, amount, reason, reference, balance_after, created_at)
      VALUES (account_organization, account_environment, last_number + 1, entry_id, granted, 'grant',
        operator_reference, held + granted, clock_timestamp());
      UPDATE postcode.credit_accounts a SET balance = held + granted, entries = last_number + 1
      WHERE a.organization_id = account_organization AND a.environment = account_environment;
      outcome := 'granted';
      id := entry_id;
      balance := held + granted;
    ELSE
      outcome := CASE WHEN written.amount = granted THEN 'repeated' ELSE 'conflict' END;
      id := written.id;
      balance := written.balance_after;
    END IF;
    RETURN NEXT;
  END $$`

export const createCredits = runAll(...createTables, ...keepLedger, createChargeBatch, createGrantCredits)
