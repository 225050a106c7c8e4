/** What is only ever appended to, or counted: audit events, usage, selections. Each is partitioned by month. */
import { runAll } from "./Statements.ts"

/**
 * A journal's months are tables of their own, see Partitions.ts. What no month is there for goes into the default, so
 * that nothing is ever refused for lack of one. A `number` is the order of arrival.
 */
const createAudit = [
  "CREATE SEQUENCE postcode.audit_events_number",
  // Events without an organization have an empty one: it is part of the key by which the table can be spread.
  `CREATE TABLE postcode.audit_events (
    organization_id text NOT NULL,
    number bigint NOT NULL DEFAULT nextval('postcode.audit_events_number'),
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    id text NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details json NOT NULL,
    PRIMARY KEY (organization_id, number, stored_at)
  ) PARTITION BY RANGE (stored_at)`,
  "ALTER SEQUENCE postcode.audit_events_number OWNED BY postcode.audit_events.number",
  "CREATE INDEX audit_events_number_index ON postcode.audit_events (number)",
  "CREATE INDEX audit_events_action ON postcode.audit_events (action, number)",
  "CREATE INDEX audit_events_organization_action ON postcode.audit_events (organization_id, action, number)",
  "CREATE TABLE postcode.audit_events_default PARTITION OF postcode.audit_events DEFAULT",
  `CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postcode.audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION postcode.refuse_change()`
]

const createUsage = [
  `CREATE TABLE postcode.usage_days (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    date date NOT NULL,
    operation text COLLATE "C" NOT NULL,
    requests bigint NOT NULL CHECK (requests > 0),
    credits bigint NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (organization_id, environment, date, operation)
  ) PARTITION BY RANGE (date)`,
  "CREATE TABLE postcode.usage_days_default PARTITION OF postcode.usage_days DEFAULT",
  // How far each process has come that counts: the number of its last batch of counters that is in `usage_days`.
  `CREATE TABLE postcode.usage_writers (
    id text PRIMARY KEY,
    batch bigint NOT NULL,
    written_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`
]

const createSelections = [
  "CREATE SEQUENCE postcode.selections_number",
  `CREATE TABLE postcode.selections (
    organization_id text NOT NULL,
    at timestamptz NOT NULL,
    id text NOT NULL,
    number bigint NOT NULL DEFAULT nextval('postcode.selections_number'),
    key_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    subject text,
    postcode text NOT NULL,
    PRIMARY KEY (organization_id, at, id)
  ) PARTITION BY RANGE (at)`,
  "ALTER SEQUENCE postcode.selections_number OWNED BY postcode.selections.number",
  "CREATE INDEX selections_organization_number ON postcode.selections (organization_id, number)",
  "CREATE TABLE postcode.selections_default PARTITION OF postcode.selections DEFAULT"
]

export const createJournals = runAll(...createAudit, ...createUsage, ...createSelections)
