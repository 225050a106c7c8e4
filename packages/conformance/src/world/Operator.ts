/** Creates test data through the management API, as the console would: organizations, keys, credits. */
import { randomUUID } from "node:crypto"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import type { AccountLinkKind } from "@postcode/gateway/accounts/links/AccountLink"
import type { KeyKind, Overlap, Scope } from "@postcode/gateway/keys/ApiKey"
import type { MemberRole, Role } from "@postcode/gateway/ManagementAccess"
import type { ChallengeOptions, SoftAuthenticator } from "../devices/index.ts"
import { dataOf, jsonOf, type Received } from "../wire/Received.ts"
import { form, json, type Message, type TestClient, url } from "./TestClient.ts"
import { proofOf } from "./UserProofs.ts"

/** Settings of a new organization; all have defaults. */
export interface OrganizationScene {
  readonly name?: string
  readonly granted_level?: AccessLevel
  readonly kyb_status?: "pending" | "rejected" | "unverified" | "verified"
}

/** Settings of a new key; all have defaults. */
export interface KeyScene extends OrganizationScene {
  /** The organization that gets the key; a new one by default. */
  readonly organization_id?: string
  readonly kind?: KeyKind
  readonly environment?: Environment
  readonly scopes?: ReadonlyArray<Scope>
  readonly max_level?: AccessLevel
  readonly origins?: ReadonlyArray<string>
  readonly allowed_ips?: ReadonlyArray<string>
  readonly rate_limit_per_minute?: number
  readonly daily_credit_limit?: number
  readonly expires_at?: string
}

/** A new key. */
export interface TestKey {
  readonly id: string
  readonly secret: string
  readonly organization_id: string
}

/** A new invitation. */
export interface TestInvitation {
  readonly id: string
  readonly email: string
  readonly token: string
}

/** An account that is signed in. */
export interface TestAccount {
  readonly id: string
  readonly email: string
  readonly password: string
  /** The headers that a page of the service sends for the account. */
  readonly headers: Readonly<Record<string, string>>
}

/** The headers that a browser adds to a request of the service's own page. */
export const fromOwnPage = {
  host: "console.example",
  origin: "https://console.example",
  "sec-fetch-site": "same-origin"
}

/** Stores a link and returns its token. */
export type MakeLink = (kind: AccountLinkKind, email: string, account_id: string | undefined) => Promise<string>

const noLinks: MakeLink = () => Promise.reject(new Error("links need the ports of the store"))

/** The password of the sign-ups of `Operator.link`. */
export const signUpPassword = "the password of a sign-up"

/** An unused email address. */
export const newEmail = (): string => `${randomUUID()}@people.example`

/** The session cookie that an answer sets, as a browser sends it. */
export const cookieOf = ({ headers }: Received): string => {
  const cookie = headers["set-cookie"]?.split(";")[0]
  if (cookie === undefined) throw new Error("the answer sets no cookie")
  return cookie
}

/** The balance, and a page of its entries, newest first. */
export interface Statement {
  readonly balance: number
  readonly entries: ReadonlyArray<{
    readonly id: string
    readonly amount: number
    readonly reason: string
    readonly reference: string
    readonly balance_after: number
  }>
  readonly next_cursor: string | null
}

/** Calls for each address: fewer than its limit a minute. */
const callsOfAddress = 100

/**
 * Calls the management API with the operator token. All methods except `call`, which returns any answer, throw if the
 * answer is not a success.
 */
export class Operator {
  private readonly client: TestClient
  private readonly token: string
  private readonly nextAddress: () => string
  private readonly makeLink: MakeLink
  private calls = 0
  private address = ""

  /**
   * @param nextAddress returns unused addresses, so that no rate limit affects the operator
   * @param makeLink stores links as if they had been sent by mail
   */
  constructor(client: TestClient, token: string, nextAddress: () => string, makeLink: MakeLink = noLinks) {
    this.client = client
    this.token = token
    this.nextAddress = nextAddress
    this.makeLink = makeLink
  }

  /** Starts the login of a device. */
  async deviceLogin(): Promise<{ readonly device_code: string; readonly user_code: string }> {
    const target = "/v1/oauth/device_authorization"
    const message = { method: "POST", target, ...form({ client_id: "sample" }), address: this.nextAddress() }
    return jsonOf(await this.client.send(message)) as { readonly device_code: string; readonly user_code: string }
  }

