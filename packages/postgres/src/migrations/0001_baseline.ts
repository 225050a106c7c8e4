/**
 * The schema: a section for each room.
 *
 * The tables of organizations can be sharded by organization id. So the id is part of each key, the service generates
 * ids and numbers, and these tables have no identity columns, triggers or functions. `number` is the order of creation,
 * see RowNumber.ts.
 *
 * Texts that are only compared for equality have the collation "C", which compares fastest. Tables whose rows change
 * have a fillfactor, so that rows are updated in place.
 */
import { attributeEntry, attributeNames } from "@postcode/core/UnitAttributes"
import { runAll } from "./Statements.ts"

const organizations = [
  `CREATE TABLE postcode.organizations (
    id text PRIMARY KEY,
    number bigint NOT NULL,
    name text NOT NULL,
    searchable_name text NOT NULL
      GENERATED ALWAYS AS (lower(regexp_replace(normalize(name, NFD), '[\\u0300-\\u036f]', '', 'g') COLLATE "C")) STORED,
    name_parts text[] COLLATE "C" NOT NULL DEFAULT '{}',
    granted_level smallint NOT NULL CHECK (granted_level BETWEEN 1 AND 5),
    kyb_status text NOT NULL CHECK (kyb_status IN ('unverified', 'pending', 'verified', 'rejected')),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
    status_reason text,
    status_changed_at timestamptz,
    kyb_submission json,
    verified_name text,
    review_note text,
    rate_limit_per_minute integer CHECK (rate_limit_per_minute > 0),
    created_at timestamptz NOT NULL,
    closes_at timestamptz
  )`,
  // Without statistics, the planner's samples contain no submitted documents.
  "ALTER TABLE postcode.organizations ALTER COLUMN kyb_submission SET STATISTICS 0",
  "CREATE INDEX organizations_number ON postcode.organizations (number)",
  "CREATE INDEX organizations_kyb_status ON postcode.organizations (kyb_status, number)",
  "CREATE INDEX organizations_status ON postcode.organizations (status, number)",
  // See nameParts.ts. Without a list of pending entries, which each search would read as a whole.
  "CREATE INDEX organizations_name ON postcode.organizations USING gin (name_parts) WITH (fastupdate = off)",
  `CREATE TABLE postcode.access_requests (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text NOT NULL,
    number bigint NOT NULL,
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
  "CREATE INDEX access_requests_status ON postcode.access_requests (status, number)",
  "CREATE INDEX access_requests_organization_number ON postcode.access_requests (organization_id, number)",
  `CREATE UNIQUE INDEX access_requests_pending ON postcode.access_requests (organization_id, level)
    WHERE status = 'pending'`
]

/** Ids and hashes are random enough not to collide, so no unique index is needed for either alone. */
const keys = [
  `CREATE TABLE postcode.api_keys (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text NOT NULL,
    number bigint NOT NULL,
    hash text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('secret', 'publishable')),
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    scopes text[] NOT NULL,
    max_level smallint NOT NULL CHECK (max_level BETWEEN 1 AND 5),
    origins text[] NOT NULL,
    allowed_ips text[] NOT NULL DEFAULT '{}',
    rate_limit_per_minute integer,
    daily_credit_limit integer CHECK (daily_credit_limit > 0),
    prefix text NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    replaces text,
    replaced_by text,
    chain_id text,
    expiry_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, id)
  ) WITH (fillfactor = 80)`,
  "CREATE INDEX api_keys_id ON postcode.api_keys (id)",
  "CREATE INDEX api_keys_hash ON postcode.api_keys (hash)",
  `CREATE INDEX api_keys_expiring ON postcode.api_keys (expires_at)
    WHERE revoked_at IS NULL AND replaced_by IS NULL AND NOT expiry_reported`,
  "CREATE INDEX api_keys_number ON postcode.api_keys (organization_id, number)",
  // A row for all keys: its revision changes in every transaction that changes what a key may do, so that replicas notice.
  // Random, because a restored backup would repeat a number. Uses and charges of keys do not change it.
  `CREATE TABLE postcode.revisions (
    subject text COLLATE "C" PRIMARY KEY CHECK (subject IN ('keys', 'webhooks')),
    revision uuid NOT NULL
  ) WITH (fillfactor = 50)`,
  "INSERT INTO postcode.revisions VALUES ('keys', gen_random_uuid()), ('webhooks', gen_random_uuid())",
  // Days in UTC of chains of keys with a daily limit: the credits charged, and the limit for which an event was sent. A
  // chain has the id of its first key, whose own `chain_id` is null.
  `CREATE TABLE postcode.key_days (
    organization_id text NOT NULL,
    chain_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    charged bigint NOT NULL CHECK (charged > 0),
    reported_limit integer,
    PRIMARY KEY (organization_id, chain_id, day)
  ) WITH (fillfactor = 50)`
]

const credits = [
  // Balances are integers that a double can hold. Every change that charges depend on increments `revision`. No entry is
  // earlier than `last_entry_at`, even if the clock is set back, so the numbers of a month have no gaps.
  `CREATE TABLE postcode.credit_accounts (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9007199254740991),
    entries bigint NOT NULL CHECK (entries >= 0),
    revision bigint NOT NULL DEFAULT 0,
    low_balance_threshold bigint CHECK (low_balance_threshold > 0),
    is_shortage_reported boolean NOT NULL DEFAULT false,
    charged_day date,
    charged_today bigint NOT NULL DEFAULT 0 CHECK (charged_today >= 0),
    last_entry_at timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (organization_id, environment)
  ) WITH (fillfactor = 50)`,
  // The sums of entries by day in UTC. Those of charges come from \`charged_today\` once \`charged_day\` is over, so that a
  // charge writes no further row.
  `CREATE TABLE postcode.credit_days (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    day date NOT NULL,
    sum text COLLATE "C" NOT NULL CHECK (sum IN ('opening', 'granted', 'refunded', 'adjusted', 'charged')),
    credits bigint NOT NULL,
    PRIMARY KEY (organization_id, environment, day, sum)
  ) WITH (fillfactor = 80)`,
  "CREATE INDEX credit_days_day ON postcode.credit_days (day)",
  "CREATE INDEX credit_accounts_charged_day ON postcode.credit_accounts (charged_day)",
  // The sums of all organizations on days that have ended, see CreditTotals.ts. Days have no gaps.
  `CREATE TABLE postcode.credit_totals (
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    day date NOT NULL,
    has_entries boolean NOT NULL,
    opening bigint NOT NULL,
    granted bigint NOT NULL,
    refunded bigint NOT NULL,
    adjusted bigint NOT NULL,
    charged bigint NOT NULL,
    PRIMARY KEY (environment, day)
  )`,
  // Entries are written together with their account, so a foreign key would only cost a lookup per row. `number` counts
  // the entries of the account. Partitioned by month; the months also have a unique index of ids, see Partitions.ts.
  `CREATE TABLE postcode.ledger_entries (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    number bigint NOT NULL CHECK (number > 0),
    id text COLLATE "C" NOT NULL,
    amount bigint NOT NULL CHECK (amount <> 0),
    reason text NOT NULL CHECK (reason IN ('opening', 'grant', 'refund', 'adjustment', 'lookup', 'lookup_batch',
      'widget_session', 'address_search', 'address_batch', 'directory_changes')),
    reference text NOT NULL,
    key_id text COLLATE "C",
    level smallint,
    note text,
    balance_after bigint NOT NULL CHECK (balance_after >= 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, environment, number, created_at)
  ) PARTITION BY RANGE (created_at)`,
  // References are random. A B-tree would change another page for each entry, so they are summarized by ranges of pages:
  // 64 pages hold about 2,500 entries.
  `CREATE INDEX ledger_entries_reference ON postcode.ledger_entries
    USING brin (hashtextextended(reference, hashtextextended(organization_id, 0))
      int8_bloom_ops (n_distinct_per_range = 3000)) WITH (pages_per_range = 64, autosummarize = on)`,
  "CREATE TABLE postcode.ledger_entries_default PARTITION OF postcode.ledger_entries DEFAULT",
  "CREATE UNIQUE INDEX ledger_entries_default_id ON postcode.ledger_entries_default (organization_id, id)",
  // The references of grants and corrections, which count once for ever, with the response to a repetition.
  `CREATE TABLE postcode.ledger_references (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    purpose text COLLATE "C" NOT NULL CHECK (purpose IN ('grant', 'correction')),
    reference text NOT NULL,
    entry_id text COLLATE "C" NOT NULL,
    amount bigint NOT NULL,
    reason text NOT NULL,
    note text,
    balance_after bigint NOT NULL,
    PRIMARY KEY (organization_id, environment, purpose, reference)
  )`,
  // Months that take no more entries, which are closed when `closed_at` is set. `file`, `sha256` and `bytes` describe the
  // archive.
  `CREATE TABLE postcode.ledger_months (
    month date PRIMARY KEY,
    entries bigint CHECK (entries >= 0),
    closed_at timestamptz,
    file text,
    sha256 text,
    bytes bigint,
    archived_at timestamptz,
    dropped_at timestamptz
  )`,
  // The account at the end of a closed month in which it has entries: their number and sum, the number of the last entry,
  // and the balance.
  `CREATE TABLE postcode.ledger_closings (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    month date NOT NULL,
    entries bigint NOT NULL CHECK (entries > 0),
    sum bigint NOT NULL,
    last_number bigint NOT NULL,
    balance bigint NOT NULL CHECK (balance >= 0),
    PRIMARY KEY (organization_id, environment, month)
  )`,
  "CREATE INDEX ledger_closings_month ON postcode.ledger_closings (month)",
  `CREATE TABLE postcode.idempotency_keys (
    organization_id text NOT NULL,
    chain_id text NOT NULL,
    idempotency_key text COLLATE "C" NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    charged bigint NOT NULL CHECK (charged >= 0),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, chain_id, idempotency_key)
  )`,
  "CREATE INDEX idempotency_keys_expires_at ON postcode.idempotency_keys (expires_at)"
]

/**
 * A journal has one partition per month, see Partitions.ts. Rows without a month go to the default partition instead of
 * failing. Events without an organization have an empty id, because the id is part of the key.
 */
const audit = [
  `CREATE TABLE postcode.audit_events (
    organization_id text NOT NULL,
    number bigint NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    id text NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details json NOT NULL,
    PRIMARY KEY (organization_id, number, stored_at)
  ) PARTITION BY RANGE (stored_at)`,
  "CREATE INDEX audit_events_number_index ON postcode.audit_events (number)",
  "CREATE INDEX audit_events_action ON postcode.audit_events (action, number)",
  "CREATE INDEX audit_events_organization_action ON postcode.audit_events (organization_id, action, number)",
  "CREATE INDEX audit_events_actor ON postcode.audit_events (actor, number)",
  "CREATE INDEX audit_events_subject ON postcode.audit_events (subject, number)",
  "CREATE INDEX audit_events_at ON postcode.audit_events (at)",
  "CREATE TABLE postcode.audit_events_default PARTITION OF postcode.audit_events DEFAULT"
]

/**
 * Also partitioned by month. Unknown or missing values are empty or 0, because all columns are part of the key. A
 * report by key reads in primary key order and stops when it has enough rows; a report of a single key uses the index.
 * All other reports read `usage_by_day`, whose rows are the sums of all keys.
 */
const usage = [
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
  "CREATE TABLE postcode.usage_by_key_default PARTITION OF postcode.usage_by_key DEFAULT",
  `CREATE TABLE postcode.usage_by_day (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    date date NOT NULL,
    operation text COLLATE "C" NOT NULL,
    level smallint NOT NULL CHECK (level BETWEEN 0 AND 5),
    status smallint NOT NULL,
    requests bigint NOT NULL CHECK (requests > 0),
    credits bigint NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (organization_id, environment, date, operation, level, status)
  ) PARTITION BY RANGE (date)`,
  "CREATE TABLE postcode.usage_by_day_default PARTITION OF postcode.usage_by_day DEFAULT",
  // The recent traffic of each key.
  `CREATE TABLE postcode.key_traffic (
    organization_id text NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL,
    requests bigint NOT NULL CHECK (requests > 0),
    credits bigint NOT NULL CHECK (credits >= 0),
    refused bigint NOT NULL CHECK (refused >= 0),
    PRIMARY KEY (organization_id, key_id, since)
  ) WITH (fillfactor = 50)`,
  "CREATE INDEX key_traffic_since ON postcode.key_traffic (since)",
  // The number of the last stored batch of each process.
  `CREATE TABLE postcode.usage_writers (
    id text PRIMARY KEY,
    batch bigint NOT NULL,
    written_at timestamptz NOT NULL
  ) WITH (fillfactor = 50)`
]

/**
 * Secrets are encrypted. A lease is ended by its number, so that an expired lease cannot end a later one. `listened_at`
 * is set for listeners, whose program takes the deliveries.
 */
const webhooks = [
  `CREATE TABLE postcode.webhook_endpoints (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    url text NOT NULL,
    description text,
    secret text NOT NULL,
    former_secret text,
    former_secret_until timestamptz,
    created_at timestamptz NOT NULL,
    disabled_at timestamptz,
    listened_at timestamptz,
    lease bigint NOT NULL DEFAULT 0,
    leased_until timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (organization_id, id)
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX webhook_endpoints_id ON postcode.webhook_endpoints (id)",
  "CREATE INDEX webhook_endpoints_number ON postcode.webhook_endpoints (organization_id, number)",
  // `due_at` is null for settled deliveries, so the partial index contains pending ones only. With a foreign key,
  // charges would wait for the removal of an endpoint and then fail. Maintenance deletes deliveries without an
  // endpoint.
  `CREATE TABLE postcode.webhook_deliveries (
    organization_id text NOT NULL,
    id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
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
    PRIMARY KEY (organization_id, id),
    CHECK ((status = 'pending') = (due_at IS NOT NULL))
  ) WITH (fillfactor = 70)`,
  "CREATE INDEX webhook_deliveries_id ON postcode.webhook_deliveries (id)",
  "CREATE INDEX webhook_deliveries_endpoint ON postcode.webhook_deliveries (endpoint_id, number)",
  `CREATE INDEX webhook_deliveries_due ON postcode.webhook_deliveries (organization_id, endpoint_id, due_at, number)
    WHERE due_at IS NOT NULL`,
  // At most one row: the version of the directory that was announced last. While `event` is not null, it is being sent to
  // organizations in the order of their ids, and `sent_to` is the last one that got it.
  `CREATE TABLE postcode.directory_announcement (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    edition text NOT NULL,
    changes integer NOT NULL,
    at timestamptz NOT NULL,
    event json,
    sent_to text NOT NULL DEFAULT ''
  )`
]

