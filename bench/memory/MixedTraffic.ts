/**
 * The mixed traffic of a day: with and without keys, free and metered, repeated idempotency keys, widgets, and invalid
 * requests. Every run has the same random sequence, except for the tokens of sessions.
 */

import type { Directory } from "@postcode/core/Directory"
import { composeKey } from "@postcode/gateway/keys/ApiKey"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { bytesOf, type ClientRequest } from "../http/Traffic.ts"
import type { MixedRequest } from "./ClientConnection.ts"
import { clientAddress } from "./clientAddress.ts"
import type { Keys } from "./openKeys.ts"

export interface MixedClients {
  readonly keys: Keys
  /** The number of client addresses. */
  readonly addresses: number
}

export class MixedTraffic {
  private readonly random = randomNumbers(11)
  private readonly directory: Directory
  private readonly clients: MixedClients
  private readonly kinds: ReadonlyArray<() => MixedRequest>
  /** Recent widget sessions; a new one replaces the oldest. */
  private readonly tokens: Array<{ readonly token: string; readonly until_ms: number }> = []
  private begun = 0
  private drawn = 0
  /** The last idempotency key and its request. */
  private repeatable: MixedRequest | undefined

  constructor(directory: Directory, clients: MixedClients) {
    this.directory = directory
    this.clients = clients
    this.kinds = shares(this).flatMap(([share, kind]) => Array<typeof kind>(share).fill(kind))
    if (this.kinds.length !== 100) throw new Error(`the shares of traffic make ${this.kinds.length} %, not 100`)
  }

  draw(): MixedRequest {
    this.drawn++
    return (this.kinds[this.below(100)] as () => MixedRequest)()
  }

  /** All requests of every secret key: afterwards bounded structures have reached their bounds. */
  *everyKey(): Generator<MixedRequest> {
    for (const key of this.clients.keys.secret) {
      const headers = withKey(key)
      yield this.free(`/v1/lookup?code=${this.code()}`, headers)
      yield this.free(`/v1/search/autocomplete?q=${this.partialCode()}`, headers)
      yield this.free(`/v1/search/nearby?${this.place()}`, headers)
      yield this.free(`/v1/lookup?level=3&code=${this.code()}`, headers)
      for (const level of [1, 2]) {
        this.drawn++
        yield this.free(`/v1/lookup?level=${level}&code=${this.code()}`, { ...headers, ...this.idempotencyKey() })
      }
      yield this.selected()
    }
  }

  /** A free, valid request. */
  free(target: string, headers: ClientRequest["headers"] = {}): MixedRequest {
    return this.get(target, headers, [200])
  }

  anonymous(target: string): MixedRequest {
    return this.free(target, {})
  }

  keyed(target: string, headers: ClientRequest["headers"] = {}): MixedRequest {
    return this.free(target, { ...withKey(this.pick(this.clients.keys.secret)), ...headers })
  }

  /** One in ten repeats the last one. */
  idempotent(level: number): MixedRequest {
    if (this.repeatable !== undefined && this.below(10) === 0) return this.repeatable
    this.repeatable = this.keyed(`/v1/lookup?level=${level}&code=${this.code()}`, this.idempotencyKey())
    return this.repeatable
  }

  session(): MixedRequest {
    const publishable = this.pick(this.clients.keys.publishable)
    const begun = this.post("/v1/widget/session", withKey(publishable), { identifier: this.identifier() })
    return { ...begun, answered: (body) => this.keep(JSON.parse(body).data.token) }
  }

  bookmarks(): MixedRequest {
    return this.withToken((token) => this.free("/v1/widget/bookmarks", token))
  }

  selected(): MixedRequest {
    return this.withToken((token) => this.post("/v1/widget/selected", token, { postcode: this.postcode() }))
  }

  /**
   * A well-formed unknown key. The request is a metered one: free ones are answered even while a key cannot be checked.
   */
  wrongKey(): MixedRequest {
    const random = `${this.drawn}`.padStart(32, "0")
    return this.get(`/v1/lookup?level=2&code=${this.code()}`, withKey(composeKey("secret", "live", random)), [401])
  }

  missing(): MixedRequest {
    return this.get(`/v1/nowhere/${this.drawn}`, {}, [404])
  }

