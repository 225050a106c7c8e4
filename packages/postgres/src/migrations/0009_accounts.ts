/** Accounts of people in the console, their invitations, sessions and passkeys. */
import { runAll } from "./Statements.ts"

/**
 * There are few of these, so nothing is spread by organization. Of tokens there are hashes alone. Sessions count that have
 * their account's epoch.
 */
export const createAccounts = runAll(
  `CREATE TABLE postcode.accounts (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    email text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('operator', 'owner', 'developer', 'billing')),
    organization_id text REFERENCES postcode.organizations,
    password text NOT NULL,
    epoch integer NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK ((role = 'operator') = (organization_id IS NULL))
  )`,
  // What is personal stands in its row alone, and not in the samples that the planner keeps.
  `ALTER TABLE postcode.accounts ALTER COLUMN email SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN password SET STATISTICS 0`,
  "CREATE INDEX accounts_organization ON postcode.accounts (organization_id, number)",
  `CREATE TABLE postcode.invitations (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    hash text COLLATE "C" NOT NULL UNIQUE,
    role text NOT NULL CHECK (role IN ('operator', 'owner', 'developer', 'billing')),
    email text COLLATE "C",
    organization_id text REFERENCES postcode.organizations,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    is_claim boolean NOT NULL,
    CHECK ((role = 'operator') = (organization_id IS NULL)),
    CHECK (is_claim = (email IS NULL))
  )`,
  "ALTER TABLE postcode.invitations ALTER COLUMN email SET STATISTICS 0",
  "CREATE INDEX invitations_organization ON postcode.invitations (organization_id, number)",
  "CREATE INDEX invitations_created_by ON postcode.invitations (created_by)",
  `CREATE TABLE postcode.console_sessions (
    hash text COLLATE "C" PRIMARY KEY,
    account_id text NOT NULL REFERENCES postcode.accounts ON DELETE CASCADE,
    epoch integer NOT NULL,
    created_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL
  ) WITH (fillfactor = 80)`,
  "CREATE INDEX console_sessions_account ON postcode.console_sessions (account_id)",
  `CREATE TABLE postcode.passkeys (
    id text PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    account_id text NOT NULL REFERENCES postcode.accounts ON DELETE CASCADE,
    name text NOT NULL,
    credential_id text COLLATE "C" NOT NULL UNIQUE,
    public_key text NOT NULL,
    counter bigint NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  )`,
  "CREATE INDEX passkeys_account ON postcode.passkeys (account_id, number)",
  // One that signs in knows no account yet.
  `CREATE TABLE postcode.passkey_challenges (
    hash text COLLATE "C" PRIMARY KEY,
    account_id text,
    expires_at timestamptz NOT NULL
  )`
)