/**
 * Notices to people, by mail. `due_at` is null for settled notices. `token` is encrypted, and null once a notice is
 * settled. `client` is a keyed hash, and null after an hour. A lease is identified by its number of attempts.
 */
const notices = [
  `CREATE TABLE postcode.notices (
    id text COLLATE "C" PRIMARY KEY,
    number bigint GENERATED ALWAYS AS IDENTITY,
    kind text COLLATE "C" NOT NULL,
    class text NOT NULL CHECK (class IN ('other', 'requested', 'safety')),
    email text COLLATE "C" NOT NULL,
    account_id text,
    organization_id text,
    facts json NOT NULL,
    token text,
    link_expires_at timestamptz,
    client text COLLATE "C",
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed', 'skipped')),
    attempts integer NOT NULL DEFAULT 0,
    fault text,
    created_at timestamptz NOT NULL,
    last_attempt_at timestamptz,
    first_due_at timestamptz NOT NULL,
    due_at timestamptz,
    leased_until timestamptz,
    CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    CHECK (status = 'pending' OR token IS NULL)
  ) WITH (fillfactor = 70)`,
  "ALTER TABLE postcode.notices ALTER COLUMN email SET STATISTICS 0",
  "CREATE UNIQUE INDEX notices_number ON postcode.notices (number)",
  "CREATE INDEX notices_email ON postcode.notices (email, first_due_at)",
  "CREATE INDEX notices_client ON postcode.notices (client, created_at) WHERE client IS NOT NULL",
  "CREATE INDEX notices_created ON postcode.notices (created_at)",
  "CREATE INDEX notices_due ON postcode.notices (due_at) WHERE due_at IS NOT NULL",
  "CREATE INDEX notices_sent ON postcode.notices (last_attempt_at) WHERE status = 'sent'",
  "CREATE INDEX notices_leased ON postcode.notices (leased_until) WHERE leased_until IS NOT NULL",
  // At most one row: the process that sends.
  `CREATE TABLE postcode.notice_sender (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    process text NOT NULL,
    until timestamptz NOT NULL
  )`,
  // The kinds that accounts have switched off.
  `CREATE TABLE postcode.notices_off (
    account_id text NOT NULL REFERENCES postcode.accounts ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, kind)
  )`
]

