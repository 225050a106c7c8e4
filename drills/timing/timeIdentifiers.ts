/**
 * Whether the time of an answer tells an identifier that somebody has from one that nobody has: both are asked for
 * through HTTP in pairs, in an order that is drawn by lot, and the differences are tested.
 */

import type { Postcode } from "@postcode/core/Postcode"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { type Bookmark, type EndUser, EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import type { GatewayPorts } from "@postcode/http"
import { Effect, Redacted } from "effect"
import { type RandomNumbers, randomNumbers } from "../../test/RandomNumbers.ts"
import { manage } from "../kit/Management.ts"
import type { KeepAlive } from "./KeepAlive.ts"
import { message, type Requests, type Timing, timeService } from "./timePairs.ts"

/**
 * - `session`: a session is started, for somebody with bookmarks and for nobody
 * - `bookmarks`: those of a session are asked for, of somebody who has none and of nobody. The answers are the same, so
 *   their time must not differ either
 */
export const questions = ["session", "bookmarks"] as const
export type Question = (typeof questions)[number]

export interface TimingOptions {
  readonly question: Question
  readonly pairs: number
  readonly seed: number
}

/** Times pairs at a service on the given stores, which hold accounts with and without bookmarks meanwhile. */
export const timeIdentifiers = ({
  pairs,
  question,
  seed
}: TimingOptions): Effect.Effect<Timing, unknown, GatewayPorts> => {
  const random = randomNumbers(seed)
  const people = inventPeople(random, pairs)
  const requests = async (connection: KeepAlive, url: string) =>
    await requestsFor(question, people, await publishableKey(url, 4 * pairs), connection)
  return Effect.andThen(saveAccounts(people), timeService({ options: withoutLimits, requests, pairs, random }))
}

const unlimited = 1_000_000_000

/** They count all the same. */
const withoutLimits = {
  keyRateLimit_per_minute: unlimited,
  publishableKeyRateLimit_per_minute: unlimited,
  organizationRateLimit_per_minute: unlimited,
  addressRateLimit_per_minute: unlimited,
  sessionRateLimit_per_minute: unlimited
}

interface People {
  /** Have accounts with bookmarks. */
  readonly regulars: ReadonlyArray<string>
  /** Have accounts without any. */
  readonly newcomers: ReadonlyArray<string>
  /** Have no account. */
  readonly strangers: ReadonlyArray<string>
}

/** As many of each as it takes to ask for none of them too often: a session may be started 10 times a minute. */
const inventPeople = (random: RandomNumbers, pairs: number): People => {
  const size = Math.ceil(pairs / 5)
  const nins = new Set<string>()
  while (nins.size < 3 * size) nins.add(String(Math.floor(random() * 1e11)).padStart(11, "0"))
  const all = [...nins]
  return { regulars: all.slice(0, size), newcomers: all.slice(size, 2 * size), strangers: all.slice(2 * size) }
}

/** They are stored in another order than they are asked for in: what is asked for next must not lie in memory already. */
const saveAccounts = ({ newcomers, regulars }: People) =>
  Effect.gen(function* () {
    const endUsers = yield* EndUsers
    const secrets = yield* Secrets
    const account = (nin: string, bookmarks: ReadonlyArray<Bookmark>): EndUser => ({
      id: `usr_${secrets.random(20)}`,
      identifier_hashes: [secrets.hashIdentifier(Redacted.make(nin))],
      bookmarks
    })
    const accounts = [
      ...regulars.map((nin) => account(nin, [home, { ...home, label: "Work" }])),
      ...newcomers.map((nin) => account(nin, []))
    ]
    yield* endUsers.saveAll(accounts.sort((a, b) => (a.id < b.id ? -1 : 1)))
  })

const home: Bookmark = { postcode: "LA-12-A03-BG-07" as Postcode, label: "Home" }

const publishableKey = async (url: string, credits: number): Promise<string> => {
  const { id } = await manage<{ readonly id: string }>(url, "POST", "/organizations", { name: "Shop" })
  const grant = { environment: "test", amount: credits, reference: "for a test" }
  await manage(url, "POST", `/organizations/${id}/credits`, grant)
  const terms = { environment: "test", scopes: ["search"], max_level: 1, daily_credit_limit: credits }
  const key = { name: "page", kind: "publishable", ...terms }
  return (await manage<{ readonly secret: string }>(url, "POST", `/organizations/${id}/keys`, key)).secret
}

const requestsFor = async (
  question: Question,
  { newcomers, regulars, strangers }: People,
  key: string,
  connection: KeepAlive
): Promise<Requests> => {
  const requests = { known: [] as Array<Buffer>, unknown: [] as Array<Buffer> }
  // One of each in turn, so that neither kind has older requests or tokens than the other.
  for (const [i, stranger] of strangers.entries()) {
    const known = (question === "session" ? regulars : newcomers)[i] as string
    for (const [kind, nin] of [
      ["known", known],
      ["unknown", stranger]
    ] as const) {
      const start = sessionRequest(key, nin)
      requests[kind].push(question === "session" ? start : bookmarksRequest((await connection.ask(start)).answer))
    }
  }
  return requests
}

const sessionRequest = (key: string, nin: string): Buffer => {
  const body = JSON.stringify({ identifier: nin })
  const head = ["POST /v1/widget/session HTTP/1.1", "host: widget", `x-api-key: ${key}`]
  return message([...head, "content-type: application/json", `content-length: ${body.length}`], body)
}

const bookmarksRequest = (started: string): Buffer => {
  const token = /"token":"([^"]+)"/.exec(started)?.[1]
  return message(["GET /v1/widget/bookmarks HTTP/1.1", "host: widget", `authorization: Bearer ${token}`])
}
