/** Organizations, their keys, and their requests for more. */
import { runAll } from "./Statements.ts"

/**
 * What grows has the organization's id in its key, so that it can be spread over machines by it. A `number` is the order
 * of arrival.
 */
export const createOrganizations = runAll(
  `CREATE TABLE postcode.organizations (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    name text NOT NULL,
    granted_level smallint NOT NULL CHECK (granted_level BETWEEN 1 AND 5),
    kyb_status text NOT NULL CHECK (kyb_status IN ('unverified', 'pending', 'verified', 'rejected')),
    review_note text,
    rate_limit_per_minute integer CHECK (rate_limit_per_minute > 0),
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE postcode.api_keys (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    hash text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    scopes text[] NOT NULL,
    max_level smallint NOT NULL CHECK (max_level BETWEEN 1 AND 5),
    origins text[] NOT NULL,
    rate_limit_per_minute integer,
    prefix text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (organization_id, id)
  ) WITH (fillfactor = 80)`,
  // Ids and hashes hold more randomness than two could ever share, so neither index has to be unique.
  "CREATE INDEX api_keys_id ON postcode.api_keys (id)",
  "CREATE INDEX api_keys_hash ON postcode.api_keys (hash)",
  "CREATE INDEX api_keys_number ON postcode.api_keys (organization_id, number)",
  `CREATE TABLE postcode.access_requests (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    level smallint NOT NULL CHECK (level BETWEEN 1 AND 5),
    reason text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
    note text,
    created_at timestamptz NOT NULL,
    decided_at timestamptz,
    PRIMARY KEY (organization_id, id)
  )`,
  "CREATE INDEX access_requests_id ON postcode.access_requests (id)",
  "CREATE INDEX access_requests_number ON postcode.access_requests (number)",
  `CREATE UNIQUE INDEX access_requests_pending ON postcode.access_requests (organization_id, level)
    WHERE status = 'pending'`
)
