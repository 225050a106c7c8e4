/**
 * The meaning, causes and remedies of each error code: the single source of the error pages in the documentation. The
 * texts are Markdown; their links start at the workspace's root.
 */
import type { ErrorCode } from "./errors.ts"

/** The documentation of an error code. */
export interface ErrorExplanation {
  /** The meaning, in one or two sentences. */
  readonly meaning: string
  /** Possible causes, one per entry. */
  readonly causes: ReadonlyArray<string>
  /** Remedies, one step per entry. */
  readonly fixes: ReadonlyArray<string>
  /** Whether the client should retry the same request. */
  readonly again: string
  /** A shell command that provokes the error in the demonstration, and the response. */
  readonly example?: { readonly request: string; readonly answer: string }
}

const never = "No: the same request fails again."
const gateway = "http://127.0.0.1:3000"

/** The documentation of every error code. */
export const errorGuide: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  invalid_parameter: {
    meaning:
      "A parameter, a header value or a field of the body is missing, malformed, out of range or sent twice. The message begins with its name.",
    causes: [
      "A required parameter is missing, or empty, which counts as missing.",
      "A number is not a plain decimal, or out of range; a text is too long.",
      "A postcode is malformed. If it is one typing error away from a unit, the message ends with it: `did you mean LA-11-B03-PD-01?`",
      "A parameter comes twice.",
      "A rule between fields is broken, such as `origins` for a secret key, or an approval without a note.",
      "`cursor` is not one that an earlier page of the same list gave.",
      "The request alone costs more than the key's `daily_credit_limit`. The message has both numbers; nothing was charged.",
      "The bytes were no valid HTTP request; the connection is closed then."
    ],
    fixes: [
      "Change what the message names; it says what would be right.",
      "Show a suggested postcode to the person who typed it. Do not send it without their consent: the parcel would go to another door.",
      "For a `daily_credit_limit` below the price: send a batch in parts, request a lower level, or use a key with a higher limit. More credits do not help."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/search/reverse?lat=95&lng=3.34'`,
      answer:
        '{ "error": { "code": "invalid_parameter", "message": "lat: expected a latitude in degrees from -90 to 90" } }'
    }
  },
  invalid_body: {
    meaning: "The body as a whole cannot be read.",
    causes: ["It is empty, not valid UTF-8, or not valid JSON.", "An object in it has a name twice."],
    fixes: ["Send one JSON object, in UTF-8."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/assembly/assemble' -H 'Content-Type: application/json' -d '{"state": "LA"'`,
      answer: '{ "error": { "code": "invalid_body", "message": "the body is not valid JSON" } }'
    }
  },
  auth_required: {
    meaning: "The endpoint, or the level asked for, needs a credential, and none was sent.",
    causes: [
      "A lookup above level 1, or a call of reference data, came without an API key.",
      "A call of the management API came without the operator token, a management key or a session of the console.",
      "A call of the widget came without the token of its session, or a session was to be started without a publishable key."
    ],
    fixes: [
      "Send the API key in `X-API-Key`.",
      "Send the operator token, a management key, or the token of a widget session, as `Authorization: Bearer`.",
      "In the console, sign in."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup?code=LA-11-B03-PD-01&level=2'`,
      answer:
        '{\n  "error": {\n    "code": "auth_required",\n    "message": "level 2 needs an API key: send it in the X-API-Key header"\n  }\n}'
    }
  },
  invalid_api_key: {
    meaning: "`X-API-Key` was sent, but the key is not valid. It is answered on every endpoint, public ones too.",
    causes: [
      "The key is malformed: its checksum does not hold, because of a typo or a missing part. An empty header counts as malformed.",
      "The key is unknown here: it is of another instance of the service, or the service kept keys in memory and was started anew.",
      "The key was revoked, or has expired.",
      "The key is a management key, `svc_mk_…`, which belongs in `Authorization: Bearer`, to `/v1/admin`."
    ],
    fixes: [
      "Copy the key whole, or [make a new one](docs/keys-and-credits.md#make-a-key).",
      "Where no key is needed, leave the header out."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup?code=LA-11-B03-PD-01' -H 'X-API-Key: svc_test_mistyped'`,
      answer:
        '{ "error": { "code": "invalid_api_key", "message": "the API key is malformed: check that it was copied whole" } }'
    }
  },
  invalid_token: {
    meaning: "A bearer token, a session or a password was sent that does not count here.",
    causes: [
      "The token is not the operator token of this service, and no active management key of an organization.",
      "The token is not of a valid widget session: it has expired, was altered, belongs to a key that was revoked or has ended since, or is used on another web origin than the one that started the session.",
      "In the console: the session has ended, the email address or the password is wrong, the passkey is not accepted, or the invitation does not count: it was used or withdrawn, has expired, or its address has an account."
    ],
    fixes: [
      "As an operator, use the token that the service was started with, or that it printed at start.",
      "For an organization's own servers, have an owner [create a management key](docs/keys-and-credits.md#management-keys).",
      "In the widget, start another session.",
      "In the console, sign in again, or ask for another invitation."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/admin/organizations' -H 'Authorization: Bearer not-the-operator-token'`,
      answer: '{ "error": { "code": "invalid_token", "message": "the operator token is not the one of this service" } }'
    }
  },
  insufficient_credits: {
    meaning:
      "The account does not hold what the answer costs. Nothing was charged and nothing answered: a batch is charged as a whole or not at all.",
    causes: [
      "The account of the key's environment, test or live, is spent. For a secret key `X-Credits-Remaining` is its balance, and the message has the price.",
      "A batch, or a deep level, costs more than what is left."
    ],
    fixes: [
      "Have [credits granted](docs/keys-and-credits.md#when-credits-run-out) to the account of the key's environment.",
      "Ask for a lower level, or for fewer codes.",
      "Set a [threshold](docs/webhooks.md#low-balances), so as to be told before it happens."
    ],
    again: "After credits were granted, with the same `Idempotency-Key` if you sent one."
  },
  insufficient_scope: {
    meaning: "The key, or the role of the account, does not allow the call.",
    causes: [
      "The key lacks the scope: lookups above level 1 need `lookup`.",
      "In the management API, the account's role may not make this call; the message says whose may.",
      "A member gives a key a higher rate limit than the service's own."
    ],
    fixes: [
      "Use a key with that scope. Scopes of a key do not change; make another.",
      "Ask someone whose [role](docs/accounts.md#who-may-do-what) it is."
    ],
    again: never
  },
  level_not_granted: {
    meaning: "The level is above what the key, or the organization, is allowed.",
    causes: [
      "A lookup asked for a level above the key's maximum. (Above the organization's grant alone it is served at the grant.)",
      "A key was to be made, or rotated, with a maximum above its organization's grant."
    ],
    fixes: [
      "Ask for a lower level, or use another key.",
      "Have the organization [granted more](docs/levels.md#how-a-level-is-granted)."
    ],
    again: never
  },
  origin_not_allowed: {
    meaning: "A page used what belongs to pages of another origin. The message names the origin.",
    causes: [
      "A publishable key was used by a page whose origin it does not list.",
      "A session of the console was used by a page that is not the service's own, or somebody was to be signed in by one.",
      "A passkey was to be made or used without a page."
    ],
    fixes: [
      "Add the origin to the key: scheme, host and port, such as `https://shop.example`.",
      "Behind a proxy, name the console's address in [`--public-url`](docs/configuration.md)."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/search/autocomplete?q=la' -H "X-API-Key: $POSTCODE_BROWSER_KEY" -H 'Origin: https://elsewhere.example'`,
      answer:
        '{\n  "error": {\n    "code": "origin_not_allowed",\n    "message": "this publishable key is not allowed on the origin https://elsewhere.example: add it to the origins of the key"\n  }\n}'
    }
  },
  address_not_allowed: {
    meaning: "A secret key was used from an IP address that it does not allow. The message names the address.",
    causes: [
      "The key has a list of addresses, `allowed_ips`, and the client's address is not in it. It is answered on every endpoint, public ones too.",
      "Behind a proxy that is not [trusted](docs/configuration.md#behind-a-proxy), the client's address is that of the proxy.",
      "The server reaches the service over IPv6, and only its IPv4 address is in the list, or the other way round."
    ],
    fixes: [
      "Add the address that the message names: [`PATCH /v1/admin/keys/{id}`](docs/http.md#patch-v1adminkeysid), `postcode keys update`.",
      "If the address is not yours, someone else has the key: [rotate](docs/keys-and-credits.md#rotate-a-key) it."
    ],
    again: never
  },
  key_type_not_allowed: {
    meaning: "The kind of key, secret or publishable, is not the one that the request needs.",
    causes: [
      "A widget session was to be started with a secret key.",
      "A batch, or an address search, was sent with a publishable key."
    ],
    fixes: [
      "For a widget session, use a publishable key, `svc_pk_…`. A secret key does not belong in a page or an app.",
      "For a batch, use a secret key, on a server.",
      "For an address search in a page, use a [widget session](docs/http.md#get-v1widgetaddress)."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/widget/session' -H "X-API-Key: $POSTCODE_KEY" -H 'Content-Type: application/json' -d '{"identifier": "amaka@example.com"}'`,
      answer:
        '{\n  "error": {\n    "code": "key_type_not_allowed",\n    "message": "widget sessions are started with a publishable key, svc_pk_…: a secret key must not leave your servers"\n  }\n}'
    }
  },
  kyb_required: {
    meaning: "The organization's business is not verified (KYB: know your business), and live keys need that.",
    causes: [
      "A live key was to be made, or rotated, for an organization whose `kyb_status` is not `verified`.",
      "A live key, or the token of one of its widget sessions, was used where a key is required, or for an address search, and its organization is no longer verified."
    ],
    fixes: [
      "Have the business [verified](docs/accounts.md#verification). Its live keys then work again as they are.",
      "Until then, use a test key."
    ],
    again: never
  },
  organization_suspended: {
    meaning: "The organization is suspended, or closed. Nothing was charged.",
    causes: [
      "A key of a suspended organization, or the token of one of its widget sessions, was used; on any endpoint, public ones too.",
      "A member of a suspended or closed organization was to change something. Its members may sign in and read."
    ],
    fixes: [
      "As a member, read the reason: `status_reason` of your organization. Then write to the operator of the service.",
      "As an operator, [resume](docs/accounts.md#suspend-resume-and-close) the organization. Its keys then work again as they are."
    ],
    again: "After the organization was resumed."
  },
  not_found: {
    meaning: "There is no such endpoint, or nothing under the id in the path.",
    causes: [
      "The path has a typo, a segment too many, or no `/v1`.",
      "The id is of another thing, of another organization, or of something that was removed."
    ],
    fixes: ["Compare the path with the [HTTP interface](docs/http.md), and the id with the list it came from."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/nothing'`,
      answer: '{ "error": { "code": "not_found", "message": "there is no such endpoint: /v1/docs lists all" } }'
    }
  },
  method_not_allowed: {
    meaning: "The path exists, but not under this method. The header `Allow` lists those it takes.",
    causes: [
      "GET where POST is meant, or the other way round.",
      "HEAD on a lookup: it would be charged, and answer nothing."
    ],
    fixes: ["Use a method of `Allow`."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup/batch'`,
      answer: '{ "error": { "code": "method_not_allowed", "message": "this path takes POST, OPTIONS" } }'
    }
  },
  conflict: {
    meaning: "The request contradicts what is there. The message says what that is.",
    causes: [
      "A reference of a grant or a correction of credits was used before with other content, or a correction takes more than the balance.",
      "A level was asked for that is granted, or asked for, already; or a request was to be decided a second time.",
      "A verification was asked for while one is pending, or after it was granted.",
      "The identifiers of an end user belong to two accounts.",
      "A key was to be rotated that was rotated before, or is no longer active.",
      "A key was to be created, or rotated with an overlap, and the organization has 100 active keys.",
      "The reference of a batch of changes stands for another batch; or the directory cannot be changed, because it comes from files.",
      "An email address has an account already; the last operator, or the last owner of an organization, was to go.",
      "There are as many webhooks, or passkeys, as there may be; a delivery was to be sent again that has arrived, or goes to an endpoint that answered 410."
    ],
    fixes: ["Look at what is there, and send what fits it."],
    again: never
  },
  version_expired: {
    meaning:
      "The changes of the directory since the version in `since` can no longer be read. The message says why, and which edition is current.",
    causes: [
      "The edition of that version was replaced by another one: changes lead from version to version of one edition.",
      "The changes are older than a year."
    ],
    fixes: ["Get a new snapshot, or a new file, of the current edition, and follow the changes from its version."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/directory/changes?since=2025-4' -H "X-API-Key: $POSTCODE_KEY"`,
      answer:
        '{\n  "error": {\n    "code": "version_expired",\n    "message": "the edition of this version was replaced by demo-250000-1: get a snapshot of the directory, and follow from there"\n  }\n}'
    }
  },
  payload_too_large: {
    meaning: "The body has more than 64 KiB, or, as changes of the directory, more than 4 MiB.",
    causes: ["A batch with very long texts, or something else than this interface takes."],
    fixes: ["Send less at once, in several requests."],
    again: never
  },
  unsupported_media_type: {
    meaning: "The body is in a form that is not taken.",
    causes: [
      "`Content-Type` is not `application/json`, or names another encoding than UTF-8. `curl -d` alone sends a form.",
      "The body has a content encoding, such as gzip."
    ],
    fixes: ["Send `Content-Type: application/json`, and the body as it is."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/assembly/assemble' -d '{"state": "LA"}'`,
      answer: '{ "error": { "code": "unsupported_media_type", "message": "expected Content-Type: application/json" } }'
    }
  },
  idempotency_key_reused: {
    meaning: "The same `Idempotency-Key` was used with this API key for another request in the last 24 hours.",
    causes: [
      "A constant is sent as the key, or a number that starts anew.",
      "The request was changed before it was repeated: other codes, another order, another level."
    ],
    fixes: ["Take a new value for each request, such as a UUID, and the old one only to repeat the very same."],
    again: "With another `Idempotency-Key`, if it is another request."
  },
  rate_limit_exceeded: {
    meaning: "There were too many requests, or the key has charged what it may in a day.",
    causes: [
      "The secret key, or the address of a request without one, has used up its requests of 60 seconds. A request with a publishable key counts under its address and under the key.",
      "All keys of the organization together have used up its requests of 60 seconds. More keys do not help; an operator can raise its limit.",
      "A batch of points or addresses has more items than requests are left: each item counts as one.",
      "A widget session has made its 60 address queries.",
      "The key has a daily limit of credits, and this request would exceed it: for a secret key the message names the limit, and `X-Credits-Charged: 0` stands beside it.",
      "Too many widget sessions were started from one address or with one identifier, or too many sign-ins were tried.",
      "Behind a proxy that is not [trusted](docs/configuration.md#behind-a-proxy) all clients without a key have one address, and one limit."
    ],
    fixes: [
      "Wait for `Retry-After` seconds: for a daily limit, the time until 00:00 UTC. `X-RateLimit-Remaining`, on every response, tells before it happens.",
      "Send a secret key from your server, which has a limit of its own; ask for many postcodes in one [batch](docs/http.md#post-v1lookupbatch).",
      "For more credits a day, have a key made with a higher limit, or, if it is secret, none; more credits in the account do not help."
    ],
    again: "Yes, when `Retry-After` has passed."
  },
  internal_error: {
    meaning: "A fault of the service.",
    causes: ["The cause is in the [log](docs/configuration.md#faults), under the request's id, and not in the answer."],
    fixes: ["Report the `X-Request-Id` to the operator."],
    again:
      "It may help. Send the same `Idempotency-Key`: nothing was charged, unless the charge itself was the last step."
  },
  service_unavailable: {
    meaning: "The service cannot answer this now. Nothing was charged that could not be repeated safely.",
    causes: [
      "The service is stopping, or has more to do [than it can](docs/configuration.md#more-than-it-can-do).",
      "A store is out of reach: [what needs the database](docs/replicas.md#when-the-database-is-unavailable) waits for it, searches go on."
    ],
    fixes: [
      "Wait, and send it again.",
      "As an operator, look at [`/v1/health/ready`](docs/http.md#get-v1healthready)."
    ],
    again: "Yes, when `Retry-After` has passed, with the same `Idempotency-Key` if you sent one."
  }
}
