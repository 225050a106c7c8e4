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
      "A parameter is sent twice.",
      "A rule between fields is broken, such as `origins` for a secret key, or an approval without a note.",
      "`cursor` is not the `next_cursor` of an earlier page of the same list.",
      "The request alone costs more than the key's `daily_credit_limit`. The message has both numbers. Nothing was charged.",
      "The bytes are not a valid HTTP request. The connection is closed."
    ],
    fixes: [
      "Correct the parameter that the message names. The message says what is expected.",
      "Show a suggested postcode to the user. Do not use it without consent: it may be another address.",
      "For a `daily_credit_limit` below the price: split the batch, request a lower level, or use a key with a higher limit. More credits do not help."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/search/reverse?lat=95&lng=3.34'`,
      answer:
        '{ "error": { "code": "invalid_parameter", "message": "lat: expected a latitude in degrees from -90 to 90" } }'
    }
  },
  invalid_body: {
    meaning: "The body cannot be parsed, or a body of the management API has a field that cannot be used.",
    causes: [
      "It is empty, not valid UTF-8, or not valid JSON.",
      "An object in it has the same name twice.",
      "A body of `/v1/admin` has an unknown field. The message has its name and the nearest known one. Elsewhere, unknown fields are ignored.",
      "A `PATCH` has a field that never changes, such as the `max_level` of a key."
    ],
    fixes: [
      "Send one JSON object in UTF-8.",
      "Correct or remove the field that the message names. Nothing was changed.",
      "Instead of changing a fixed field of a key, create another key and revoke the old one."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/assembly/assemble' -H 'Content-Type: application/json' -d '{"state": "LA"'`,
      answer: '{ "error": { "code": "invalid_body", "message": "the body is not valid JSON" } }'
    }
  },
  auth_required: {
    meaning: "The endpoint or the requested level needs a credential, and none was sent.",
    causes: [
      "A lookup above level 1, or a request for reference data, has no API key.",
      "A request to the management API has no operator token, management key or console session.",
      "A request of the widget has no session token, or a session was requested without a publishable key."
    ],
    fixes: [
      "Send the API key in `X-API-Key`.",
      "Send the operator token, a management key, or the token of a widget session, as `Authorization: Bearer`.",
      "Sign in, if you use the console."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup?code=LA-11-B03-PD-01&level=2'`,
      answer:
        '{\n  "error": {\n    "code": "auth_required",\n    "message": "level 2 needs an API key: send it in the X-API-Key header"\n  }\n}'
    }
  },
  invalid_api_key: {
    meaning: "`X-API-Key` was sent, but the key is not valid. All endpoints refuse it, including public ones.",
    causes: [
      "The key is malformed: its checksum is wrong because of a typo or a missing part. An empty header counts as malformed.",
      "The service does not know the key: it belongs to another instance, or the service kept keys in memory and was restarted.",
      "The key was revoked or has expired.",
      "The key is a management key, `svc_mk_…`. Send it as `Authorization: Bearer`, only to `/v1/admin`."
    ],
    fixes: [
      "Copy the whole key, or [create a new one](docs/keys-and-credits.md#create-a-key).",
      "If no key is needed, omit the header."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup?code=LA-11-B03-PD-01' -H 'X-API-Key: svc_test_mistyped'`,
      answer:
        '{ "error": { "code": "invalid_api_key", "message": "the API key is malformed: check that it was copied whole" } }'
    }
  },
  invalid_token: {
    meaning: "The bearer token, session or password is not valid here.",
    causes: [
      "The token is neither the operator token of this service nor an active management key.",
      "The widget session is not valid: it has expired, its token was changed, its key was revoked or has expired, or the page has another origin than the one that started the session.",
      "In the console: the session has ended, the email address, password or passkey is wrong, or the invitation is not valid because it was used or withdrawn, has expired, or its address has an account."
    ],
    fixes: [
      "As an operator, use the token that you started the service with, or that it printed at the start.",
      "For an organization's servers, ask an owner to [create a management key](docs/keys-and-credits.md#management-keys).",
      "In the widget, start a new session.",
      "In the console, sign in again or request a new invitation."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/admin/organizations' -H 'Authorization: Bearer not-the-operator-token'`,
      answer: '{ "error": { "code": "invalid_token", "message": "the operator token is not the one of this service" } }'
    }
  },
  insufficient_credits: {
    meaning:
      "The balance does not cover the price. Nothing was charged or returned: a batch is charged as a whole or not at all.",
    causes: [
      "The balance of the key's environment, test or live, is too low. For a secret key, `X-Credits-Remaining` is the balance, and the message has the price.",
      "A batch or a high level costs more than the balance."
    ],
    fixes: [
      "Buy [credits](docs/keys-and-credits.md#when-credits-run-out) for the key's environment.",
      "Request a lower level or fewer codes.",
      "Set a [low-balance threshold](docs/webhooks.md#low-balances) to get an event before credits run out."
    ],
    again: "After credits are granted, with the same `Idempotency-Key` if you sent one."
  },
  insufficient_scope: {
    meaning: "The key, or the role of the account, does not permit the request.",
    causes: [
      "The key lacks the scope: lookups above level 1 need `lookup`.",
      "In the management API, the account's role does not permit the request. The message names the roles that do.",
      "A member set a rate limit of a key above the service's default."
    ],
    fixes: [
      "Use a key with that scope. You cannot change the scopes of a key: create a new key.",
      "Ask an account with a [role](docs/accounts.md#permissions) that permits it."
    ],
    again: never
  },
  level_not_granted: {
    meaning: "The level is higher than the key's or the organization's.",
    causes: [
      "A lookup requested a level above the key's maximum. (If only the organization's grant is lower, the lookup is served at the grant.)",
      "A key was created or rotated with a maximum above its organization's grant."
    ],
    fixes: [
      "Request a lower level, or use another key.",
      "Request a [higher level](docs/levels.md#how-a-level-is-granted) for the organization."
    ],
    again: never
  },
  origin_not_allowed: {
    meaning: "The request came from a page with an origin that is not allowed. The message names the origin.",
    causes: [
      "The publishable key does not list the page's origin.",
      "A page other than the service's own used a console session or tried to sign in.",
      "A passkey was created or used without a page."
    ],
    fixes: [
      "Add the origin to the key: scheme, host and port, such as `https://shop.example`.",
      "Behind a proxy, set the console's address with [`--public-url`](docs/configuration.md)."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/search/autocomplete?q=la' -H "X-API-Key: $POSTCODE_BROWSER_KEY" -H 'Origin: https://elsewhere.example'`,
      answer:
        '{\n  "error": {\n    "code": "origin_not_allowed",\n    "message": "this publishable key is not allowed on the origin https://elsewhere.example: add it to the origins of the key"\n  }\n}'
    }
  },
  address_not_allowed: {
    meaning: "The secret key does not allow the client's IP address. The message names the address.",
    causes: [
      "The key has a list of addresses, `allowed_ips`, without the client's address. All endpoints refuse it, including public ones.",
      "Behind a proxy that is not [trusted](docs/configuration.md#behind-a-proxy), the client's address is that of the proxy.",
      "The server reaches the service over IPv6, but only its IPv4 address is in the list, or the reverse."
    ],
    fixes: [
      "Add the address that the message names: [`PATCH /v1/admin/keys/{id}`](docs/http/keys.md#patch-v1adminkeysid), `postcode keys update`.",
      "If the address is not yours, someone else has the key: [rotate](docs/keys-and-credits.md#rotate-a-key) it."
    ],
    again: never
  },
  key_type_not_allowed: {
    meaning: "The request needs the other kind of key, secret or publishable.",
    causes: [
      "A widget session was requested with a secret key.",
      "A batch or an address search was sent with a publishable key."
    ],
    fixes: [
      "For a widget session, use a publishable key, `svc_pk_…`. Never put a secret key into a page or an app.",
      "For a batch, use a secret key on a server.",
      "For an address search in a page, use a [widget session](docs/http/widget.md#get-v1widgetaddress)."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/widget/session' -H "X-API-Key: $POSTCODE_KEY" -H 'Content-Type: application/json' -d '{"identifier": "amaka@example.com"}'`,
      answer:
        '{\n  "error": {\n    "code": "key_type_not_allowed",\n    "message": "widget sessions are started with a publishable key, svc_pk_…: a secret key must not leave your servers"\n  }\n}'
    }
  },
  kyb_required: {
    meaning:
      "The organization's business is not verified (KYB: know your business). Live keys need a verified business.",
    causes: [
      "A live key was created or rotated for an organization whose `kyb_status` is not `verified`.",
      "The organization is no longer verified, and a live key or one of its widget sessions was used for an address search or where a key is required."
    ],
    fixes: [
      "Get the business [verified](docs/accounts.md#verification). Its live keys then work again, unchanged.",
      "Until then, use a test key."
    ],
    again: never
  },
  organization_suspended: {
    meaning: "The organization is suspended or closed. Nothing was charged.",
    causes: [
      "A key or widget session of a suspended organization was used. All endpoints refuse it, including public ones.",
      "A member of a suspended or closed organization tried to change something. Members can only sign in and read."
    ],
    fixes: [
      "As a member, read the reason in `status_reason` of your organization, and contact the operator of the service.",
      "As an operator, [resume](docs/accounts.md#suspend-resume-and-close) the organization. Its keys then work again, unchanged."
    ],
    again: "After the organization is resumed."
  },
  not_found: {
    meaning: "The endpoint, or the id in the path, does not exist.",
    causes: [
      "The path has a typo or an extra segment, or lacks `/v1`.",
      "The id belongs to another kind of object, to another organization, or to something that was removed."
    ],
    fixes: [
      "Compare the path with the [HTTP interface](docs/http/README.md), and the id with the list that it came from."
    ],
    again: never,
    example: {
      request: `curl '${gateway}/v1/nothing'`,
      answer: '{ "error": { "code": "not_found", "message": "there is no such endpoint: /v1/docs lists all" } }'
    }
  },
  method_not_allowed: {
    meaning: "The path does not support this method. The header `Allow` lists the supported methods.",
    causes: ["GET instead of POST, or the reverse.", "HEAD on a lookup, which would be charged and return nothing."],
    fixes: ["Use a method that `Allow` lists."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/lookup/batch'`,
      answer: '{ "error": { "code": "method_not_allowed", "message": "this path takes POST, OPTIONS" } }'
    }
  },
  conflict: {
    meaning: "The request conflicts with the current state. The message gives the reason.",
    causes: [
      "The reference of a grant or correction was already used with other content, or a correction removes more than the balance.",
      "The requested level is already granted or requested, or a request was already decided.",
      "The verification is already pending or granted.",
      "The identifiers belong to two end users.",
      "The key to rotate was already rotated or is no longer active.",
      "The organization has 100 active keys, and a key was created or rotated with an overlap.",
      "The reference belongs to another batch of changes, or the directory cannot be changed because it comes from files.",
      "The email address already has an account, or the request would remove the last operator or an organization's last owner.",
      "The maximum of webhooks or passkeys is reached, or a delivery to send again has arrived or goes to a disabled endpoint."
    ],
    fixes: ["Get the current state, and correct the request."],
    again: never
  },
  version_expired: {
    meaning:
      "The changes since the version in `since` are no longer available. The message gives the reason and the current edition.",
    causes: [
      "A new edition replaced the edition of that version. Changes are available within one edition only.",
      "The changes are older than a year."
    ],
    fixes: ["Get a new snapshot or file of the current edition, and follow the changes from its version."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/directory/changes?since=2025-4' -H "X-API-Key: $POSTCODE_KEY"`,
      answer:
        '{\n  "error": {\n    "code": "version_expired",\n    "message": "the edition of this version was replaced by demo-250000-1: get a snapshot of the directory, and follow from there"\n  }\n}'
    }
  },
  payload_too_large: {
    meaning: "The body exceeds 64 KiB, or 4 MiB for changes of the directory.",
    causes: ["A batch with very long texts, or a body that this endpoint does not expect."],
    fixes: ["Split the body into several requests."],
    again: never
  },
  unsupported_media_type: {
    meaning: "The format of the body is not supported.",
    causes: [
      "`Content-Type` is not `application/json`, or its charset is not UTF-8. By default `curl -d` sends a form.",
      "The body has a content encoding, such as gzip."
    ],
    fixes: ["Send `Content-Type: application/json`, and do not compress the body."],
    again: never,
    example: {
      request: `curl '${gateway}/v1/assembly/assemble' -d '{"state": "LA"}'`,
      answer: '{ "error": { "code": "unsupported_media_type", "message": "expected Content-Type: application/json" } }'
    }
  },
  idempotency_key_reused: {
    meaning:
      "The same `Idempotency-Key` was used with this API key, or one that it replaced, for another request in the last 24 hours.",
    causes: [
      "The client sends a constant, or a counter that restarts.",
      "The request was changed before it was repeated: other codes, another order, another level."
    ],
    fixes: [
      "Use a new value for each request, such as a UUID. Use the same value only to repeat an identical request."
    ],
    again: "With a new `Idempotency-Key`, if it is another request."
  },
  rate_limit_exceeded: {
    meaning: "There were too many requests, or the key has reached its daily credit limit.",
    causes: [
      "The secret key, or the address of a request without one, has used up its requests for 60 seconds. A request with a publishable key counts for its address and for the key.",
      "All keys of the organization together have used up its requests for 60 seconds. More keys do not help. An operator can raise the limit.",
      "A batch of points or addresses has more items than requests are left. Each item counts as one.",
      "A widget session has made its 60 address queries.",
      "The request would exceed the key's daily credit limit. For a secret key, the message names the limit, and `X-Credits-Charged` is 0.",
      "Too many widget sessions were started from one address or with one identifier, or there were too many sign-in attempts.",
      "Behind a proxy that is not [trusted](docs/configuration.md#behind-a-proxy) all clients without a key share one address and one limit."
    ],
    fixes: [
      "Wait for `Retry-After` seconds: for a daily limit, the time until 00:00 UTC. `X-RateLimit-Remaining` in every response shows how many requests are left.",
      "Send a secret key from your server: it has its own limit. Request many postcodes in one [batch](docs/http/lookup.md#post-v1lookupbatch).",
      "For more credits a day, use a key with a higher daily limit, or a secret key without one. More credits do not help."
    ],
    again: "Yes, after `Retry-After`."
  },
  internal_error: {
    meaning: "The service failed because of a defect.",
    causes: [
      "The [log](docs/configuration.md#faults) contains the cause, with the request's id. The response does not."
    ],
    fixes: ["Report the `X-Request-Id` to the operator."],
    again: "Perhaps. Send the same `Idempotency-Key`: nothing was charged, unless the charge itself was the last step."
  },
  service_unavailable: {
    meaning: "The service cannot process the request now. If anything was charged, the request can be repeated safely.",
    causes: [
      "The service is stopping or [overloaded](docs/configuration.md#overload).",
      "The database is unavailable: [requests that need it](docs/replicas.md#when-the-database-is-unavailable) fail, and searches continue."
    ],
    fixes: [
      "Wait for `Retry-After` seconds, then send the request again.",
      "As an operator, check [`/v1/health/ready`](docs/http/health.md#get-v1healthready)."
    ],
    again: "Yes, after `Retry-After`, with the same `Idempotency-Key` if you sent one."
  }
}
