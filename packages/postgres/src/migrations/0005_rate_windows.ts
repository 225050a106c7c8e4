/**
 * Rate limits that replicas share: the permits of each subject, by the time at which they count.
 *
 * A permit counts for a minute. While a replica holds it, it counts from the end of the lease and one second more, which
 * is when the replica must have given it back; once it is known when it was used, from then. So no minute sees more than
 * the limit, whatever becomes of the replica.
 */
import { runAll } from "./Statements.ts"

/**
 * Written all the time and worth nothing after a minute: so it is in no write-ahead log and no replica, and a crash of
 * the database empties it. The free half of each page lets rows change in place. `subject` is a hash under the pepper: an
 * address is personal data.
 */
const createTable = `CREATE UNLOGGED TABLE postcode.rate_windows (
  subject text COLLATE "C" PRIMARY KEY,
  times_ms bigint[] NOT NULL,
  counts integer[] NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1)`

/**
 * What has left the window goes, a lease that is over (`ended_ms`, `leased`) is replaced by what was used of it, and what
 * lies within half a second counts as one, from the last of it. So there are never many entries. A clock that was set
 * back leaves entries in the future: they count as the latest possible ones.
 */
const settle = `CREATE FUNCTION postcode.settle_permits(
  now_ms bigint, INOUT times_ms bigint[], INOUT counts integer[],
  ended_ms bigint, leased integer, used integer, age_ms integer, OUT total integer
) LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(at_ms ORDER BY at_ms), '{}'), coalesce(array_agg(count ORDER BY at_ms), '{}'),
    coalesce(sum(count), 0)::integer
  FROM (
    SELECT max(at_ms) FILTER (WHERE count > 0) AS at_ms, sum(count)::integer AS count
    FROM (
      SELECT least(at_ms, now_ms + 20000) AS at_ms, count FROM unnest(times_ms, counts) AS entry (at_ms, count)
      UNION ALL SELECT ended_ms, -leased
      UNION ALL SELECT now_ms - age_ms, used
    ) AS entry
    WHERE at_ms > now_ms - 60000
    GROUP BY (at_ms + 499) / 500
    HAVING sum(count) > 0
  ) AS slot
$$`

/** When, after `full` or more permits, fewer are in the window for the first time. */
const opens = `CREATE FUNCTION postcode.permits_open_ms(
  times_ms bigint[], counts integer[], full_at integer, total integer
) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT min(at_ms) + 60000
  FROM (
    SELECT at_ms, total - sum(count) OVER (ORDER BY at_ms) AS left_over
    FROM unnest(times_ms, counts) AS entry (at_ms, count)
  ) AS entry
  WHERE left_over < full_at
$$`

/**
 * Answers the questions of one replica, each about another subject: first what is given back, then what is needed. On top
 * of `needs` it gives up to `extras`, at most a tenth of what is left and a twentieth of the limit, so that little lies
 * unused with one replica while another has to refuse. Permits are lent for 10 seconds where half of the window is free,
 * else for one. Rows are locked in the order of subjects, so that replicas never wait for each other in a circle.
 */
const takePermitsAt = `CREATE FUNCTION postcode.take_permits_at(
  now_ms bigint, subjects text[], limits integer[], needs integer[], extras integer[],
  ended_ms bigint[], leased integer[], used integer[], ages_ms integer[]
) RETURNS TABLE (
  number bigint, granted integer, total integer, end_ms bigint, valid_ms integer,
  opens_ms integer, recheck_ms integer, reset_ms integer
) LANGUAGE plpgsql AS $$
DECLARE
  ask record;
  entries record;
BEGIN
  FOR ask IN
    SELECT * FROM unnest(subjects, limits, needs, extras, ended_ms, leased, used, ages_ms)
      WITH ORDINALITY AS question (subject, full_at, need, extra, ended_ms, leased, used, age_ms, number)
    ORDER BY question.subject COLLATE "C"
  LOOP
    LOOP
      SELECT w.times_ms, w.counts, 0 AS total INTO entries FROM postcode.rate_windows AS w
        WHERE w.subject = ask.subject FOR UPDATE;
      EXIT WHEN FOUND;
      -- A look alone leaves nothing behind.
      IF ask.need + ask.extra + ask.used = 0 THEN
        SELECT '{}'::bigint[] AS times_ms, '{}'::integer[] AS counts, 0 AS total INTO entries;
        EXIT;
      END IF;
      INSERT INTO postcode.rate_windows VALUES (ask.subject, '{}', '{}') ON CONFLICT DO NOTHING;
    END LOOP;
    SELECT * INTO entries FROM postcode.settle_permits(
      now_ms, entries.times_ms, entries.counts, ask.ended_ms, ask.leased, ask.used, ask.age_ms
    );
    number := ask.number;
    granted := greatest(0, least(ask.full_at - entries.total,
      ask.need + least(ask.extra, (ask.full_at - entries.total) / 10, ask.full_at / 20)));
    total := entries.total + granted;
    valid_ms := CASE WHEN total * 2 <= ask.full_at THEN 10000 ELSE 1000 END;
    end_ms := now_ms + valid_ms + 1000;
    reset_ms := coalesce(entries.times_ms[cardinality(entries.times_ms)] + 60000 - now_ms, 0);
    -- Another replica may give some back.
    recheck_ms := CASE WHEN reset_ms > 60000 THEN 500 ELSE 60000 END;
    IF granted > 0 THEN
      entries.times_ms := entries.times_ms || end_ms;
      entries.counts := entries.counts || granted;
    END IF;
    IF granted + ask.leased + ask.used > 0 THEN
      UPDATE postcode.rate_windows AS w SET times_ms = entries.times_ms, counts = entries.counts
        WHERE w.subject = ask.subject;
    END IF;
    opens_ms := CASE WHEN total < ask.full_at THEN 0 ELSE
      coalesce(postcode.permits_open_ms(entries.times_ms, entries.counts, ask.full_at, total) - now_ms, 60000) END;
    recheck_ms := least(recheck_ms, opens_ms);
    RETURN NEXT;
  END LOOP;
END $$`

const takePermits = `CREATE FUNCTION postcode.take_permits(
  subjects text[], limits integer[], needs integer[], extras integer[],
  ended_ms bigint[], leased integer[], used integer[], ages_ms integer[]
) RETURNS TABLE (
  number bigint, granted integer, total integer, end_ms bigint, valid_ms integer,
  opens_ms integer, recheck_ms integer, reset_ms integer
) LANGUAGE sql AS $$
  SELECT * FROM postcode.take_permits_at((extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    subjects, limits, needs, extras, ended_ms, leased, used, ages_ms)
$$`

export const createRateWindows = runAll(createTable, settle, opens, takePermitsAt, takePermits)