/**
 * End users belong to no organization. Their selections do, and are partitioned by month. `json` keeps a text exactly
 * as written, including escapes of U+0000.
 */
const widget = [
  `CREATE TABLE postcode.end_users (
    id text PRIMARY KEY,
    bookmarks json NOT NULL
  )`,
  `CREATE TABLE postcode.end_user_identifiers (
    hash text COLLATE "C" PRIMARY KEY,
    end_user_id text NOT NULL REFERENCES postcode.end_users
  )`,
  "CREATE INDEX end_user_identifiers_end_user ON postcode.end_user_identifiers (end_user_id)",
  `CREATE TABLE postcode.selections (
    organization_id text NOT NULL,
    at timestamptz NOT NULL,
    id text NOT NULL,
    number bigint NOT NULL,
    key_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    subject text,
    postcode text NOT NULL,
    source text,
    PRIMARY KEY (organization_id, at, id)
  ) PARTITION BY RANGE (at)`,
  "CREATE INDEX selections_organization_number ON postcode.selections (organization_id, number)",
  "CREATE TABLE postcode.selections_default PARTITION OF postcode.selections DEFAULT",
  // Bookmarks that end users saved in sessions of one organization. `subject` is the hash of an identifier.
  `CREATE TABLE postcode.own_bookmarks (
    organization_id text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('test', 'live')),
    subject text COLLATE "C" NOT NULL,
    bookmarks json NOT NULL,
    PRIMARY KEY (organization_id, environment, subject)
  )`,
  "CREATE INDEX own_bookmarks_subject ON postcode.own_bookmarks (subject)",
  // Proof keys are encrypted.
  `CREATE TABLE postcode.widget_settings (
    organization_id text PRIMARY KEY,
    own_bookmarks boolean NOT NULL,
    bookmarks_without_proof boolean NOT NULL,
    proof_key text,
    proof_key_created_at timestamptz,
    former_proof_key text,
    former_proof_key_until timestamptz
  )`,
  // Worthless after 15 minutes, so without write-ahead log. `session` is the hash of a token.
  `CREATE UNLOGGED TABLE postcode.session_uses (
    organization_id text NOT NULL,
    session text COLLATE "C" NOT NULL,
    use text NOT NULL,
    uses integer NOT NULL,
    ends_at timestamptz NOT NULL,
    PRIMARY KEY (organization_id, session, use)
  ) WITH (fillfactor = 70)`
]

