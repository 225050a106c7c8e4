/** Webhooks: their endpoints, and the queue of deliveries. */
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

export const createWebhooks = runAll(...createEndpoints, ...createDeliveries)
