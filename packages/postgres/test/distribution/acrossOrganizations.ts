/**
 * Statements that do not name one organization, each with the reason. On a database that is spread by organization they
 * would ask all parts of it.
 */

interface AcrossOrganizations {
  /** A part of the statement, with single spaces, as in the source. */
  readonly includes: string
  readonly reason: string
  /** Whether the service works if the database refuses the statement, which may then have locks and lateral limits. */
  readonly isOptional?: true
}

export const acrossOrganizations: ReadonlyArray<AcrossOrganizations> = [
  { includes: "FROM postcode.api_keys k WHERE id =", reason: "an operator or a member names a key by its id alone" },
  { includes: "FROM postcode.api_keys WHERE id =", reason: "the organization of a key is not known before it is read" },
  {
    includes: "JOIN postcode.revisions r ON r.subject = 'keys'",
    reason: "a request has a key, or its id, and nothing else; copies in memory make this rare"
  },
  {
    includes: "SELECT organization_id, id FROM postcode.api_keys WHERE",
    reason: "keys that expire soon are looked for once an hour; each is then marked in its organization"
  },
  {
    includes: "UPDATE postcode.api_keys k SET last_used_at = u.at",
    reason: "the last uses of all keys are written once every few seconds"
  },
  { includes: "FROM postcode.management_keys WHERE hash =", reason: "a call has the key and nothing else" },
  { includes: "FROM postcode.management_keys WHERE id =", reason: "a management key is named by its id alone" },
  {
    includes: "AND revoked_at IS NULL AND role <> ALL(",
    reason: "a removed account may have created keys in several organizations"
  },
  {
    includes: "FROM postcode.access_requests WHERE",
    reason: "operators list the requests of all organizations, and decide by their ids"
  },
  { includes: "min(at) AS oldest_at FROM (", reason: "operators see how many reviews wait" },
  {
    includes: "FROM postcode.organizations WHERE",
    reason: "operators list and search organizations; mail needs the names of some; maintenance looks for closed ones"
  },
  { includes: "AS o WHERE", reason: "operators list and search organizations" },
  {
    includes: "FROM postcode.organizations o WHERE o.closes_at",
    reason: "organizations that were never used are looked for once an hour"
  },
  {
    includes: "UNION ALL SELECT environment, charged_day, 'charged', charged_today FROM postcode.credit_accounts",
    reason: "operators see the sums of all organizations"
  },
  {
    includes: "least((SELECT min(day) FROM postcode.credit_days)",
    reason: "the first day of any organization is looked for before the first sums of days are stored"
  },
  { includes: "SELECT generate_series(", reason: "maintenance looks for months without a partition" },
  {
    includes: "max(number) AS last_number",
    reason: "a month of the ledger is closed for all organizations, or for none"
  },
  {
    includes: "SELECT to_char(min(month), 'YYYY-MM') AS month FROM (",
    reason: "a command looks for months of the ledger that are not closed"
  },
  {
    includes: "FROM postcode.ledger_closings WHERE month",
    reason: "a month of the ledger is archived with its closings"
  },
  {
    includes: "UNION SELECT to_char(created_at, 'YYYY-MM') FROM postcode.ledger_entries_default",
    reason: "a command verifies the ledger of all organizations"
  },
  {
    includes: "SELECT organization_id, environment, balance::float8, entries::float8 FROM postcode.credit_accounts",
    reason: "a command verifies the ledger of all organizations"
  },
  {
    includes: "SELECT organization_id, environment, count(*)::float8 AS entries FROM postcode.ledger_references",
    reason: "a command verifies the ledger of all organizations"
  },
  { includes: "FROM postcode.idempotency_keys WHERE expires_at <=", reason: "maintenance deletes what has expired" },
  { includes: "DELETE FROM postcode.key_days WHERE day <", reason: "maintenance deletes what has expired" },
  { includes: "DELETE FROM postcode.key_traffic WHERE since <", reason: "maintenance deletes what has expired" },
  { includes: "DELETE FROM postcode.session_uses WHERE ends_at <", reason: "maintenance deletes what has expired" },
  {
    includes: "INSERT INTO postcode.key_traffic AS t",
    reason: "a process adds the counters of all its keys once a second"
  },
  {
    includes: "INSERT INTO postcode.usage_by_day AS d",
    reason: "a process adds the counters of all its keys once a second"
  },
  {
    includes: "INSERT INTO postcode.usage_by_key AS d",
    reason: "a process adds the counters of all its keys once a second"
  },
  {
    includes: "SELECT coalesce(e.organization_id, ''), e.number,",
    reason: "events without an organization have an empty one, and those of one change may be of several"
  },
  {
    includes: "FROM postcode.audit_events WHERE",
    reason: "operators list the events of all organizations; times are turned into numbers by all events"
  },
  {
    includes: "INSERT INTO postcode.selections (organization_id, at, id, number,",
    reason: "a process stores all its selections four times a second"
  },
  {
    includes: "FROM postcode.webhook_endpoints LIMIT 1",
    reason: "a process asks whether there are webhooks at all, when some were created"
  },
  { includes: "FROM postcode.webhook_endpoints WHERE id =", reason: "a webhook is named by its id alone" },
  {
    includes: "SELECT organization_id FROM",
    reason: "the organization of a webhook or a delivery is read before it is changed"
  },
  { includes: "FROM postcode.webhook_deliveries d WHERE d.id =", reason: "a delivery is named by its id alone" },
  {
    includes: "FROM postcode.webhook_deliveries d WHERE d.endpoint_id =",
    reason: "a webhook is named by its id alone"
  },
  {
    includes: "WHERE d.due_at <= now() AND e.leased_until <= now() AND e.listened_at IS NULL",
    reason: "due deliveries of all organizations are looked for once a second; each is then leased in its organization"
  },
  { includes: "listened_at > now() - interval '1 minute' AS was_heard", reason: "a listener is named by its id alone" },
  {
    includes: "SELECT DISTINCT organization_id AS id FROM postcode.webhook_endpoints",
    reason: "an event about the directory is sent to all organizations"
  },
  {
    includes: "SELECT e.organization_id, e.id FROM postcode.webhook_endpoints e WHERE e.organization_id = ANY",
    reason: "an event about the directory is sent to 200 organizations at once"
  },
  {
    includes: "SELECT c.organization_id, c.id, c.number, c.endpoint_id, c.event_id,",
    reason: "an event about the directory is sent to 200 organizations at once"
  },
  {
    includes: "DELETE FROM postcode.webhook_endpoints WHERE listened_at <",
    reason: "maintenance deletes listeners that are gone"
  },
  {
    includes: "DELETE FROM postcode.webhook_deliveries d WHERE (d.due_at IS NULL",
    reason: "maintenance deletes past deliveries"
  },
  {
    includes: "GROUP BY organization_id, endpoint_id HAVING count(*) >",
    reason: "maintenance looks for webhooks with too many deliveries; each is then shortened in its organization"
  },
  {
    includes: "DELETE FROM postcode.own_bookmarks WHERE subject IN (",
    reason: "an end user may have bookmarks in any organization"
  },
  {
    includes: "date_trunc('month', now() - make_interval(days =>",
    reason: "maintenance deletes rows before the retention"
  },
  {
    includes: "WITH moved AS ( DELETE FROM postcode.",
    reason: "maintenance moves rows to the partition of their month"
  },
  {
    includes: "SELECT w.place::integer, extract(epoch FROM statement_timestamp())::float8 * 1e6 AS now_us,",
    reason:
      "several balances share a round trip; if that is refused, each is charged alone, which names its organization",
    isOptional: true
  },
  {
    includes: "WITH account AS ( UPDATE postcode.credit_accounts a SET balance = w.balance,",
    reason: "several balances share a commit; if that is refused, each is charged alone, which names its organization",
    isOptional: true
  }
]