/**
 * Accounts of the console. An account may belong to several organizations, and an email address is unique over all of them, so
 * these tables cannot be sharded. Tokens are stored as hashes. A session is valid only with its account's current
 * epoch.
 */
const accounts = [
  `CREATE TABLE postcode.accounts (
    id text PRIMARY KEY,
    number bigint NOT NULL,
    email text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    is_operator boolean NOT NULL,
    password text NOT NULL,
    epoch integer NOT NULL,
    created_at timestamptz NOT NULL
  )`,
  // Without statistics, the planner's samples contain no personal data.
  `ALTER TABLE postcode.accounts ALTER COLUMN email SET STATISTICS 0, ALTER COLUMN name SET STATISTICS 0,
    ALTER COLUMN password SET STATISTICS 0`,
  // Hashes are random enough not to collide, so no unique index is needed for them alone.
  `CREATE TABLE postcode.management_keys (
    organization_id text NOT NULL REFERENCES postcode.organizations,
    id text NOT NULL,
    number bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
    prefix text NOT NULL,
    created_by text NOT NULL,
    allowed_ips text[] NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (organization_id, id)
  ) WITH (fillfactor = 80)`,
  "CREATE INDEX management_keys_id ON postcode.management_keys (id)",
  "CREATE INDEX management_keys_hash ON postcode.management_keys (hash)",
  "CREATE INDEX management_keys_created_by ON postcode.management_keys (created_by)",
  "CREATE INDEX management_keys_number ON postcode.management_keys (organization_id, number)",
  "CREATE INDEX accounts_operators ON postcode.accounts (number) WHERE is_operator",
  `CREATE TABLE postcode.memberships (
    account_id text NOT NULL REFERENCES postcode.accounts ON DELETE CASCADE,
    organization_id text NOT NULL,
    number bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, organization_id)
  )`,
  "CREATE INDEX memberships_organization ON postcode.memberships (organization_id, number)",
  `CREATE TABLE postcode.invitations (
    id text PRIMARY KEY,
    number bigint NOT NULL,
    hash text COLLATE "C" NOT NULL UNIQUE,
    role text NOT NULL CHECK (role IN ('operator', 'owner', 'developer', 'billing')),
    email text COLLATE "C",
    organization_id text,
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
  // Links that were sent by mail. `client` and `network` are keyed hashes of where a sign-up came from.
  `CREATE TABLE postcode.account_links (
    hash text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('sign_up', 'reset_password', 'new_address', 'former_address')),
    email text COLLATE "C" NOT NULL,
    account_id text,
    password text,
    accepted text,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    is_void boolean NOT NULL,
    is_used boolean NOT NULL,
    client text COLLATE "C",
    network text COLLATE "C"
  )`,
  `ALTER TABLE postcode.account_links ALTER COLUMN email SET STATISTICS 0, ALTER COLUMN password SET STATISTICS 0`,
  "CREATE INDEX account_links_account ON postcode.account_links (account_id) WHERE account_id IS NOT NULL",
  "CREATE INDEX account_links_created ON postcode.account_links (created_at)",
  "CREATE INDEX account_links_client ON postcode.account_links (client, created_at) WHERE client IS NOT NULL",
  "CREATE INDEX account_links_network ON postcode.account_links (network, created_at) WHERE network IS NOT NULL",
  // Logins of devices. A decision is read once, which deletes the row.
  `CREATE TABLE postcode.device_logins (
    device_hash text COLLATE "C" PRIMARY KEY,
    user_hash text COLLATE "C" NOT NULL UNIQUE,
    machine text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    polled_at timestamptz,
    is_approved boolean,
    account_id text,
    organization_id text,
    role text CHECK (role IN ('owner', 'developer', 'billing'))
  )`,
  // At most one row: while it is there, nobody can sign up.
  "CREATE TABLE postcode.sign_up_stopped (one boolean PRIMARY KEY DEFAULT true CHECK (one))",
  `CREATE TABLE postcode.passkeys (
    id text PRIMARY KEY,
    number bigint NOT NULL,
    account_id text NOT NULL REFERENCES postcode.accounts ON DELETE CASCADE,
    name text NOT NULL,
    credential_id text COLLATE "C" NOT NULL UNIQUE,
    public_key text NOT NULL,
    counter bigint NOT NULL,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz
  )`,
  "CREATE INDEX passkeys_account ON postcode.passkeys (account_id, number)",
  // `account_id` is null for a sign-in, because the account is not known yet.
  `CREATE TABLE postcode.passkey_challenges (
    hash text COLLATE "C" PRIMARY KEY,
    account_id text,
    expires_at timestamptz NOT NULL
  )`
]

const attributeColumns = attributeNames
  .map((name) => `${name} ${{ text: "text", flag: "boolean", integer: "integer" }[attributeEntry(name).type]}`)
  .join(",\n    ")

/**
 * The editions of the directory. The import creates one more table for the units of each edition, which is never updated:
 * the state of a unit is that of its last change, if it has any. Changes outlive their edition, for the history of units.
 */
const directory = [
  // `warnings`: `DirectoryWarning` of core, at the import; the changes since are not looked at.
  // `current_since`: when the edition last became current; `base_changes`: the number of its changes then.
  `CREATE TABLE postcode.directory_editions (
    edition integer PRIMARY KEY CHECK (edition > 0),
    is_current boolean NOT NULL,
    version text NOT NULL,
    date text NOT NULL,
    units integer NOT NULL,
    active_units integer NOT NULL,
    changes integer NOT NULL DEFAULT 0 CHECK (changes >= 0),
    places jsonb NOT NULL,
    warnings jsonb NOT NULL,
    checksum text NOT NULL,
    snapshot_bytes bigint NOT NULL,
    current_since timestamptz,
    base_changes integer NOT NULL DEFAULT 0
  )`,
  "CREATE UNIQUE INDEX directory_editions_current ON postcode.directory_editions (is_current) WHERE is_current",
  // The template for the units of each edition, always empty. A migration that adds a column to units adds it here and
  // to the stored `units_N`. An import by an earlier version then creates it, too. Each import builds the index itself.
  `CREATE TABLE postcode.edition_units (
    postcode text COLLATE "C" NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    status text NOT NULL,
    ${attributeColumns},
    replaced_by text
  )`,
  // The snapshot file of an edition, split into consecutive parts.
  `CREATE TABLE postcode.directory_snapshots (
    edition integer NOT NULL REFERENCES postcode.directory_editions ON DELETE CASCADE,
    part integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (edition, part)
  )`,
  // Without compression: snapshots consist of packed numbers.
  "ALTER TABLE postcode.directory_snapshots ALTER COLUMN bytes SET STORAGE EXTERNAL",
  // The import through the management API: at most one. `active_at`: when something was last heard of it.
  `CREATE TABLE postcode.directory_import (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    id text COLLATE "C" NOT NULL,
    actor text NOT NULL,
    opened_at timestamptz NOT NULL,
    active_at timestamptz NOT NULL,
    phase text NOT NULL,
    places_name text NOT NULL,
    places_bytes bigint NOT NULL,
    places_received bigint NOT NULL,
    units_name text NOT NULL,
    units_bytes bigint NOT NULL,
    units_received bigint NOT NULL,
    task jsonb,
    progress jsonb,
    checked jsonb,
    imported jsonb,
    problem text,
    is_cancelled boolean NOT NULL
  )`,
  // The parts of its files, from `first_byte` on. They are removed with the import, and after it.
  `CREATE TABLE postcode.directory_import_parts (
    import_id text COLLATE "C" NOT NULL,
    file text NOT NULL,
    first_byte bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (import_id, file, first_byte)
  )`,
  // `version` is that of the edition. A batch without an effect ends before its first change. `digest` is the SHA-256 of
  // the changes as canonical JSON.
  `CREATE TABLE postcode.directory_batches (
    reference text COLLATE "C" PRIMARY KEY,
    edition integer NOT NULL,
    version text NOT NULL,
    first_change integer NOT NULL,
    last_change integer NOT NULL,
    unchanged integer NOT NULL,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL,
    digest bytea NOT NULL
  )`,
  // The changes with an effect: each with its number in the edition, from 1, and the whole state of the unit after it.
  `CREATE TABLE postcode.directory_changes (
    edition integer NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    kind text NOT NULL CHECK (kind IN ('add', 'move', 'retire', 'replace', 'reactivate', 'set')),
    at timestamptz NOT NULL,
    reference text COLLATE "C" NOT NULL,
    postcode text COLLATE "C" NOT NULL,
    lat double precision NOT NULL,
    lon double precision NOT NULL,
    status text NOT NULL CHECK (status IN ('active', 'retired')),
    replaced_by text,
    ${attributeColumns},
    PRIMARY KEY (edition, number)
  )`,
  "CREATE INDEX directory_changes_postcode ON postcode.directory_changes (postcode, edition, number)"
]

/**
 * Rate limits that replicas share: the requests and the granted quota of each subject, by time.
 *
 * Each counts for a minute. Quota that a replica holds counts from its end, when the replica must have reported it, and
 * used quota from its use. So no minute exceeds the limit, even if the replica vanishes.
 */

/**
 * Rewritten all the time and worthless after a minute, so without write-ahead log; a crash of the database empties it.
 * Free space in each page lets rows change in place. `subject` is an HMAC under the pepper: an address is personal
 * data.
 */
const rateWindows = `CREATE UNLOGGED TABLE postcode.rate_windows (
  subject text COLLATE "C" PRIMARY KEY,
  times_ms float8[] NOT NULL,
  counts float8[] NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1)`

/**
 * Replaces the allowance that a replica ends by what was used of it, and grants a new one. QuotaRequests.ts has the
 * parameters and the request. Callers lock rows in the order of subjects, so deadlocks are impossible.
 */
const drawQuota = `CREATE FUNCTION postcode.draw_quota(
  now_ms float8, window_ms float8, slot_ms float8, counted_ms float8, ahead_ms float8, share float8, request jsonb,
  OUT granted float8, OUT total float8, OUT end_ms float8, OUT opens_ms float8, OUT reset_ms float8
) LANGUAGE plpgsql AS $$
DECLARE
  asked record;
  times float8[];
  sums float8[];
