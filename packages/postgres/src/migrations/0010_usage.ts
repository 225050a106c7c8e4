/** Usage by key, level and status as well, and what each key was used for in the last hour. */
import { runAll } from "./Statements.ts"

/**
 * Its months are tables of their own, see Partitions.ts. What is not known, or is none, is empty or 0, as all of these are
 * part of the key. A report by key is read in its order, so that it ends where it has enough rows; one of a single key goes
 * by the index.
 */
const createUsageByKey = [
  `CREATE TABLE postcode.usage_by_key (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    date date NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    level smallint NOT NULL CHECK (level BETWEEN 0 AND 5),
    status smallint NOT NULL,
    requests bigint NOT NULL CHECK (requests > 0),
    credits bigint NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (organization_id, environment, date, key_id, operation, level, status)
  ) PARTITION BY RANGE (date)`,
  "CREATE INDEX usage_by_key_of_key ON postcode.usage_by_key (organization_id, key_id, date)",
  "CREATE TABLE postcode.usage_by_key_default PARTITION OF postcode.usage_by_key DEFAULT"
]

/** Half of a page stays free, so that a row changes in place. */
const createKeyTraffic = [
  `CREATE TABLE postcode.key_traffic (
    organization_id text NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL,
    requests bigint NOT NULL CHECK (requests > 0),
    credits bigint NOT NULL CHECK (credits >= 0),
    refused bigint NOT NULL CHECK (refused >= 0),
    PRIMARY KEY (organization_id, key_id, since)
  ) WITH (fillfactor = 50)`,
  "CREATE INDEX key_traffic_since ON postcode.key_traffic (since)"
]

/** What was counted before moves. Whoever counts meanwhile waits, and then meets the trigger. */
const moveUsage = [
  "LOCK TABLE postcode.usage_days IN ACCESS EXCLUSIVE MODE",
  `INSERT INTO postcode.usage_by_key
      (organization_id, environment, date, key_id, operation, level, status, requests, credits)
    SELECT organization_id, environment, date, '', operation, 0, 0, requests, credits FROM postcode.usage_days`,
  "TRUNCATE postcode.usage_days"
]

/**
 * Replicas of the version before go on counting in `usage_days`, as long as they run. What they bring is counted in the
 * new table instead, so nothing is ever stored there. Their statement adds each row, or adds to it, and either begins as
 * an insert.
 */
const redirectFormerVersion = [
  `CREATE FUNCTION postcode.count_former_usage() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO postcode.usage_by_key AS d
      (organization_id, environment, date, key_id, operation, level, status, requests, credits)
    VALUES (NEW.organization_id, NEW.environment, NEW.date, '', NEW.operation, 0, 0, NEW.requests, NEW.credits)
    ON CONFLICT (organization_id, environment, date, key_id, operation, level, status) DO UPDATE SET
      requests = d.requests + excluded.requests, credits = d.credits + excluded.credits;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER count_former_usage BEFORE INSERT ON postcode.usage_days
    FOR EACH ROW EXECUTE FUNCTION postcode.count_former_usage()`
]

export const addUsageByKey = runAll(...createUsageByKey, ...createKeyTraffic, ...moveUsage, ...redirectFormerVersion)
