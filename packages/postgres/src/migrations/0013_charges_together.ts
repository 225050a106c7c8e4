/** One function that charges several accounts in one transaction, as far as nobody else holds them. */
import { runAll } from "./Statements.ts"

/**
 * Batches of charges on several accounts. `organizations` and `environments` are the accounts, each once; all else are
 * the charges as columns, in the order of their arrival, `accounts` being the place of each one's account.
 *
 * An account that somebody else holds is left out, and so are its charges: no row is answered for them. So this never
 * waits for a lock, one account never waits for another, and two that charge the same accounts never wait for each other
 * in a circle. Whoever asked goes on with `charge_account` then, which waits.
 *
 * For all others it answers a row a charge, with the `number` of its place, and decides and writes as `charge_account`
 * does; see there. What that keeps of its one account stands here in arrays, one element an account.
 */
const createChargeAccounts = `CREATE FUNCTION postcode.charge_accounts(
    organizations text[], environments text[], accounts integer[], ids text[], key_ids text[], amounts bigint[],
    levels smallint[], reasons text[], request_ids text[], idempotency_keys text[], fingerprints text[]
  ) RETURNS TABLE (number integer, outcome text, amount double precision, balance double precision,
    granted_level smallint, daily_limit double precision, day_ends_in integer)
  LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
  SET plan_cache_mode = force_generic_plan
  AS $$
  DECLARE
    held bigint[];
    opened bigint[];
    thresholds bigint[];
    last_numbers bigint[];
    first_numbers bigint[];
    granted smallint[];
    verified boolean[];
    now_at timestamptz;
    today date;
    seconds_left integer;
    charge record;
    account integer;
    before bigint;
    place integer;
    due bigint;
    known_as text;
    fingerprint_of text[] := '{}';
    charged_of bigint[] := '{}';
    counted_accounts integer[] := '{}';
    counted_keys text[] := '{}';
    counted bigint[] := '{}';
    entry_positions bigint[] := '{}';
    entry_numbers bigint[] := '{}';
    entry_amounts bigint[] := '{}';
    entry_balances bigint[] := '{}';
  BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'credits need the isolation level read committed, found %', current_setting('transaction_isolation');
    END IF;
    SELECT array_agg(a.balance ORDER BY w.account), array_agg(a.low_balance_threshold ORDER BY w.account),
      array_agg(a.entries ORDER BY w.account)
    INTO held, thresholds, last_numbers
    FROM unnest(organizations, environments) WITH ORDINALITY AS w (organization, environment, account)
    LEFT JOIN LATERAL (
      SELECT a.balance, a.low_balance_threshold, a.entries FROM postcode.credit_accounts a
      WHERE a.organization_id = w.organization AND a.environment = w.environment FOR UPDATE SKIP LOCKED
    ) a ON true;
    opened := held;
    first_numbers := last_numbers;
    now_at := clock_timestamp();
    today := (now_at AT TIME ZONE 'UTC')::date;
    seconds_left := ceil(extract(epoch FROM (today + 1)::timestamp - now_at AT TIME ZONE 'UTC'));
    SELECT array_agg(o.granted_level ORDER BY w.account), array_agg(o.is_verified ORDER BY w.account)
    INTO granted, verified
    FROM unnest(organizations) WITH ORDINALITY AS w (organization, account)
    LEFT JOIN LATERAL (
      SELECT o.granted_level, o.kyb_status = 'verified' AS is_verified
      FROM postcode.organizations o WHERE o.id = w.organization LIMIT 1
    ) o ON true;
    FOR charge IN
      SELECT c.*, e.amount AS written, e.balance_after, k.id IS NOT NULL AS has_key, k.expires_at,
        k.daily_credit_limit, r.fingerprint AS known_fingerprint, r.charged AS known_charged,
        min(c.position) OVER (PARTITION BY c.account, c.key_id, c.idempotency_key) AS first
      FROM unnest(accounts, ids, key_ids, amounts, levels, idempotency_keys, fingerprints) WITH ORDINALITY
        AS c (account, id, key_id, amount, level, idempotency_key, fingerprint, position)
      LEFT JOIN LATERAL (
        SELECT k.id, k.expires_at, k.daily_credit_limit FROM postcode.api_keys k
        WHERE k.organization_id = organizations[c.account] AND k.id = c.key_id
          AND k.environment = environments[c.account] AND k.revoked_at IS NULL LIMIT 1
      ) k ON true
      LEFT JOIN LATERAL (
        SELECT e.amount, e.balance_after FROM postcode.ledger_entries e
        WHERE e.organization_id = organizations[c.account] AND e.id = c.id LIMIT 1
      ) e ON true
      LEFT JOIN LATERAL (
        SELECT r.fingerprint, r.charged FROM postcode.idempotency_keys r
        WHERE r.organization_id = organizations[c.account] AND r.key_id = c.key_id
          AND r.idempotency_key = c.idempotency_key AND r.expires_at > now_at LIMIT 1
      ) r ON true
      WHERE held[c.account] IS NOT NULL
      ORDER BY c.position
    LOOP
      account := charge.account;
      number := charge.position;
      balance := held[account];
      amount := 0;
      granted_level := granted[account];
      daily_limit := NULL;
      day_ends_in := seconds_left;
      IF charge.written IS NOT NULL THEN
        outcome := 'charged';
        amount := -charge.written;
        balance := charge.balance_after;
      ELSIF NOT charge.has_key THEN
        outcome := 'no_key';
      ELSIF charge.expires_at <= now_at THEN
        outcome := 'expired';
      ELSIF environments[account] = 'live' AND NOT verified[account] THEN
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
            WHILE counted_accounts[place] <> account LOOP
              place := array_position(counted_keys, charge.key_id, place + 1);
            END LOOP;
            IF place IS NULL THEN
              counted_accounts := array_append(counted_accounts, account);
              counted_keys := array_append(counted_keys, charge.key_id);
              place := cardinality(counted_keys);
              counted[place] := coalesce((
                SELECT d.charged FROM postcode.key_days d
                WHERE d.organization_id = organizations[account] AND d.key_id = charge.key_id AND d.day = today
              ), 0);
            END IF;
          END IF;
          IF counted[place] + due > charge.daily_credit_limit THEN
            outcome := 'daily_limit';
            daily_limit := charge.daily_credit_limit;
          ELSIF due > held[account] THEN
            outcome := 'insufficient';
          ELSE
            outcome := 'charged';
            held[account] := held[account] - due;
            balance := held[account];
            IF due > 0 THEN
              last_numbers[account] := last_numbers[account] + 1;
              entry_positions := array_append(entry_positions, charge.position);
              entry_numbers := array_append(entry_numbers, last_numbers[account]);
              entry_amounts := array_append(entry_amounts, -due);
              entry_balances := array_append(entry_balances, held[account]);
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
      SELECT organizations[accounts[n.position]], environments[accounts[n.position]], n.number, ids[n.position],
        n.amount, reasons[n.position], request_ids[n.position], key_ids[n.position], levels[n.position],
        n.balance_after, now_at
      FROM unnest(entry_positions, entry_numbers, entry_amounts, entry_balances)
        AS n (position, number, amount, balance_after);
      UPDATE postcode.credit_accounts a SET balance = w.held, entries = w.last_number
      FROM unnest(organizations, environments, held, last_numbers, first_numbers)
        AS w (organization, environment, held, last_number, first_number)
      WHERE a.organization_id = w.organization AND a.environment = w.environment AND w.last_number > w.first_number;
      IF cardinality(counted_keys) > 0 THEN
        INSERT INTO postcode.key_days (organization_id, key_id, day, charged)
        SELECT organizations[c.account], c.key_id, today, c.charged
        FROM unnest(counted_accounts, counted_keys, counted) AS c (account, key_id, charged)
        WHERE c.charged > 0
        ON CONFLICT (organization_id, key_id, day) DO UPDATE SET charged = EXCLUDED.charged;
      END IF;
      FOR account IN 1..cardinality(held) LOOP
        IF opened[account] >= thresholds[account] AND held[account] < thresholds[account] THEN
          PERFORM postcode.announce_low_balance(organizations[account], environments[account], held[account],
            thresholds[account], now_at);
        END IF;
      END LOOP;
    END IF;
    IF cardinality(charged_of) > 0 THEN
      INSERT INTO postcode.idempotency_keys AS r
        (organization_id, key_id, idempotency_key, fingerprint, charged, expires_at)
      SELECT organizations[c.account], c.key_id, c.idempotency_key, fingerprint_of[c.position],
        charged_of[c.position], now_at + interval '24 hours'
      FROM unnest(accounts, key_ids, idempotency_keys) WITH ORDINALITY AS c (account, key_id, idempotency_key, position)
      WHERE charged_of[c.position] IS NOT NULL
      ON CONFLICT (organization_id, key_id, idempotency_key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, charged = EXCLUDED.charged,
        expires_at = CASE WHEN r.expires_at > now_at THEN r.expires_at ELSE EXCLUDED.expires_at END;
    END IF;
  END $$`

export const addChargesTogether = runAll(createChargeAccounts)
