/** Webhooks: their endpoints, the queue of deliveries, and the events that are made while an account is locked. */
import { runAll } from "./Statements.ts"

/** Secrets are sealed. A lease is ended by its number, so that one that is over ends no other. */
const createEndpoints = [
  `CREATE TABLE postcode.webhook_endpoints (
    id text COLLATE "C" PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    organization_id text NOT NULL REFERENCES postcode.organizations,
    url text NOT NULL,
    description text,
    secret text NOT NULL,
    former_secret text,
    former_secret_until timestamptz,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz,
    lease bigint NOT NULL DEFAULT 0,
    leased_until timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX webhook_endpoints_organization ON postcode.webhook_endpoints (organization_id, number)"
]

/**
 * `due_at` is empty once a delivery is settled for good, so the index holds what is still to be sent. A foreign key would
 * make charges wait for whoever removes an endpoint, and fail: what is left behind is cleaned up.
 */
const createDeliveries = [
  `CREATE TABLE postcode.webhook_deliveries (
    id text COLLATE "C" PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    endpoint_id text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    at timestamptz NOT NULL,
    data json NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    last_status smallint,
    fault text,
    last_attempt_at timestamptz,
    due_at timestamptz,
    CHECK ((status = 'pending') = (due_at IS NOT NULL))
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX webhook_deliveries_endpoint ON postcode.webhook_deliveries (endpoint_id, number)",
  `CREATE INDEX webhook_deliveries_due ON postcode.webhook_deliveries (endpoint_id, due_at, number)
    WHERE due_at IS NOT NULL`
]

/** At most 500 deliveries wait for an endpoint, or a few more where several are made at the same time. */
const createRoom = `CREATE FUNCTION postcode.has_room_for_delivery(endpoint text) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$
    SELECT count(*) < 500 FROM (
      SELECT FROM postcode.webhook_deliveries d WHERE d.endpoint_id = endpoint AND d.due_at IS NOT NULL LIMIT 500
    ) waiting
  $$`

/**
 * One event for all endpoints of the organization that count and have room. Whoever calls it holds the account's lock.
 */
const createAnnouncement = `CREATE FUNCTION postcode.announce_low_balance(
    account_organization text, account_environment text, held bigint, threshold bigint, now_at timestamptz
  ) RETURNS void
  LANGUAGE plpgsql
  AS $$
  DECLARE
    event text := 'msg_' || replace(gen_random_uuid()::text, '-', '');
  BEGIN
    INSERT INTO postcode.webhook_deliveries (id, endpoint_id, event_id, type, at, data, due_at)
    SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), e.id, event, 'credits.low', now_at,
      json_build_object('organization_id', account_organization, 'environment', account_environment,
        'balance', held, 'threshold', threshold), now_at
    FROM postcode.webhook_endpoints e
    WHERE e.organization_id = account_organization AND e.disabled_at IS NULL AND postcode.has_room_for_delivery(e.id);
  END $$`

/** Sets a threshold; null for none. It answers no row where there is no account. */
const createSetThreshold = `CREATE FUNCTION postcode.set_low_balance_threshold(
    account_organization text, account_environment text, wanted bigint
  ) RETURNS TABLE (balance double precision, changed boolean)
  LANGUAGE plpgsql
  AS $$
  DECLARE
    held bigint;
    former bigint;
  BEGIN
    SELECT a.balance, a.low_balance_threshold INTO held, former FROM postcode.credit_accounts a
    WHERE a.organization_id = account_organization AND a.environment = account_environment FOR UPDATE;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    balance := held;
    changed := former IS DISTINCT FROM wanted;
    IF changed THEN
      UPDATE postcode.credit_accounts a SET low_balance_threshold = wanted
      WHERE a.organization_id = account_organization AND a.environment = account_environment;
      IF held < wanted THEN
        PERFORM postcode.announce_low_balance(account_organization, account_environment, held, wanted, clock_timestamp());
      END IF;
    END IF;
    RETURN NEXT;
  END $$`

export const createWebhooks = runAll(
  ...createEndpoints,
  ...createDeliveries,
  createRoom,
  createAnnouncement,
  createSetThreshold
)
