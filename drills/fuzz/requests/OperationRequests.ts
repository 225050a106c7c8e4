/** Requests for what the service says it answers: right ones, and those with a few things in them that are not. */
import { operatorToken } from "@postcode/conformance/wire"
import type { FuzzRequest, Pair } from "./FuzzRequest.ts"
import { hostileTexts, prototypeNames } from "./HostileValues.ts"
import type { Credential, Operation } from "./Interface.ts"
import { type Json, JsonToken, toText } from "./JsonText.ts"
import type { Random } from "./Random.ts"
import { mutated, type Sources, validValue } from "./SchemaValues.ts"

/** Where the console's pages are, as their browser says. */
export const consolePage: ReadonlyArray<Pair> = [
  ["host", "console.example"],
  ["origin", "https://console.example"],
  ["sec-fetch-site", "same-origin"]
]

/** A request that an operation may be expected to answer with a success. */
export const validRequest = (sources: Sources, operation: Operation): FuzzRequest => {
  const { random } = sources
  const body = operation.body === undefined ? undefined : validValue(sources, "", operation.body)
  return {
    method: operation.method,
    path: operation.path.replace("{id}", idFor(sources, operation.path)),
    query: operation.query
      .filter(({ required }) => required || random.chance(40))
      .map(({ name, schema }) => [name, encoded(textOf(validValue(sources, name, schema)))] as const),
    headers: [
      ...credentialOf(sources, credentialFor(random, operation)),
      ["x-forwarded-for", `198.18.${random.below(256)}.${random.below(256)}`],
      ...(body === undefined ? [] : jsonHeaders)
    ],
    body: body === undefined ? undefined : Buffer.from(toText(body)),
    isChunked: random.chance(10)
  }
}

/** What is about a person's own account takes their session, or, where it begins one, a page of the service. */
const credentialFor = (random: Random, { credentials, path }: Operation): Credential => {
  if (!path.startsWith("/v1/admin/account")) return random.pick(credentials)
  return credentials.includes("nobody") ? "ownPage" : "consoleSession"
}

/** The same with up to four things changed. */
export const nearlyValidRequest = (sources: Sources, operation: Operation): FuzzRequest => {
  const { random } = sources
  let request = validRequest(sources, operation)
  for (let i = 1 + random.below(4); i > 0; i--) {
    const mutate = random.pick(operation.body === undefined ? withoutBody : withBody)
    request = mutate(sources, request, operation)
  }
  return request
}

export const jsonHeaders: ReadonlyArray<Pair> = [["content-type", "application/json"]]

type Mutation = (sources: Sources, request: FuzzRequest, operation: Operation) => FuzzRequest

const changeQuery: Mutation = ({ random }, request, operation) => {
  const names = [...operation.query.map(({ name }) => name), "level", "x", random.pick(prototypeNames)]
  const pair: Pair = [
    random.chance(90) ? random.pick(names) : random.pick(rawEscapes),
    random.chance(80) ? encoded(random.pick(hostileTexts)) : random.pick(rawEscapes)
  ]
  const { query } = request
  const replaces = query.length > 0 && random.chance(60)
  return { ...request, query: replaces ? query.with(random.below(query.length), pair) : [...query, pair] }
}

const changeHeaders: Mutation = ({ random }, request) => ({
  ...request,
  headers: [...request.headers, [random.pick(headerNames), random.pick(headerValues)]]
})

const changeCredential: Mutation = (sources, request, operation) => {
  const { random } = sources
  const kept = request.headers.filter(([name]) => !credentialHeaders.has(name))
  const credential = random.chance(50) ? wrongCredential(sources) : credentialOf(sources, random.pick(anyCredential))
  return { ...request, headers: [...kept, ...(operation.path.includes("account") ? consolePage : []), ...credential] }
}

const changeMethod: Mutation = ({ random }, request) => ({ ...request, method: random.pick(methods) })