  /** The code of a login to which an account agreed, for its only organization. */
  async approvedLogin({ headers }: TestAccount): Promise<string> {
    const { device_code, user_code } = await this.deviceLogin()
    const send = async (method: string, target: string, body?: object) => {
      const sent = body === undefined ? { headers } : json(body, { headers })
      return dataOf<unknown>(await this.client.send({ method, target, ...sent, address: this.nextAddress() }))
    }
    const own = (await send("GET", "/v1/admin/account/organizations")) as {
      readonly organizations: ReadonlyArray<{ readonly organization_id: string }>
    }
    const [organization] = own.organizations
    await send("POST", `/v1/admin/organizations/${organization?.organization_id}/device-logins`, { user_code })
    return device_code
  }

  /** Any call with the operator token. */
  call(method: string, target: string, body?: unknown): Promise<Received> {
    // With a new address for each call, the store would look up a limit each time.
    if (this.calls++ % callsOfAddress === 0) this.address = this.nextAddress()
    const message: Message = { method, target, token: this.token, address: this.address }
    return this.client.send(body === undefined ? message : { ...message, ...json(body) })
  }

  /** The id of a new organization; by default verified, with level 5 granted. */
  async organization({ granted_level = 5, kyb_status = "verified", name = "Test" }: OrganizationScene = {}) {
    const created = await this.call("POST", "/v1/admin/organizations", { name })
    const { id } = dataOf<{ readonly id: string }>(created)
    await this.change(id, { granted_level, kyb_status, review_note: "for a test" })
    return id
  }

  async change(organization_id: string, patch: Readonly<Record<string, unknown>>): Promise<void> {
    dataOf(await this.call("PATCH", `/v1/admin/organizations/${organization_id}`, patch))
  }

  async suspend(organization_id: string, reason = "for a test"): Promise<void> {
    dataOf(await this.call("POST", `/v1/admin/organizations/${organization_id}/suspend`, { reason }))
  }

  async resume(organization_id: string): Promise<void> {
    dataOf(await this.call("POST", `/v1/admin/organizations/${organization_id}/resume`, { reason: "for a test" }))
  }

  /** A new key; by default a secret test key with both scopes and level 5. */
  async key(scene: KeyScene = {}): Promise<TestKey> {
    const organization_id = scene.organization_id ?? (await this.organization(scene))
    const { environment = "test", kind = "secret", max_level = 5, origins, rate_limit_per_minute } = scene
    const { allowed_ips, daily_credit_limit, expires_at } = scene
    const created = await this.call("POST", `/v1/admin/organizations/${organization_id}/keys`, {
      name: "test",
      kind,
      environment,
      scopes: scene.scopes ?? ["search", "lookup"],
      max_level,
      ...(origins !== undefined && { origins }),
      ...(allowed_ips !== undefined && { allowed_ips }),
      ...(rate_limit_per_minute !== undefined && { rate_limit_per_minute }),
      ...(daily_credit_limit !== undefined && { daily_credit_limit }),
      ...(expires_at !== undefined && { expires_at })
    })
    const { id, secret } = dataOf<TestKey>(created)
    return { id, secret, organization_id }
  }

  /**
   * A pending invitation: of a member if an organization is given, else of an operator. By default it is for an unused
   * address.
   */
  async invitation(role: Role, organization_id?: string, email = newEmail()): Promise<TestInvitation> {
    const created =
      organization_id === undefined
        ? await this.call("POST", "/v1/admin/operators/invitations", { email })
        : await this.call("POST", `/v1/admin/organizations/${organization_id}/invitations`, { role, email })
    return dataOf<TestInvitation>(created)
  }

  /** A new account in a role, signed in. By default a member gets a new organization. */
  async account(role: Role, organization_id?: string): Promise<TestAccount> {
    const of = role === "operator" ? undefined : (organization_id ?? (await this.organization()))
    const { id: invitation, email, token } = await this.invitation(role, of)
    const password = `the password of ${invitation}`
    const accepted = await this.client.post(
      "/v1/admin/account/accept",
      { token, name: "Test", password },
      { headers: fromOwnPage, address: this.nextAddress() }
    )
    const { account } = dataOf<{ readonly account: { readonly id: string } }>(accepted)
    return { id: account.id, email, password, headers: { ...fromOwnPage, cookie: cookieOf(accepted) } }
  }

  /** The token of a link that was sent to an address by mail; of an account, or of a sign-up with `signUpPassword`. */
  link(kind: AccountLinkKind, email: string, account_id?: string): Promise<string> {
    return this.makeLink(kind, email, account_id)
  }

  /** A new management key of an organization. */
  async managementKey(role: MemberRole, organization_id: string): Promise<TestKey> {
    const target = `/v1/admin/organizations/${organization_id}/management-keys`
    return dataOf<TestKey>(await this.call("POST", target, { name: "test", role }))
  }

