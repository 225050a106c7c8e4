/**
 * Whether the time of an answer tells an email address that has an account from one that has none: people sign up with
 * both, or ask for a link that resets the password of both.
 */
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { Secrets } from "@postcode/gateway/store/Secrets"
import type { GatewayPorts } from "@postcode/http"
import { layerNodePasswords } from "@postcode/node/secrets"
import { Effect } from "effect"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { message, type Timing, timeService } from "./timePairs.ts"

/** What is asked for an address. */
export const signUpQuestions = ["sign-up", "forgotten-password"] as const

/** One of them. */
export type SignUpQuestion = (typeof signUpQuestions)[number]

/** As for identifiers. */
export interface SignUpTiming {
  readonly question: SignUpQuestion
  readonly pairs: number
  readonly seed: number
}

/** Times pairs at a service on the given stores. Answers of both kinds have to be equal in bytes, except their ids. */
export const timeSignUps = ({ pairs, question, seed }: SignUpTiming): Effect.Effect<Timing, unknown, GatewayPorts> =>
  Effect.gen(function* () {
    const known = yield* openAccounts(Math.ceil(1.1 * pairs))
    const unknown = known.map((email) => email.replace("known", "other"))
    const requests = {
      known: known.map((email, i) => request(question, email, 2 * i)),
      unknown: unknown.map((email, i) => request(question, email, 2 * i + 1))
    }
    return yield* timeService({
      options: withoutLimits,
      requests: async () => requests,
      pairs,
      random: randomNumbers(seed),
      status: 202,
      areEqual: true
    })
    // With little memory, hashing hides no difference.
  }).pipe(Effect.provide(layerNodePasswords({ memory_kib: 8 })))

const withoutLimits = {
  trustedProxies: ["127.0.0.1"],
  addressRateLimit_per_minute: 1_000_000_000
}

/** Each address is asked for about once. They are opened in another order than they are asked for in. */
const openAccounts = Effect.fnUntraced(function* (size: number) {
  const accounts = yield* Accounts
  const { random } = yield* Secrets
  const created_at = new Date().toISOString()
  const numbers = Array.from({ length: size }, (_, i) => ({ i, lot: random(8) })).sort((a, b) =>
    a.lot < b.lot ? -1 : 1
  )
  yield* Effect.forEach(numbers, ({ i, lot }) =>
    accounts.open(
      { id: `acc_${lot}${i}`, email: `known${i}@people.example`, name: "Ada", password: "", created_at },
      { organization_id: `org_${i}`, role: "owner", joined_at: created_at }
    )
  )
  return numbers.map((_, i) => `known${i}@people.example`)
})

/** Each request is from another address, so that no limit of a client counts. */
const request = (question: SignUpQuestion, email: string, client: number): Buffer => {
  const body = JSON.stringify({ email, ...(question === "sign-up" && { password: "rain on the roof of zinc" }) })
  const from = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`
  return message(
    [
      `POST /v1/admin/account/${question} HTTP/1.1`,
      "host: console.example",
      "origin: https://console.example",
      `x-forwarded-for: ${from}`,
      "content-type: application/json",
      `content-length: ${body.length}`
    ],
    body
  )
}