const changePath: Mutation = ({ random }, request) => {
  const steps = request.path.split("/")
  const at = 1 + random.below(steps.length - 1)
  switch (random.below(6)) {
    case 0:
      return { ...request, path: `${request.path}${random.pick(["/", "//", "/.", ";a=b", "%2f", "%00", "#x", "?"])}` }
    case 1:
      return { ...request, path: request.path.toUpperCase() }
    case 2:
      return { ...request, path: steps.toSpliced(at, 1).join("/") || "/" }
    case 3:
      return { ...request, path: steps.toSpliced(at, 0, random.pick([".", "..", "%2e%2e", ""])).join("/") }
    default: {
      const step = random.pick([...rawEscapes, ...prototypeNames, encoded(random.pick(hostileTexts))])
      return { ...request, path: steps.with(at, step).join("/") }
    }
  }
}

const changeBody: Mutation = (sources, request, operation) => {
  const { random } = sources
  const value: Json = operation.body === undefined ? new JsonToken("{}") : validValue(sources, "", operation.body)
  return { ...request, body: Buffer.from(toText(mutated(random, value))) }
}

const damageBody: Mutation = ({ random }, request) => {
  const { body = Buffer.from("{}") } = request
  const at = random.below(body.length + 1)
  const bytes = Buffer.from(random.pick(['"', "{", "\0", ",", "\\", "\u00ff", "\ufeff", "1", "\ud83d"]), "utf8")
  return {
    ...request,
    body: random.chance(40) ? body.subarray(0, at) : Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)])
  }
}

const changeContentType: Mutation = ({ random }, request) => ({
  ...request,
  headers: [...request.headers.filter(([name]) => name !== "content-type"), ["content-type", random.pick(contentTypes)]]
})

const withoutBody = [changeQuery, changeQuery, changeHeaders, changeCredential, changeMethod, changePath, changeBody]
const withBody = [
  changeBody,
  changeBody,
  changeBody,
  damageBody,
  changeContentType,
  changeHeaders,
  changeCredential,
  changePath
]

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LINK", "QUERY"]

/** What is wrong before anybody reads it. */
const rawEscapes = [
  "%",
  "%ZZ",
  "%C0%AF",
  "%ED%A0%80",
  "%FF",
  "%u0041",
  "%0d%0aX:%201",
  "%F4%90%80%80",
  "+",
  "&",
  "=",
  ";"
]

const contentTypes = [
  ...["", "text/plain", "application/json; charset=utf-16", "application/json; charset=latin1", "application/xml"],
  ...[
    'application/json; charset="utf-8"',
    "APPLICATION/JSON;CHARSET=UTF-8",
    "application/json;",
    "application/json; a=b"
  ],
  ...[
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/json, text/plain",
    ";",
    "json"
  ]
]

const headerNames = [
  ...[
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "connection",
    "content-encoding"
  ],
  ...["content-language", "cookie", "dnt", "expect", "forwarded", "from", "host", "idempotency-key", "if-match"],
  ...[
    "if-modified-since",
    "if-none-match",
    "keep-alive",
    "origin",
    "pragma",
    "range",
    "referer",
    "sec-fetch-site",
    "te"
  ],
  ...["upgrade-insecure-requests", "user-agent", "via", "x-embedding-origin", "x-forwarded-for", "x-forwarded-host"],
  ...["x-forwarded-proto", "x-http-method-override", "x-original-url", "x-request-id", "x-rewrite-url", "__proto__"]
]

const headerValues = [
  ...[
    "",
    "x",
    "*",
    "null",
    "gzip",
    "identity",
    "gzip;q=0",
    "br, gzip;q=1.0",
    "deflate",
    "close",
    "keep-alive",
    "100-continue"
  ],
  ...[
    "\u00ff\u00fe",
    "a".repeat(300),
    "1",
    "-1",
    "bytes=0-1",
    "https://console.example",
    "http://[::1]:99999",
    "DELETE"
  ],
  ...[
    "/v1/admin/audit",
    "same-origin",
    "cross-site",
    "none",
    "trailers",
    "127.0.0.1",
    "::1, 10.0.0.1",
    "999.1.1.1",
    ","
  ],
  ...[
    'W/"x"',
    '"',
    "q=1;;;,,,",
    " ".repeat(100),
    `${"a,".repeat(400)}`,
    "__Host-postcode_session=x; __Host-postcode_session=y"
  ]
]

