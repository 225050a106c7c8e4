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

/**
 * One batch of charges on one account, given as columns, in the order of their arrival. It answers one row a charge, in
 * that order, with one of these outcomes:
 *
 * - `charged`: `amount` was taken, and `balance` is what it left. A charge whose entry is there already answers as it
 *   did when that was written, so a batch whose commit is in doubt can run again.
 * - `insufficient`: `balance` does not hold the `amount` that is due. Charges behind it may pass all the same.
 * - `daily_limit`: the `amount` that is due would bring what the key has charged today above its `daily_limit`. The day
 *   ends in `day_ends_in` seconds. Charges behind it may pass all the same.
 * - `no_key`: the key does not exist, is revoked, or is not one of this account.
 * - `expired`: the key has ended.
 * - `not_verified`: the account is a live one, and the organization is not verified.
 * - `level_lowered`: the organization is granted less, `granted_level`, than the level at which the lookup is served.
 * - `reused`: the idempotency key stands for another fingerprint.
 *
 * A charge of an idempotency key finds what was charged under it before in the table, or, where another charge of the
 * same batch was first, in the arrays that are indexed by the position of that first one. What a key has charged today is
 * read at its first charge in the batch, and counted in an array from then on. Only keys with a limit are, and there are
 * few of them in a batch. All who count hold the account's lock, as a key belongs to one account.
 *
 * A batch that takes the balance below its threshold puts one event into the queue of webhooks (step 11), in its own
 * transaction.
 *
 * Each look-up is lateral and of one row: so it goes by the whole key of an index, whatever the tables hold. As an
 * ordinary join, one plan for all batches may read all entries of the organization, while its account is locked. The
 * settings keep sequential scans out as well.
 */
