/**
 * Where the tables of the schema would be if organizations were spread over several databases: each table is on one of
 * these lists.
 */

/** Tables whose rows belong to one organization, which `organization_id` names; of `organizations` it is `id`. */
export const organizationTables = [
  "access_requests",
  "api_keys",
  "audit_events",
  "credit_accounts",
  "credit_days",
  "idempotency_keys",
  "key_days",
  "key_traffic",
  "ledger_closings",
  "ledger_entries",
  "ledger_references",
  "management_keys",
  "organizations",
  "own_bookmarks",
  "selections",
  "session_uses",
  "usage_by_day",
  "usage_by_key",
  "webhook_deliveries",
  "webhook_endpoints",
  "widget_settings"
] as const

/** Tables that statements join to those of an organization: each database would have a copy. */
export const sharedTables = [
  "accounts",
  "credit_totals",
  "end_user_identifiers",
  "ledger_months",
  "memberships",
  "notices",
  "notices_off",
  "revisions"
] as const

/** Tables that no statement joins to those of an organization: one database would have them. */
export const localTables = [
  "account_links",
  "console_sessions",
  "device_logins",
  "directory_announcement",
  "directory_batches",
  "directory_changes",
  "directory_editions",
  "directory_import",
  "directory_import_parts",
  "directory_snapshots",
  "edition_units",
  "end_users",
  "invitations",
  "migrations",
  "notice_sender",
  "passkey_challenges",
  "passkeys",
  "rate_windows",
  "sign_up_stopped",
  "usage_writers"
] as const

const ofOrganizations: ReadonlySet<string> = new Set(organizationTables)
const local: ReadonlySet<string> = new Set(localTables)

/** Tables by their names, also by that of a partition. */
export const isOfOrganization = (table: string): boolean => ofOrganizations.has(partitionedTable(table))
export const isLocal = (table: string): boolean => local.has(table)

const partitionedTable = (table: string): string => table.replace(/_(default|\d{4}_\d{2})$/, "")

/** The column that names the organization of a row. */
export const keyOf = (table: string): "id" | "organization_id" => (table === "organizations" ? "id" : "organization_id")