const credentialHeaders = new Set(["authorization", "cookie", "x-api-key", "origin", "sec-fetch-site"])
const anyCredential: ReadonlyArray<Credential> = [
  "apiKey",
  "consoleSession",
  "managementKey",
  "nobody",
  "operatorToken",
  "sessionToken"
]

const credentialOf = ({ known, random }: Sources, credential: Credential): ReadonlyArray<Pair> => {
  switch (credential) {
    case "apiKey":
      return apiKeyHeaders(random, known.any(random.chance(30) ? "publishable" : "apiKey", random) ?? "")
    case "operatorToken":
      return [["authorization", `Bearer ${operatorToken}`]]
    case "managementKey":
      return [["authorization", `Bearer ${known.any("managementKey", random) ?? "svc_mk_x"}`]]
    case "consoleSession":
      return [...consolePage, ["cookie", known.any("cookie", random) ?? ""]]
    case "sessionToken":
      return [["authorization", `Bearer ${known.any("sessionToken", random) ?? "none"}`]]
    case "ownPage":
      return consolePage
    case "nobody":
      return []
  }
}

/** A publishable key's requests come from a page, as often as not. */
const apiKeyHeaders = (random: Random, key: string): ReadonlyArray<Pair> =>
  key.startsWith("svc_pk_") && random.chance(50)
    ? [
        ["x-api-key", key],
        ["origin", "https://shop.example"]
      ]
    : [["x-api-key", key]]

const wrongCredential = ({ known, random }: Sources): ReadonlyArray<Pair> => {
  const key = known.any("apiKey", random) ?? "svc_live_x"
  const token = known.any("sessionToken", random) ?? "eyJ.e30.x"
  const cookie = known.any("cookie", random) ?? ""
  return random.pick<ReadonlyArray<Pair>>([
    [["x-api-key", known.any("revoked", random) ?? "x"]],
    [["x-api-key", `${key.slice(0, -1)}x`]],
    [["x-api-key", key.toUpperCase()]],
    [
      ["x-api-key", key],
      ["x-api-key", key]
    ],
    [["x-api-key", random.pick(["", "svc_live_", `svc_live_${random.text(38)}`, "a".repeat(5_000), "\u00e9"])]],
    [
      ["x-api-key", key],
      ["origin", "https://evil.example"]
    ],
    [["authorization", `Bearer ${token.slice(0, -2)}`]],
    [["authorization", `Bearer ${token.split(".")[0]}.e30.`]],
    [["authorization", random.pick(["Bearer", "Bearer ", "Basic YTpi", `bearer ${operatorToken.slice(1)}`, "\u00ff"])]],
    [...consolePage, ["cookie", `${cookie}x`]],
    [...consolePage, ["cookie", `${cookie}; ${cookie}`]],
    [["cookie", cookie]],
    [
      ["host", "console.example"],
      ["origin", "https://evil.example"],
      ["cookie", cookie]
    ]
  ])
}

const kinds: Readonly<Record<string, string>> = {
  organizations: "org",
  keys: "key",
  "access-requests": "acr",
  "end-users": "usr",
  webhooks: "whk",
  "webhook-deliveries": "dlv",
  invitations: "inv",
  accounts: "acc",
  passkeys: "psk"
}

const idFor = ({ known, random }: Sources, path: string): string => {
  const kind = kinds[path.split("/{id}")[0]?.split("/").at(-1) ?? ""] ?? "org"
  return known.any(kind, random) ?? `${kind}_${random.text(20)}`
}

/** What a value of a query is as a text. */
const textOf = (value: Json): string => (typeof value === "string" ? value : toText(value))

/** Percent-encoded byte by byte, so that there is nothing it cannot encode. */
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join("")

const percent = (byte: number): string => `%${byte.toString(16).padStart(2, "0")}`

/** Whether the service may take as long as a password takes: which it works on beside its event loop. */
export const worksOnPasswords = ({ path }: Pick<FuzzRequest, "path">): boolean =>
  /\/account\/(?:sign-in|accept|password|passkey-start)$/.test(path)

/** Whether much of a scene is gone once this succeeds: its keys, sessions and people. */
export const endsMuch = ({ name }: Operation): boolean =>
  /\.(?:changePassword|removeAccount|revokeKey|rotateKey|signOut|signOutEverywhere)$/.test(name)