const createChargeAccount = `CREATE FUNCTION postcode.charge_account(
    account_organization text, account_environment text, ids text[], key_ids text[], amounts bigint[], levels smallint[],
    reasons text[], request_ids text[], idempotency_keys text[], fingerprints text[]
  ) RETURNS TABLE (outcome text, amount double precision, balance double precision, granted_level smallint,
    daily_limit double precision, day_ends_in integer)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  SET plan_cache_mode = force_generic_plan
  AS $$
  DECLARE
    held bigint;
    opened bigint;
    threshold bigint;
    is_verified boolean;
    last_number bigint;
    now_at timestamptz;
    today date;
    charge record;
    before bigint;
    place integer;
    due bigint;
    known_as text;
    fingerprint_of text[] := '{}';
    charged_of bigint[] := '{}';
    counted_keys text[] := '{}';
    counted bigint[] := '{}';
    entry_positions bigint[] := '{}';
    entry_amounts bigint[] := '{}';
    entry_balances bigint[] := '{}';
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'credits need the isolation level read committed, found %', current_setting('transaction_isolation');
    END IF;
    SELECT a.balance, a.balance, a.low_balance_threshold, a.entries INTO held, opened, threshold, last_number
    FROM postcode.credit_accounts a
    WHERE a.organization_id = account_organization AND a.environment = account_environment FOR UPDATE;
    now_at := clock_timestamp();
    today := (now_at AT TIME ZONE 'UTC')::date;
    day_ends_in := ceil(extract(epoch FROM (today + 1)::timestamp - now_at AT TIME ZONE 'UTC'));
    SELECT o.granted_level, o.kyb_status = 'verified' INTO granted_level, is_verified
    FROM postcode.organizations o WHERE o.id = account_organization;
    FOR charge IN
      SELECT c.*, e.amount AS written, e.balance_after, k.id IS NOT NULL AS has_key, k.expires_at,
        k.daily_credit_limit, r.fingerprint AS known_fingerprint, r.charged AS known_charged,
        min(c.position) OVER (PARTITION BY c.key_id, c.idempotency_key) AS first
      FROM unnest(ids, key_ids, amounts, levels, idempotency_keys, fingerprints) WITH ORDINALITY
        AS c (id, key_id, amount, level, idempotency_key, fingerprint, position)
      LEFT JOIN LATERAL (
        SELECT k.id, k.expires_at, k.daily_credit_limit FROM postcode.api_keys k
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
      ELSIF charge.expires_at <= now_at THEN
        outcome := 'expired';
      ELSIF account_environment = 'live' AND NOT is_verified THEN
        outcome := 'not_verified';
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
          place := NULL;
          IF due > 0 AND charge.daily_credit_limit IS NOT NULL THEN
            place := array_position(counted_keys, charge.key_id);
            IF place IS NULL THEN
              counted_keys := array_append(counted_keys, charge.key_id);
              place := cardinality(counted_keys);
              counted[place] := coalesce((
                SELECT d.charged FROM postcode.key_days d
                WHERE d.organization_id = account_organization AND d.key_id = charge.key_id AND d.day = today
              ), 0);
            END IF;
          END IF;
          IF counted[place] + due > charge.daily_credit_limit THEN
            outcome := 'daily_limit';
            daily_limit := charge.daily_credit_limit;
          ELSIF due > held THEN
            outcome := 'insufficient';
          ELSE
            outcome := 'charged';
            held := held - due;
            balance := held;
            IF due > 0 THEN
              entry_positions := array_append(entry_positions, charge.position);
              entry_amounts := array_append(entry_amounts, -due);
              entry_balances := array_append(entry_balances, held);
              IF place IS NOT NULL THEN
                counted[place] := counted[place] + due;
              END IF;
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
        (organization_id, environment, number, id, amount, reason, reference, key_id, level, balance_after, created_at)
      SELECT account_organization, account_environment, last_number + n.number, ids[n.position], n.amount,
        reasons[n.position], request_ids[n.position], key_ids[n.position], levels[n.position], n.balance_after, now_at
      FROM unnest(entry_positions, entry_amounts, entry_balances) WITH ORDINALITY
        AS n (position, amount, balance_after, number);
      UPDATE postcode.credit_accounts a
      SET balance = held, entries = last_number + cardinality(entry_positions)
      WHERE a.organization_id = account_organization AND a.environment = account_environment;
      IF cardinality(counted_keys) > 0 THEN
        INSERT INTO postcode.key_days (organization_id, key_id, day, charged)
        SELECT account_organization, c.key_id, today, c.charged
        FROM unnest(counted_keys, counted) AS c (key_id, charged)
        WHERE c.charged > 0
        ON CONFLICT (organization_id, key_id, day) DO UPDATE SET charged = EXCLUDED.charged;
      END IF;
      IF opened >= threshold AND held < threshold THEN
        PERFORM postcode.announce_low_balance(account_organization, account_environment, held, threshold, now_at);
      END IF;
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
 * The function's former self, for replicas of the version before, which ask by this name as long as they run. They know no
 * outcome but theirs, so they answer a daily limit as too few credits, and a key that has ended as one that is none.
 */
const replaceChargeBatch = `CREATE OR REPLACE FUNCTION postcode.charge_batch(
    account_organization text, account_environment text, ids text[], key_ids text[], amounts bigint[], levels smallint[],
    reasons text[], request_ids text[], idempotency_keys text[], fingerprints text[]
  ) RETURNS TABLE (outcome text, amount double precision, balance double precision, granted_level smallint)
  LANGUAGE sql
  AS $$
    SELECT CASE c.outcome WHEN 'daily_limit' THEN 'insufficient' WHEN 'expired' THEN 'no_key' ELSE c.outcome END,
      c.amount, c.balance, c.granted_level
    FROM postcode.charge_account(account_organization, account_environment, ids, key_ids, amounts, levels, reasons,
      request_ids, idempotency_keys, fingerprints) c
  $$`

export const addKeyLifetimes = runAll(
  addKeyColumns,
  createKeyDays,
  ...addEntryColumns,
  addThreshold,
  createChargeAccount,
  replaceChargeBatch
)
