/**
 * The tables. Records are kept as JSON, as the ports take and answer them; beside them stands what rows are found by.
 * Rows are numbered in the order of their arrival.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS organizations (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  closes_at TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS keys (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  record TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS keys_of_chain ON keys (record ->> 'chain_id');
CREATE INDEX IF NOT EXISTS keys_of_organization ON keys (organization_id, seq);

CREATE TABLE IF NOT EXISTS reported_keys (
  id TEXT PRIMARY KEY REFERENCES keys (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS reported_limits (
  chain_id TEXT PRIMARY KEY REFERENCES keys (id),
  day INTEGER NOT NULL,
  reported_limit INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS accounts (
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  environment TEXT NOT NULL,
  balance INTEGER NOT NULL CHECK (balance >= 0),
  low_balance_threshold INTEGER,
  is_shortage_reported INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, environment)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL,
  environment TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  reason TEXT NOT NULL,
  reference TEXT NOT NULL,
  key_id TEXT,
  level INTEGER,
  note TEXT,
  balance_after INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  FOREIGN KEY (organization_id, environment) REFERENCES accounts
) STRICT;
CREATE INDEX IF NOT EXISTS entries_of_account ON entries (organization_id, environment, seq);
CREATE INDEX IF NOT EXISTS entries_of_reference ON entries (organization_id, environment, reference, seq);
CREATE INDEX IF NOT EXISTS entries_of_key ON entries (key_id, at_ms) WHERE key_id IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS one_grant_for_a_reference
  ON entries (organization_id, environment, reference) WHERE reason = 'grant';
CREATE UNIQUE INDEX IF NOT EXISTS one_correction_for_a_reference
  ON entries (organization_id, environment, reference) WHERE reason IN ('refund', 'adjustment');

CREATE TABLE IF NOT EXISTS credit_days (
  environment TEXT NOT NULL,
  date TEXT NOT NULL,
  sum TEXT NOT NULL,
  credits INTEGER NOT NULL,
  PRIMARY KEY (environment, date, sum)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS idempotency (
  chain_id TEXT NOT NULL REFERENCES keys (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  charged INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (chain_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idempotency_by_end ON idempotency (expires_at_ms);

CREATE TABLE IF NOT EXISTS access_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  level INTEGER NOT NULL,
  status TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS one_pending_request
  ON access_requests (organization_id, level) WHERE status = 'pending';

CREATE TABLE IF NOT EXISTS audit_events (
  seq INTEGER PRIMARY KEY,
  organization_id TEXT,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS audit_events_of_organization ON audit_events (organization_id, seq);
`