  malformed(): MixedRequest {
    return this.get(`/v1/search/reverse?lat=${this.drawn}&lng=north`, {}, [400])
  }

  /** A passkey challenge that is never completed. */
  challenge(): MixedRequest {
    const asked = this.post("/v1/admin/account/passkey-challenge", { origin: "http://127.0.0.1" }, {})
    return { ...asked, statuses: [200, 429] }
  }

  /** A partially typed text. */
  code(): string {
    return encodeURIComponent(this.postcode().toLowerCase())
  }

  partialCode(): string {
    const code = this.postcode()
    return encodeURIComponent(code.slice(0, 1 + this.below(code.length)))
  }

  place(): string {
    const { lat, lon } = this.directory.coordinateAt(this.below(this.directory.size))
    return `lat=${lat.toFixed(6)}&lng=${lon.toFixed(6)}`
  }

  private postcode(): string {
    return this.directory.postcodeAt(this.below(this.directory.size))
  }

  private idempotencyKey(): ClientRequest["headers"] {
    return { "idempotency-key": `order-${this.drawn}-of-a-shop-as-its-program-names-it` }
  }

  private identifier(): string {
    return `${20_000_000_000 + this.drawn}`
  }

  private withToken(asked: (headers: ClientRequest["headers"]) => MixedRequest): MixedRequest {
    const known = this.tokens[this.below(this.tokens.length)]
    if (known === undefined || performance.now() > known.until_ms) return this.session()
    return asked({ authorization: `Bearer ${known.token}` })
  }

  private keep(token: string): void {
    this.tokens[this.begun++ % maxTokens] = { token, until_ms: performance.now() + tokenUse_ms }
  }

  private get(target: string, headers: ClientRequest["headers"], statuses: ReadonlyArray<number>): MixedRequest {
    return { bytes: bytesOf({ method: "GET", target, headers: this.from(headers), body: "" }), statuses }
  }

  private post(target: string, headers: ClientRequest["headers"], value: object): MixedRequest {
    const json = this.from({ ...headers, "content-type": "application/json" })
    return { bytes: bytesOf({ method: "POST", target, headers: json, body: JSON.stringify(value) }), statuses: [200] }
  }

  /** The headers of programs and of the proxy. One request in a hundred closes its connection. */
  private from(headers: ClientRequest["headers"]): ClientRequest["headers"] {
    return {
      accept: "application/json",
      "user-agent": "bench/1.0",
      "x-forwarded-for": clientAddress(this.below(this.clients.addresses)),
      ...headers,
      ...(this.below(100) === 0 && { connection: "close" })
    }
  }

  private pick<A>(choices: ReadonlyArray<A>): A {
    return choices[this.below(choices.length)] as A
  }

  private below(end: number): number {
    return Math.floor(this.random() * end)
  }
}

/** Enough to reuse each only rarely. */
const maxTokens = 5_000
/** A widget session lasts 15 minutes. */
const tokenUse_ms = 10 * 60_000

/** The number of each kind in a hundred requests. */
const shares = (traffic: MixedTraffic): ReadonlyArray<readonly [share: number, kind: () => MixedRequest]> => [
  [20, () => traffic.anonymous(`/v1/search/autocomplete?q=${traffic.partialCode()}`)],
  [12, () => traffic.anonymous(`/v1/search/reverse?${traffic.place()}`)],
  [8, () => traffic.anonymous(`/v1/lookup?code=${traffic.code()}`)],
  [16, () => traffic.keyed(`/v1/lookup?code=${traffic.code()}`)],
  [10, () => traffic.keyed(`/v1/search/autocomplete?q=${traffic.partialCode()}`)],
  [8, () => traffic.keyed(`/v1/search/nearby?${traffic.place()}`)],
  [8, () => traffic.idempotent(2)],
  [2, () => traffic.idempotent(1)],
  [2, () => traffic.keyed(`/v1/lookup?level=3&code=${traffic.code()}`)],
  [3, () => traffic.session()],
  [2, () => traffic.bookmarks()],
  [1, () => traffic.selected()],
  [3, () => traffic.wrongKey()],
  [2, () => traffic.missing()],
  [2, () => traffic.malformed()],
  [1, () => traffic.challenge()]
]

const withKey = (key: string): ClientRequest["headers"] => ({ "x-api-key": key })
