/** What requests need to get past the door: organizations, keys of every kind, people, sessions. */
import { cookieOf, operatorToken, parseResponses, type Received } from "@postcode/conformance/wire"
import { Connection } from "./Connection.ts"
import { bytesOf, type FuzzRequest, type Pair } from "./requests/FuzzRequest.ts"
import { Known, mark } from "./requests/Known.ts"
import { consolePage, jsonHeaders } from "./requests/OperationRequests.ts"
import type { Random } from "./requests/Random.ts"

/** A new scene. What stood before is not touched by it, so a run is one scene after the other. */
export const makeScene = async (port: number, random: Random): Promise<Known> => {
  const known = new Known()
  const connection = new Connection(port)
  try {
    const call = callWith(connection, known, `198.19.${random.below(256)}.${random.below(256)}`)
    const organization = await makeOrganization(call, random)
    await makeKeys(call, known, organization)
    await makeThings(call, known, organization)
    await makeTestUsers(call, known, organization, random)
    await findPostcodes(call, known)
    return known
  } finally {
    connection.close()
  }
}

type Call = (method: string, path: string, body?: object, headers?: ReadonlyArray<Pair>) => Promise<Answered>

interface Answered {
  readonly data: Readonly<Record<string, string>>
  readonly received: Received
}

const asOperator: ReadonlyArray<Pair> = [["authorization", `Bearer ${operatorToken}`]]

/** @param address from which nobody asked before: an address may not sign in as often as there are scenes */
const callWith =
  (connection: Connection, known: Known, address: string): Call =>
  async (method, path, body, headers = asOperator) => {
    const request: FuzzRequest = {
      method,
      path,
      query: [],
      headers: [["x-forwarded-for", address], ...(body === undefined ? [] : jsonHeaders), ...headers],
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      isChunked: false
    }
    const { bytes } = await connection.ask(bytesOf(request), true)
    const [received] = parseResponses(bytes, () => method)
    if (received === undefined || received.status >= 300) throw new Error(`${method} ${path}: ${received?.text}`)
    const { data } = JSON.parse(received.text) as Answered
    known.learnFrom(data)
    return { data, received }
  }

const makeOrganization = async (call: Call, random: Random): Promise<string> => {
  const { data } = await call("POST", "/v1/admin/organizations", { name: "Fuzz" })
  const path = `/v1/admin/organizations/${data.id}`
  await call("PATCH", path, { granted_level: 5, kyb_status: "verified", review_note: "for a test" })
  for (const environment of ["test", "live"]) {
    await call("POST", `${path}/credits`, { amount: 1_000_000, environment, reference: `fuzz ${random.text(12)}` })
  }
  return path
}

const makeKeys = async (call: Call, known: Known, organization: string): Promise<void> => {
  const base = { name: "fuzz", scopes: ["search", "lookup"], max_level: 5, rate_limit_per_minute: 1_000_000 }
  const key = async (changes: object) => (await call("POST", `${organization}/keys`, { ...base, ...changes })).data
  await key({ kind: "secret", environment: "test" })
  await key({ kind: "secret", environment: "live" })
  await key({ kind: "secret", environment: "live", scopes: ["search"], max_level: 1 })
  const origins = ["https://shop.example"]
  const page = await key({ kind: "publishable", environment: "test", origins, daily_credit_limit: 1_000_000 })
  known.learn("publishable", page.secret ?? "")
  await call("POST", `${organization}/management-keys`, { name: "fuzz", role: "owner" })
  const revoked = await key({ kind: "secret", environment: "live" })
  known.learn("revoked", revoked.secret ?? "")
  await call("DELETE", `/v1/admin/keys/${revoked.id}`)
  for (let i = 0; i < 3; i++) {
    const headers: ReadonlyArray<Pair> = [["x-api-key", page.secret ?? ""]]
    await call("POST", "/v1/widget/session", { identifier: `${mark}${i}@example.com` }, headers)
  }
}

const makeThings = async (call: Call, known: Known, organization: string): Promise<void> => {
  const { data: newcomer } = await call("POST", "/v1/admin/organizations", { name: "New" })
  await call("POST", `/v1/admin/organizations/${newcomer.id}/access-requests`, { level: 2, reason: "for a test" })
  const identifier = `${mark}0@example.com`
  known.learn("identifier", identifier)
  await call("PUT", "/v1/admin/end-users", { identifiers: [identifier], bookmarks: [] })
  const { data: webhook } = await call("POST", `${organization}/webhooks`, { url: "https://fuzz.invalid/hooks" })
  await call("POST", `/v1/admin/webhooks/${webhook.id}/test`)
}

/** An owner, whose sessions are the scene's cookies, and an invitation that waits. */
const makeTestUsers = async (call: Call, known: Known, organization: string, random: Random): Promise<void> => {
  const email = `owner${random.text(10)}@people.invalid`.toLowerCase()
  const { data } = await call("POST", `${organization}/invitations`, { role: "owner", email })
  const password = `${mark} of an owner ${random.text(10)}`
  const owner = { token: data.token, email, name: "Owner", password }
  known.learn("email", email)
  known.learn("password", password)
  known.learn("cookie", cookieOf((await call("POST", "/v1/admin/account/accept", owner, consolePage)).received))
  const again = await call("POST", "/v1/admin/account/sign-in", { email, password }, consolePage)
  known.learn("cookie", cookieOf(again.received))
  const operator = await call("POST", "/v1/admin/operators/invitations", { email: `operator.${email}` })
  const claimed = { ...owner, token: operator.data.token, email: `operator.${email}` }
  known.learn("cookie", cookieOf((await call("POST", "/v1/admin/account/accept", claimed, consolePage)).received))
  await call("POST", `${organization}/invitations`, { role: "developer", email: `developer.${email}` })
}

const findPostcodes = async (call: Call, known: Known): Promise<void> => {
  const path = "/v1/search/nearby?lat=6.6018&lng=3.3515&radius=2000&limit=20"
  const { data } = await call("GET", path, undefined, [])
  const units = data as unknown as ReadonlyArray<{ readonly postcode: string }>
  for (const { postcode } of units) known.learn("postcode", postcode)
}