  /** A challenge for a new passkey of an account. */
  async passkeyStart({ headers, password }: TestAccount): Promise<ChallengeOptions> {
    const body = { present_password: password }
    return await this.challenge("/v1/admin/account/passkey-start", body, headers)
  }

  /** A challenge to sign in with a passkey. */
  passkeyChallenge(): Promise<ChallengeOptions> {
    return this.challenge("/v1/admin/account/passkey-challenge", {}, fromOwnPage)
  }

  /** The id of a new passkey of an account, on a device. */
  async passkey(person: TestAccount, device: SoftAuthenticator): Promise<string> {
    const body = { name: "Test", credential: device.create(await this.passkeyStart(person)) }
    const options = { headers: person.headers, address: this.nextAddress() }
    const added = await this.client.post("/v1/admin/account/passkeys", body, options)
    return dataOf<{ readonly id: string }>(added).id
  }

  private async challenge(
    target: string,
    body: object,
    headers: Readonly<Record<string, string>>
  ): Promise<ChallengeOptions> {
    const received = await this.client.post(target, body, { headers, address: this.nextAddress() })
    return dataOf<{ readonly options: ChallengeOptions }>(received).options
  }

  /** The token of a widget session that a page starts with a publishable key; by default for an unknown end user. */
  async session(key: TestKey, identifier = "nobody@example.com", origin?: string): Promise<string> {
    const headers: Readonly<Record<string, string>> = origin === undefined ? {} : { origin }
    const address = this.nextAddress()
    const started = await this.client.post("/v1/widget/session", { identifier }, { key: key.secret, address, headers })
    return dataOf<{ readonly token: string }>(started).token
  }

  /** The token of a session with a proof, of an organization whose end users may keep bookmarks. */
  async provenSession(key: TestKey, identifier: string): Promise<string> {
    const { organization_id } = key
    const widget = `/v1/admin/organizations/${organization_id}/widget`
    dataOf(await this.call("PATCH", widget, { own_bookmarks: true }))
    const { secret } = dataOf<{ readonly secret: string }>(await this.call("POST", `${widget}/proof-key`))
    const body = { identifier, proof: proofOf({ organization_id, secret }, identifier) }
    const options = { key: key.secret, address: this.nextAddress() }
    return dataOf<{ readonly token: string }>(await this.client.post("/v1/widget/session", body, options)).token
  }

  /** Saves a bookmark as the end user of a session with a proof. */
  async saveBookmark(token: string, bookmark: object): Promise<void> {
    dataOf(await this.client.post("/v1/widget/bookmarks", bookmark, { token, address: this.nextAddress() }))
  }

  async revoke(key: TestKey): Promise<void> {
    dataOf(await this.call("DELETE", `/v1/admin/keys/${key.id}`))
  }

  /** The new key of a rotation. The old one stays active during the overlap. */
  async rotate(key: TestKey, overlap: Overlap): Promise<TestKey> {
    const { id, secret } = dataOf<TestKey>(await this.call("POST", `/v1/admin/keys/${key.id}/rotate`, { overlap }))
    return { id, secret, organization_id: key.organization_id }
  }

  /** A new live key, and a grant of this many credits. */
  async keyWithCredits(credits: number, scene: KeyScene = {}): Promise<TestKey> {
    const key = await this.key({ ...scene, environment: "live" })
    if (credits > 0) await this.grant(key.organization_id, credits, "live")
    return key
  }

  async grant(organization_id: string, amount: number, environment: Environment, reference = "invoice 1") {
    const target = `/v1/admin/organizations/${organization_id}/credits`
    return dataOf<{ readonly entry_id: string; readonly balance: number }>(
      await this.call("POST", target, { amount, environment, reference })
    )
  }

  /** The balance and its newest 100 entries. */
  async statement(organization_id: string, environment: Environment): Promise<Statement> {
    const target = url(`/v1/admin/organizations/${organization_id}/credits`, { environment, limit: 100 })
    return dataOf<Statement>(await this.call("GET", target))
  }

  /** All items of a list, and the number of its pages. */
  async walk<Item>(target: string, plural: string, limit: number) {
    const items: Array<Item> = []
    let pages = 0
    let cursor: string | null = null
    do {
      const query: string = url("", { limit, ...(cursor !== null && { cursor }) }).slice(1)
      const received: Received = await this.call("GET", `${target}${target.includes("?") ? "&" : "?"}${query}`)
      const page: Readonly<Record<string, ReadonlyArray<Item>>> & { readonly next_cursor: string | null } =
        dataOf(received)
      items.push(...(page[plural] ?? []))
      pages++
      cursor = page.next_cursor
    } while (cursor !== null)
    return { items, pages }
  }
}