BEGIN
  SELECT * INTO asked FROM jsonb_to_record(request) AS r (subject text, quota float8, need float8, extra float8,
    ended_ms float8, granted float8, used float8, age_ms float8);

  -- Lock the subject's row, and create it if something may be granted or counted. Another replica may delete or create it
  -- meanwhile, so this repeats.
  LOOP
    SELECT w.times_ms, w.counts INTO times, sums FROM postcode.rate_windows AS w
      WHERE w.subject = asked.subject FOR UPDATE;
    EXIT WHEN FOUND OR asked.need + asked.extra + asked.used = 0;
    INSERT INTO postcode.rate_windows VALUES (asked.subject, '{}', '{}') ON CONFLICT DO NOTHING;
  END LOOP;

  -- Subtract the allowance that ends, add what was used of it, and drop what has left the window. Entries of one slot
  -- become one, at its last request. If the clock was set back, an entry too far in the future is moved to the latest
  -- possible time.
  SELECT array_agg(at_ms ORDER BY at_ms), array_agg(sum ORDER BY at_ms), coalesce(sum(sum), 0),
    coalesce(max(at_ms) + window_ms - now_ms, 0) INTO times, sums, total, reset_ms
  FROM (
    SELECT max(at_ms) FILTER (WHERE count > 0) AS at_ms, sum(count) AS sum
    FROM (
      SELECT least(at_ms, now_ms + ahead_ms), count FROM unnest(times, sums) AS entry (at_ms, count)
      UNION ALL VALUES (asked.ended_ms, -asked.granted), (now_ms - asked.age_ms, asked.used)
    ) AS entry (at_ms, count)
    WHERE at_ms > now_ms - window_ms
    GROUP BY ceil(at_ms / slot_ms)
    HAVING sum(count) > 0
  ) AS slot;

  -- Grant what waits, and what is expected as far as the share of the rest allows, within the limit.
  granted := greatest(0, least(asked.quota - total,
    asked.need + least(asked.extra, floor((asked.quota - total) * share))));

  -- Count the new allowance from the time when the replica must have reported it.
  end_ms := now_ms + counted_ms;
  total := total + granted;
  times := times || end_ms;
  sums := sums || granted;

  -- Write the row if anything has changed.
  IF granted + asked.granted + asked.used > 0 THEN
    UPDATE postcode.rate_windows AS w SET times_ms = times, counts = sums WHERE w.subject = asked.subject;
  END IF;

  -- If the window is full, find when enough entries have left it for one more request.
  opens_ms := 0;
  IF total >= asked.quota THEN
    SELECT coalesce(min(at_ms) + window_ms - now_ms, window_ms) INTO opens_ms
    FROM (
      SELECT at_ms, total - sum(count) OVER (ORDER BY at_ms) AS rest FROM unnest(times, sums) AS entry (at_ms, count)
    ) AS entry
    WHERE rest < asked.quota;
  END IF;
END $$`

const limits = [rateWindows, drawQuota]

/**
 * The ledger and the audit log are append-only: the owning role revokes its own privileges, and could grant them again.
 * Partitions.ts does the same for each month.
 */
const history = [
  `REVOKE UPDATE, DELETE, TRUNCATE ON postcode.ledger_entries, postcode.ledger_entries_default,
    postcode.ledger_references, postcode.ledger_closings, postcode.audit_events FROM CURRENT_USER`,
  "REVOKE UPDATE, TRUNCATE ON postcode.audit_events_default FROM CURRENT_USER"
]

export const createBaseline = runAll(
  ...organizations,
  ...keys,
  ...credits,
  ...audit,
  ...usage,
  ...webhooks,
  ...widget,
  ...accounts,
  ...notices,
  ...directory,
  ...limits,
  ...history
)
