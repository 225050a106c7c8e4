/**
 * Whether an identifier matched must not show in the time of an answer. `npm run drill -- timing` measures more pairs. Chance alone fails one of these tests in half a million runs.
 */
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import type { GatewayPorts } from "@postcode/http"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { stores } from "./stores.ts"
import { type Question, questions, timeIdentifiers } from "./timeIdentifiers.ts"
import { signUpQuestions, timeSignUps } from "./timeSignUps.ts"

/** Thousands of requests take a while where the processors are busy with other tests. */
const timeLimit = { timeout: 600_000 }

type Change = <A, E>(effect: Effect.Effect<A, E, GatewayPorts>) => Effect.Effect<A, E, GatewayPorts>

const zOf = async (
  store: keyof typeof stores,
  question: Question,
  change: Change = (effect) => effect,
  pairs = 600
) => {
  const timing = change(timeIdentifiers({ question, pairs, seed: 20_260_131 }))
  return (await Effect.runPromise(Effect.provide(timing, stores[store]))).z
}

/** Of a change that shows in the time: where the processors are busy, it takes more pairs to stand out. */
const clearZOf = async (store: keyof typeof stores, change: Change): Promise<number> => {
  const z = await zOf(store, "bookmarks", change)
  return Math.abs(z) > 6 ? z : zOf(store, "bookmarks", change, 4_800)
}

describe.each(["in memory", "on PostgreSQL"] as const)("the time of an answer %s", (store) => {
  it.each(questions)("is the same for known and unknown identifiers: %s", timeLimit, async (question) => {
    expect(Math.abs(await zOf(store, question))).toBeLessThan(5)
  })

  it.each(signUpQuestions)("is the same for addresses with and without an account: %s", timeLimit, async (question) => {
    const timing = timeSignUps({ question, pairs: 600, seed: 20_260_131 })
    const { z } = await Effect.runPromise(Effect.provide(timing, stores[store]))
    expect(Math.abs(z)).toBeLessThan(5)
  })
})

describe("a difference is found", () => {
  it("if a list is searched until an account is found", timeLimit, async () => {
    const others = Array.from({ length: 100_000 }, (_, i) => `1:${String(i).padStart(64, "0")}`)
    const naive: Change = (effect) =>
      Effect.flatMap(EndUsers, (endUsers) => {
        const everybody = [...others]
        return Effect.provideService(effect, EndUsers, {
          ...endUsers,
          saveAll: (users) => {
            everybody.unshift(...users.flatMap(({ identifier_hashes }) => identifier_hashes))
            return endUsers.saveAll(users)
          },
          bookmarks: (hashes) => (everybody.includes(hashes[0]) ? endUsers.bookmarks(hashes) : Effect.succeed([]))
        })
      })
    expect(await clearZOf("in memory", naive)).toBeLessThan(-6)
  })

  it("if an additional SELECT finds out whether there is an account", timeLimit, async () => {
    const twoSteps: Change = (effect) =>
      Effect.flatMap(EndUsers, (endUsers) =>
        Effect.provideService(effect, EndUsers, {
          ...endUsers,
          bookmarks: (hashes) =>
            Effect.flatMap(endUsers.find(hashes), (account) =>
              account === undefined ? Effect.succeed([]) : endUsers.bookmarks(hashes)
            )
        })
      )
    expect(await clearZOf("on PostgreSQL", twoSteps)).toBeGreaterThan(6)
  })
})
