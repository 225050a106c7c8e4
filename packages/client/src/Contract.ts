/**
 * What every call takes and answers, and every code of a failure.
 *
 * Made from @postcode/api by test/generateContract.ts, and not to be edited: change what it is made from, and run
 * `UPDATE_DOCS=1 npm test -- packages/client/test/Contract`.
 */

/** Every call by its method and path. */
export interface Contract {
  /**
   * Complete a partial postcode, or a name
   *
   * `q` is a partial postcode in either case, with or without separators, or the start of a state's or LGA's name.
   * `segment` is the first one that `q` does not complete, `suggestions` the codes that continue it.
   */
  "GET /v1/search/autocomplete": {
    readonly query: {
      /** A partial postcode or the start of a state's or LGA's name. */
      readonly q?: string
      /** A whole number from 1 to 100. */
      readonly limit?: number
    }
    readonly data: Suggestions
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * The nearest active unit to a coordinate
   *
   * Within `radius_m`: 25 m by default, at most 250 m. Of equally near units the smaller postcode.
   */
  "GET /v1/search/reverse": {
    readonly query: {
      /** A latitude in degrees from -90 to 90. */
      readonly lat: number
      /** A longitude in degrees from -180 to 180. */
      readonly lon: number
      /** A radius in metres, 0 or more. */
      readonly radius_m?: number
    }
    readonly data: ReverseFound | ReverseNotFound
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * The active units around a coordinate
   *
   * Within `radius_m`: 300 m by default, at most 2,000 m. Nearest first, equally near ones by postcode.
   */
  "GET /v1/search/nearby": {
    readonly query: {
      /** A latitude in degrees from -90 to 90. */
      readonly lat: number
      /** A longitude in degrees from -180 to 180. */
      readonly lon: number
      /** A radius in metres, 0 or more. */
      readonly radius_m?: number
      /** A whole number from 1 to 100. */
      readonly limit?: number
    }
    readonly data: Nearby
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Look one postcode up at a level
   *
   * Level 1 says whether the unit exists, free and without a key. Levels 2 to 4 add addresses, use and building, level
   * 5 the coordinates, which are granted on review; these levels cost credits. The answer is capped at the
   * organization's grant, for a publishable key at level 2. It costs the price of the highest level of which it shows
   * an attribute, and nothing if it shows validity alone; an empty object is no attribute.
   */
  "GET /v1/lookup": {
    readonly query: {
      readonly code: PostcodeInput
      readonly level?: 1 | 2 | 3 | 4 | 5
    }
    readonly data: LookupResult
    readonly errors: ErrorCodes[400 | 401 | 402 | 403 | 422 | 429 | 500 | 503]
    readonly metered: true
  }

  /**
   * Look up to 100 postcodes up, charged all or nothing
   *
   * One item for each code, in the order given. A malformed code is an error of its own item. The charge is the sum of
   * its lookups, a postcode that is there several times counted once; if the balance does not hold the sum, nothing is
   * answered or charged. A publishable key is 403 key_type_not_allowed.
   */
  "POST /v1/lookup/batch": {
    readonly body: {
      readonly level?: AccessLevel
      readonly codes: ReadonlyArray<string>
    }
    readonly data: {
      readonly results: ReadonlyArray<BatchItem>
    }
    readonly errors: ErrorCodes[400 | 401 | 402 | 403 | 413 | 415 | 422 | 429 | 500 | 503]
    readonly metered: true
  }

  /** Join five segments into a postcode */
  "POST /v1/assembly/assemble": {
    readonly body: {
      readonly state: string
      readonly lga: string
      readonly district: string
      readonly area: string
      readonly unit: string
    }
    readonly data: Renderings
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** Split a postcode into its segments */
  "GET /v1/assembly/disassemble": {
    readonly query: {
      readonly code: PostcodeInput
    }
    readonly data: Segments
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** All states */
  "GET /v1/reference/states": {
    readonly data: {
      readonly states: ReadonlyArray<NamedCode>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** The local government areas of a state */
  "GET /v1/reference/lgas": {
    readonly query: {
      readonly state: StateInput
    }
    readonly data: {
      readonly lgas: ReadonlyArray<NamedCode>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** The districts of a local government area */
  "GET /v1/reference/districts": {
    readonly query: {
      readonly state: StateInput
      readonly lga: Lga
    }
    readonly data: {
      readonly districts: ReadonlyArray<NamedCode>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** The areas of a district */
  "GET /v1/reference/areas": {
    readonly query: {
      readonly state: StateInput
      readonly lga: Lga
      readonly district: DistrictInput
    }
    readonly data: {
      readonly areas: ReadonlyArray<NamedCode>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Start a session for an end user
   *
   * Takes a publishable key, from one of its origins where a browser asks. The answer is the same whether or not
   * anyone has the identifier. It costs the price of a session. An address may start 30 a minute, and an organization
   * 10 a minute for one identifier.
   */
  "POST /v1/widget/session": {
    readonly body: {
      /** An 11-digit NIN, or an email address. */
      readonly identifier: string
    }
    readonly data: WidgetSession
    readonly errors: ErrorCodes[400 | 401 | 402 | 403 | 413 | 415 | 422 | 429 | 500 | 503]
    readonly metered: true
  }

  /**
   * List the bookmarks of the session's end user
   *
   * In their order; none if nobody has the identifier that the session was started with. Free.
   */
  "GET /v1/widget/bookmarks": {
    readonly data: {
      readonly bookmarks: ReadonlyArray<Bookmark>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Record the postcode that the end user picked
   *
   * In any format; whether it exists is not asked. Free.
   */
  "POST /v1/widget/selected": {
    readonly body: {
      readonly postcode: PostcodeInput
    }
    readonly data: {
      readonly recorded: true
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** Create an organization */
  "POST /v1/admin/organizations": {
    readonly body: {
      readonly name: string
    }
    readonly data: Organization
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List organizations, newest first by default */
  "GET /v1/admin/organizations": {
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
      /** By arrival; newest first by default. A cursor is for the order in which it was given. */
      readonly order?: "newest" | "oldest"
      readonly kyb_status?: "unverified" | "pending" | "verified" | "rejected"
      /** A part of the name; capitals and diacritics do not count. */
      readonly name?: string
    }
    readonly data: {
      readonly organizations: ReadonlyArray<Organization>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Show an organization */
  "GET /v1/admin/organizations/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: Organization
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Rename an organization, grant a level, set its KYB status and its request limit */
  "PATCH /v1/admin/organizations/:id": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly name?: string
      readonly granted_level?: AccessLevel
      readonly kyb_status?: "unverified" | "pending" | "verified" | "rejected"
      /** Requests in 60 seconds of all its keys together; null for the service's default. */
      readonly rate_limit_per_minute?: number | null
      readonly review_note?: string
    }
    readonly data: Organization
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Create an API key; the only answer that holds its secret */
  "POST /v1/admin/organizations/:id/keys": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly name: string
      readonly kind: "secret" | "publishable"
      readonly environment: "test" | "live"
      readonly scopes: ReadonlyArray<"search" | "lookup">
      readonly max_level: AccessLevel
      readonly origins?: ReadonlyArray<string>
      readonly rate_limit_per_minute?: number
      /**
       * Credits that the key may charge a day. Default: 1000 for a publishable key, which always has a limit; no limit for
       * a secret key.
       */
      readonly daily_credit_limit?: number
      readonly expires_at?: string
    }
    readonly data: CreatedApiKey
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List an organization's keys, newest first */
  "GET /v1/admin/organizations/:id/keys": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly keys: ReadonlyArray<ApiKey>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Show a key, as the list of keys does */
  "GET /v1/admin/keys/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: ApiKey
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** What a key was used for in about the last hour, to look at before it is revoked */
  "GET /v1/admin/keys/:id/traffic": {
    readonly params: {
      readonly id: string
    }
    readonly data: KeyTraffic
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Replace a key by a new one like it, which goes on beside it for a while */
  "POST /v1/admin/keys/:id/rotate": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly overlap: "now" | "1h" | "24h" | "7d"
    }
    readonly data: RotatedApiKey
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Revoke a key, effective immediately */
  "DELETE /v1/admin/keys/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly id: string
      /** ISO 8601, UTC. */
      readonly revoked_at: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Add credits, once for each reference */
  "POST /v1/admin/organizations/:id/credits": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly amount: number
      readonly environment: "test" | "live"
      readonly reference: string
    }
    readonly data: {
      readonly entry_id: string
      readonly balance: number
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Balance and ledger, newest first; of one request, by its reference */
  "GET /v1/admin/organizations/:id/credits": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      readonly environment: "test" | "live"
      readonly reference?: string
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly balance: number
      /** Below this the balance is low. */
      readonly low_balance_threshold: number | null
      readonly entries: ReadonlyArray<LedgerEntry>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Set the balance below which a low-balance event is sent; null for none */
  "PUT /v1/admin/organizations/:id/credits/threshold": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly environment: "test" | "live"
      readonly threshold: number | null
    }
    readonly data: {
      readonly balance: number
      /** Below this the balance is low. */
      readonly low_balance_threshold: number | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 413 | 415 | 429 | 500 | 503]
  }

  /** Requests and credits by day, and by operation, level, key or status */
  "GET /v1/admin/organizations/:id/usage": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      readonly environment: "test" | "live"
      /** A day in UTC, YYYY-MM-DD. */
      readonly from?: string
      /** A day in UTC, YYYY-MM-DD. */
      readonly to?: string
      /** By operation by default. */
      readonly by?: "operation" | "level" | "key" | "status"
      /** Of this key of the organization alone. */
      readonly key_id?: string
    }
    readonly data: {
      readonly usage: ReadonlyArray<UsageRow | LevelUsageRow | KeyUsageRow | StatusUsageRow>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Ask for a higher level */
  "POST /v1/admin/organizations/:id/access-requests": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly level: AccessLevel
      readonly reason: string
    }
    readonly data: AccessRequest
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List access requests, newest first by default */
  "GET /v1/admin/access-requests": {
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
      /** By arrival; newest first by default. A cursor is for the order in which it was given. */
      readonly order?: "newest" | "oldest"
      readonly status?: "pending" | "approved" | "rejected"
      readonly organization_id?: string
    }
    readonly data: {
      readonly access_requests: ReadonlyArray<AccessRequest>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Approve or reject an access request; an approval raises the grant */
  "POST /v1/admin/access-requests/:id/decision": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly decision: "approved" | "rejected"
      readonly note: string
    }
    readonly data: AccessRequest
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Store an end user's identifiers, as hashes, and bookmarks */
  "PUT /v1/admin/end-users": {
    readonly body: {
      readonly identifiers: ReadonlyArray<string>
      readonly bookmarks: ReadonlyArray<{
        readonly postcode: PostcodeInput
        readonly label: string
      }>
    }
    readonly data: {
      readonly id: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /**
   * Store up to 500 end users, each as if alone
   *
   * One item for each end user, in the order given. One whose identifiers belong to two accounts is an error of its
   * own item, and the others are stored. Anything malformed fails the whole request, and nothing is stored.
   */
  "PUT /v1/admin/end-users/batch": {
    readonly body: {
      readonly end_users: ReadonlyArray<{
        readonly identifiers: ReadonlyArray<string>
        readonly bookmarks: ReadonlyArray<{
          readonly postcode: PostcodeInput
          readonly label: string
        }>
      }>
    }
    readonly data: {
      readonly results: ReadonlyArray<SavedEndUser>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** How many end users there are */
  "GET /v1/admin/end-users": {
    readonly data: {
      readonly count: number
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Find an end user by an identifier
   *
   * An identifier has more than one account where it was saved under more than one pepper. The one under the present
   * pepper is found first, and the next once that is removed. So whoever forgets a person by an identifier goes on
   * until none is found. Each search is in the audit log, by the id of the account or else by the keyed hash.
   */
  "POST /v1/admin/end-users/find": {
    readonly body: {
      readonly identifier: string
    }
    readonly data: EndUser
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 413 | 415 | 429 | 500 | 503]
  }

  /**
   * Show an end user
   *
   * The audit log has an entry of each look at an end user.
   */
  "GET /v1/admin/end-users/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: EndUser
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Forget an end user: bookmarks, and the hashes that lead to them */
  "DELETE /v1/admin/end-users/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly id: string
      readonly removed_at: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /**
   * Ask for the verification of a business
   *
   * The status becomes pending. One that is verified or pending already is a conflict.
   */
  "POST /v1/admin/organizations/:id/kyb": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly business_name: string
      readonly registration_number: string
      readonly note?: string
    }
    readonly data: Organization
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Rename an organization */
  "PUT /v1/admin/organizations/:id/name": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly name: string
    }
    readonly data: Organization
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Show the current directory and its size */
  "GET /v1/admin/directory": {
    readonly data: DirectoryDescription
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** Add a webhook; the only answer that holds its secret */
  "POST /v1/admin/organizations/:id/webhooks": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly url: string
      readonly description?: string
    }
    readonly data: WebhookWithSecret
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List an organization's webhooks, newest first */
  "GET /v1/admin/organizations/:id/webhooks": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly webhooks: ReadonlyArray<Webhook>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Remove a webhook with its deliveries */
  "DELETE /v1/admin/webhooks/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly id: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Make another secret; the one before signs as well for 24 hours */
  "POST /v1/admin/webhooks/:id/rotate-secret": {
    readonly params: {
      readonly id: string
    }
    readonly data: WebhookWithSecret
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Send an event `webhook.test` */
  "POST /v1/admin/webhooks/:id/test": {
    readonly params: {
      readonly id: string
    }
    readonly data: WebhookDelivery
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 429 | 500 | 503]
  }

  /** What was sent to a webhook, newest first */
  "GET /v1/admin/webhooks/:id/deliveries": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly deliveries: ReadonlyArray<WebhookDelivery>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Send a delivery again that is pending or has failed, at once */
  "POST /v1/admin/webhook-deliveries/:id/retry": {
    readonly params: {
      readonly id: string
    }
    readonly data: WebhookDelivery
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 429 | 500 | 503]
  }

  /** Who did what, newest first */
  "GET /v1/admin/audit": {
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
      readonly organization_id?: string
      readonly action?: string
      readonly actor?: string
      readonly subject?: string
      /** Nothing before this moment. */
      readonly from?: string
      /** Nothing from this moment on. */
      readonly to?: string
    }
    readonly data: {
      readonly events: ReadonlyArray<AuditEvent>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** List the operators, newest first */
  "GET /v1/admin/operators": {
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly accounts: ReadonlyArray<Account>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /**
   * Invite an operator; the only answer that holds the token
   *
   * The account gets this email address. Nothing is sent to it, and the answer does not depend on whether it has an
   * account.
   */
  "POST /v1/admin/operators/invitations": {
    readonly body: {
      readonly email: string
    }
    readonly data: CreatedInvitation
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List the open invitations of operators, newest first */
  "GET /v1/admin/operators/invitations": {
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly invitations: ReadonlyArray<Invitation>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** List an organization's members, newest first */
  "GET /v1/admin/organizations/:id/members": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly accounts: ReadonlyArray<Account>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /**
   * Invite a member; the only answer that holds the token
   *
   * The account gets this email address. Nothing is sent to it, and the answer does not depend on whether it has an
   * account.
   */
  "POST /v1/admin/organizations/:id/invitations": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly role: "owner" | "developer" | "billing"
      readonly email: string
    }
    readonly data: CreatedInvitation
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** List an organization's open invitations, newest first */
  "GET /v1/admin/organizations/:id/invitations": {
    readonly params: {
      readonly id: string
    }
    readonly query: {
      /** A whole number from 1 to 100. */
      readonly limit?: number
      readonly cursor?: string
    }
    readonly data: {
      readonly invitations: ReadonlyArray<Invitation>
      readonly next_cursor: string | null
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Withdraw an invitation that nobody accepted */
  "DELETE /v1/admin/invitations/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly id: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Change a member's role; ends the member's sessions */
  "PATCH /v1/admin/accounts/:id": {
    readonly params: {
      readonly id: string
    }
    readonly body: {
      readonly role: "owner" | "developer" | "billing"
    }
    readonly data: Account
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Remove an account with its sessions */
  "DELETE /v1/admin/accounts/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly id: string
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 409 | 429 | 500 | 503]
  }

  /**
   * Sign in with email and password
   *
   * The answer sets the session's cookie. A wrong password and an email that nobody has are answered alike. An address
   * may try one account 10 times a minute, and all accounts 20 times; an account may be tried 60 times.
   */
  "POST /v1/admin/account/sign-in": {
    readonly body: {
      readonly email: string
      /** A new one has 12 to 256 characters. */
      readonly password: string
    }
    readonly data: {
      readonly account: Account
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /**
   * Make the account that an invitation is for, and sign in to it
   *
   * Once for each invitation. The account gets the invitation's address, and `email` may be left out or repeat it.
   * Only the link that opens the first operator's account names none: then `email` is needed, and 409 if it has an
   * account. An invitation whose address has an account is 401, like one that was used.
   */
  "POST /v1/admin/account/accept": {
    readonly body: {
      readonly token: string
      readonly email?: string
      readonly name: string
      /** A new one has 12 to 256 characters. */
      readonly password: string
    }
    readonly data: {
      readonly account: Account
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /**
   * Show what an invitation is for, to whoever has its token
   *
   * Looking does not use it up. It counts as an attempt of the address, as accepting does.
   */
  "POST /v1/admin/account/invitation": {
    readonly body: {
      readonly token: string
    }
    readonly data: ShownInvitation
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** Show one's own account */
  "GET /v1/admin/account": {
    readonly data: Account
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** Change one's own name */
  "PATCH /v1/admin/account": {
    readonly body: {
      readonly name: string
    }
    readonly data: Account
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** Change one's own password; ends all sessions and starts a new one */
  "POST /v1/admin/account/password": {
    readonly body: {
      /** A new one has 12 to 256 characters. */
      readonly present_password: string
      /** A new one has 12 to 256 characters. */
      readonly password: string
    }
    readonly data: {
      readonly account: Account
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** End this session */
  "POST /v1/admin/account/sign-out": {
    readonly data: {
      readonly signed_out: true
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** End all sessions of one's own account */
  "POST /v1/admin/account/sign-out-everywhere": {
    readonly data: {
      readonly signed_out: true
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Ask for a challenge to sign in with a passkey
   *
   * `options` is for PublicKeyCredential.parseRequestOptionsFromJSON. It counts once, for 5 minutes.
   */
  "POST /v1/admin/account/passkey-challenge": {
    readonly data: {
      readonly options: { readonly [name: string]: unknown }
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** Sign in with a passkey; the answer sets the session's cookie */
  "POST /v1/admin/account/passkey-sign-in": {
    readonly body: {
      /** A PublicKeyCredential that navigator.credentials.get gave, as its toJSON writes it. */
      readonly credential: {
        readonly id: string
        readonly rawId: string
        readonly type: "public-key"
        readonly response: {
          readonly clientDataJSON: string
          readonly authenticatorData: string
          readonly signature: string
          readonly userHandle?: string | null
        }
        readonly clientExtensionResults?: { readonly [name: string]: unknown }
      }
    }
    readonly data: {
      readonly account: Account
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** List one's own passkeys, newest first */
  "GET /v1/admin/account/passkeys": {
    readonly data: {
      readonly passkeys: ReadonlyArray<Passkey>
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /**
   * Ask for a challenge to make a passkey
   *
   * `options` is for PublicKeyCredential.parseCreationOptionsFromJSON. It counts once, for 5 minutes.
   */
  "POST /v1/admin/account/passkey-start": {
    readonly body: {
      /** A new one has 12 to 256 characters. */
      readonly present_password: string
    }
    readonly data: {
      readonly options: { readonly [name: string]: unknown }
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 413 | 415 | 429 | 500 | 503]
  }

  /** Add a passkey to one's own account */
  "POST /v1/admin/account/passkeys": {
    readonly body: {
      readonly name: string
      /** A PublicKeyCredential that navigator.credentials.create gave, as its toJSON writes it. */
      readonly credential: {
        readonly id: string
        readonly rawId: string
        readonly type: "public-key"
        readonly response: {
          readonly clientDataJSON: string
          readonly attestationObject: string
        }
        readonly clientExtensionResults?: { readonly [name: string]: unknown }
      }
    }
    readonly data: Passkey
    readonly errors: ErrorCodes[400 | 401 | 403 | 409 | 413 | 415 | 429 | 500 | 503]
  }

  /** Remove a passkey; ends all sessions and starts a new one */
  "DELETE /v1/admin/account/passkeys/:id": {
    readonly params: {
      readonly id: string
    }
    readonly data: {
      readonly account: Account
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 404 | 429 | 500 | 503]
  }

  /** Whether the process lives */
  "GET /v1/health/live": {
    readonly data: {
      readonly status: "live"
    }
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }

  /** Whether it answers requests, and from which directory */
  "GET /v1/health/ready": {
    readonly data: Readiness
    readonly errors: ErrorCodes[400 | 401 | 403 | 429 | 500 | 503]
  }
}

/** Every code of a failure by its HTTP status. The service answers nothing else. */
export interface ErrorCodes {
  readonly 400: "invalid_parameter" | "invalid_body"
  readonly 401: "authentication_required" | "invalid_api_key" | "invalid_token"
  readonly 402: "insufficient_credits"
  readonly 403:
    | "insufficient_scope"
    | "insufficient_level"
    | "origin_not_allowed"
    | "key_type_not_allowed"
    | "kyb_required"
  readonly 404: "not_found"
  readonly 405: "method_not_allowed"
  readonly 409: "conflict"
  readonly 413: "payload_too_large"
  readonly 415: "unsupported_media_type"
  readonly 422: "idempotency_key_reused"
  readonly 429: "rate_limit_exceeded"
  readonly 500: "internal_error"
  readonly 503: "service_unavailable"
}

export type AccessLevel = 1 | 2 | 3 | 4 | 5

export interface AccessRequest {
  readonly id: string
  readonly organization_id: string
  readonly level: AccessLevel
  readonly reason: string
  readonly status: "pending" | "approved" | "rejected"
  readonly note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly decided_at?: string
}

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: "operator" | "owner" | "developer" | "billing"
  readonly organization_id?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

export interface ApiKey {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly kind: "secret" | "publishable"
  readonly environment: "test" | "live"
  readonly scopes: ReadonlyArray<"search" | "lookup">
  readonly max_level: AccessLevel
  readonly origins: ReadonlyArray<string>
  readonly rate_limit_per_minute?: number
  readonly daily_credit_limit?: number
  /** Charged since 00:00 UTC; of a key with a daily limit, where keys are shown. */
  readonly credits_today?: number
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly last_used_at?: string
  /** ISO 8601, UTC. */
  readonly expires_at?: string
  /** ISO 8601, UTC. */
  readonly revoked_at?: string
  readonly replaces?: string
  readonly replaced_by?: string
}

/** The code of an area within its district: 2 letters. */
export type Area = string

export interface AuditEvent {
  readonly id: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly actor: string
  readonly action:
    | "organization.created"
    | "organization.updated"
    | "organization.kyb_submitted"
    | "key.created"
    | "key.revoked"
    | "key.rotated"
    | "credits.granted"
    | "credits.threshold_set"
    | "access_request.created"
    | "access_request.decided"
    | "end_user.saved"
    | "end_user.searched"
    | "end_user.viewed"
    | "end_user.removed"
    | "widget_session.requested"
    | "invitation.created"
    | "invitation.withdrawn"
    | "account.created"
    | "account.renamed"
    | "account.role_changed"
    | "account.removed"
    | "account.signed_in"
    | "account.sign_in_failed"
    | "account.signed_out"
    | "account.signed_out_everywhere"
    | "account.password_changed"
    | "passkey.added"
    | "passkey.removed"
    | "webhook.created"
    | "webhook.removed"
    | "webhook.secret_rotated"
    | "webhook.tested"
    | "webhook.retried"
    | "directory.imported"
    | "journal.month_dropped"
  readonly subject: string
  readonly organization_id?: string
  readonly details: { readonly [name: string]: string | number }
}

export type BatchItem =
  | {
      readonly code: string
      readonly result: LookupResult
    }
  | {
      readonly code: string
      readonly error: {
        readonly code: "invalid_parameter" | "invalid_body"
        readonly message: string
      }
    }

export interface Bookmark {
  readonly postcode: string
  readonly label: string
}

/** The only answer that ever holds the secret. */
export interface CreatedApiKey {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly kind: "secret" | "publishable"
  readonly environment: "test" | "live"
  readonly scopes: ReadonlyArray<"search" | "lookup">
  readonly max_level: AccessLevel
  readonly origins: ReadonlyArray<string>
  readonly rate_limit_per_minute?: number
  readonly daily_credit_limit?: number
  /** Charged since 00:00 UTC; of a key with a daily limit, where keys are shown. */
  readonly credits_today?: number
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly last_used_at?: string
  /** ISO 8601, UTC. */
  readonly expires_at?: string
  /** ISO 8601, UTC. */
  readonly revoked_at?: string
  readonly replaces?: string
  readonly replaced_by?: string
  readonly secret: string
}

/** The only answer that ever holds the token. Whoever has it can open the account, once. */
export interface CreatedInvitation {
  readonly id: string
  readonly role: "operator" | "owner" | "developer" | "billing"
  /** The address that the account gets; absent only for the link that opens the first operator's account. */
  readonly email?: string
  readonly organization_id?: string
  readonly created_by: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly expires_at: string
  readonly token: string
}

/** States, LGAs, districts and areas are those that hold an active unit. */
export interface DirectoryDescription {
  /** In the words of its publisher; empty if not said. */
  readonly version: string
  /** The day of the edition, YYYY-MM-DD; empty if not said. */
  readonly date: string
  /** ISO 8601, UTC. */
  readonly in_force_since?: string
  readonly active_units: number
  readonly retired_units: number
  readonly states: number
  readonly lgas: number
  readonly districts: number
  readonly areas: number
}

/** The code of a district within its local government area: 3 letters or digits. */
export type District = string

/** The code of a district within its local government area, in either case: 3 letters or digits. */
export type DistrictInput = string

export interface EndUser {
  readonly id: string
  /** How many lead to the account; which ones, nobody can tell. */
  readonly identifiers: number
  readonly bookmarks: ReadonlyArray<{
    readonly postcode: string
    readonly label: string
  }>
}

export interface FoundUnit {
  readonly postcode: string
  readonly display: string
  readonly distance_m: number
  readonly confidence: "high" | "medium" | "low"
  readonly state_name?: string
  readonly lga_name?: string
  readonly locality_name?: string
  readonly address?: string
}

export interface Invitation {
  readonly id: string
  readonly role: "operator" | "owner" | "developer" | "billing"
  /** The address that the account gets; absent only for the link that opens the first operator's account. */
  readonly email?: string
  readonly organization_id?: string
  readonly created_by: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly expires_at: string
}

export interface KeyTraffic {
  /** From when on it was counted, ISO 8601, UTC. */
  readonly since: string
  readonly requests: number
  readonly credits: number
  /** Answers with a status of 400 or more. */
  readonly refused: number
}

export interface KeyUsageRow {
  /** A day in UTC, YYYY-MM-DD. */
  readonly date: string
  /** Null where it is not known, as usage was once counted by operation alone. */
  readonly key_id: string | null
  readonly requests: number
  readonly credits: number
}

export interface KybSubmission {
  readonly business_name: string
  readonly registration_number: string
  readonly note?: string
  /** ISO 8601, UTC. */
  readonly submitted_at: string
}

export interface LedgerEntry {
  readonly id: string
  readonly amount: number
  readonly reason: string
  /** Of a grant your own, of a charge the request id. */
  readonly reference: string
  /** The key that was charged. */
  readonly key_id: string | null
  /** The level at which a lookup was served. Where less was known, less was charged. */
  readonly level: AccessLevel | null
  readonly balance_after: number
  /** ISO 8601, UTC. */
  readonly created_at: string
}

export interface LevelUsageRow {
  /** A day in UTC, YYYY-MM-DD. */
  readonly date: string
  /** The level that was served; null where none was, or where it is not known. */
  readonly level: 1 | 2 | 3 | 4 | 5 | null
  readonly requests: number
  readonly credits: number
}

/** The code of a local government area within its state: 2 digits. */
export type Lga = string

export interface LookupResult {
  readonly postcode: string
  readonly valid: boolean
  readonly administrative_address?: {
    readonly state_name?: string
    readonly lga_name?: string
    readonly locality_name?: string
    readonly zone?: string
  }
  readonly recent_house_address?: {
    readonly recent?: string
  }
  readonly building_use_status?: string
  readonly other_building_info?: {
    readonly type?: string
    readonly owner?: string
    readonly delivery_point?: boolean
  }
  readonly point_geometry?: {
    readonly type: "Point"
    readonly coordinates: Position
  }
}

export interface NamedCode {
  readonly code: string
  readonly name?: string
}

export interface Nearby {
  readonly coordinate: Position
  readonly radius_m: number
  readonly units: ReadonlyArray<FoundUnit>
}

export interface Organization {
  readonly id: string
  readonly name: string
  readonly granted_level: AccessLevel
  readonly kyb_status: "unverified" | "pending" | "verified" | "rejected"
  /** Requests in 60 seconds of all its keys together; the service's default where it is absent. */
  readonly rate_limit_per_minute?: number
  readonly kyb_submission?: KybSubmission
  readonly review_note?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

export interface Passkey {
  readonly id: string
  readonly name: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly last_used_at?: string
}

/** [longitude, latitude] in WGS 84 degrees. */
export type Position = readonly [number, number]

/**
 * A postcode in any format and either case, with white space around it: dashes between the segments, or single
 * spaces, or nothing.
 */
export type PostcodeInput = string

export interface Readiness {
  readonly status: "ready"
  readonly directory: {
    /** The edition, as its publisher calls it. */
    readonly version?: string
    /** The day of the edition, YYYY-MM-DD. */
    readonly date?: string
    /** How many changes were applied since the edition. */
    readonly changes: number
    readonly units: number
    readonly active_units: number
  }
  /** Where there is a database. While it is away, what costs credits and management answer 503; all else goes on. */
  readonly database?: "connected" | "away"
}

export interface Renderings {
  readonly postcode: string
  readonly display: string
  readonly compact: string
}

export interface ReverseFound {
  readonly found: true
  readonly coordinate: Position
  readonly unit: FoundUnit
  readonly area: string
  readonly district: string
  readonly state: string
  readonly message: string
  readonly radius_m: number
}

export interface ReverseNotFound {
  readonly found: false
  readonly coordinate: Position
  readonly message: string
  readonly radius_m: number
}

/** The new key, when the one that it replaces ends, and the secret, which no other answer ever holds. */
export interface RotatedApiKey {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly kind: "secret" | "publishable"
  readonly environment: "test" | "live"
  readonly scopes: ReadonlyArray<"search" | "lookup">
  readonly max_level: AccessLevel
  readonly origins: ReadonlyArray<string>
  readonly rate_limit_per_minute?: number
  readonly daily_credit_limit?: number
  /** Charged since 00:00 UTC; of a key with a daily limit, where keys are shown. */
  readonly credits_today?: number
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly last_used_at?: string
  /** ISO 8601, UTC. */
  readonly expires_at?: string
  /** ISO 8601, UTC. */
  readonly revoked_at?: string
  readonly replaces?: string
  readonly replaced_by?: string
  readonly secret: string
  /** ISO 8601, UTC. */
  readonly replaced_expires_at: string
}

export type SavedEndUser =
  | {
      readonly id: string
    }
  | {
      readonly error: {
        readonly code: "conflict"
        readonly message: string
      }
    }

export interface Segments {
  readonly state: State
  readonly lga: Lga
  readonly district: District
  readonly area: Area
  readonly unit: Unit
}

export interface ShownInvitation {
  readonly role: "operator" | "owner" | "developer" | "billing"
  /** The address that the account gets; absent only for the link that opens the first operator's account. */
  readonly email?: string
  readonly organization_name?: string
  /** ISO 8601, UTC. */
  readonly expires_at: string
}

/** The code of a state: 2 letters. */
export type State = string

/** The code of a state in either case: 2 letters. */
export type StateInput = string

export interface StatusUsageRow {
  /** A day in UTC, YYYY-MM-DD. */
  readonly date: string
  /** The HTTP status of the answers; null where it is not known. */
  readonly status: number | null
  readonly requests: number
  readonly credits: number
}

export interface Suggestions {
  readonly segment: "state" | "lga" | "district" | "area" | "unit"
  readonly suggestions: ReadonlyArray<{
    readonly code: string
    readonly label: string
  }>
}

/** The code of a delivery unit within its area: 2 digits. */
export type Unit = string

export interface UsageRow {
  /** A day in UTC, YYYY-MM-DD. */
  readonly date: string
  readonly operation: string
  readonly requests: number
  readonly credits: number
}

export interface Webhook {
  readonly id: string
  readonly organization_id: string
  /** The host of the address, with its port. */
  readonly host: string
  readonly description?: string
  /** Disabled once it has answered 410: nothing is sent there any more. */
  readonly status: "active" | "disabled"
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** Until when the secret before the present one signs as well. */
  readonly former_secret_until?: string
  /** ISO 8601, UTC. */
  readonly disabled_at?: string
  /** The address, for those who may add webhooks. The role `billing` sees the host alone. */
  readonly url?: string
}

export interface WebhookDelivery {
  readonly id: string
  /** The `webhook-id` of each attempt. */
  readonly event_id: string
  readonly event: "credits.low" | "webhook.test"
  readonly status: "pending" | "delivered" | "failed"
  readonly attempts: number
  /** What the last attempt was answered. */
  readonly last_status?: number
  /** Why the last attempt was not answered. */
  readonly fault?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** ISO 8601, UTC. */
  readonly last_attempt_at?: string
  /** ISO 8601, UTC. */
  readonly next_attempt_at?: string
}

/** The only answer that ever holds the secret. */
export interface WebhookWithSecret {
  readonly id: string
  readonly organization_id: string
  /** The host of the address, with its port. */
  readonly host: string
  readonly description?: string
  /** Disabled once it has answered 410: nothing is sent there any more. */
  readonly status: "active" | "disabled"
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** Until when the secret before the present one signs as well. */
  readonly former_secret_until?: string
  /** ISO 8601, UTC. */
  readonly disabled_at?: string
  readonly url: string
  readonly secret: string
}

export interface WidgetSession {
  /** A JWT. Send it as Authorization: Bearer <token>; do not look into it. */
  readonly token: string
  /** Seconds until the token expires. */
  readonly expires_in: number
}
