/** How long the import waits for a service, on a clock of the tests: answers are those of a scripted service. */
import { PostcodeError } from "@postcode/client"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { untilServed } from "../../src/management/untilServed.ts"

type Answer = readonly [status: number, retryAfter_s?: number] | "lost"

/** The error that the client throws for an answer. */
const errorOf = (answer: Answer) => {
  const [status, retry_after_s] = answer === "lost" ? [0] : answer
  const meta = {
    status,
    request_id: undefined,
    attempts: 1,
    level: undefined,
    credits: undefined,
    rate_limit: undefined,
    data_version: undefined,
    data_date: undefined,
    headers: new Headers()
  }
  const code = answer === "lost" ? "network_error" : "service_unavailable"
  return new PostcodeError({ code, message: "what the service says", retry_after_s, meta })
}

/** Sends one request for up to an hour: its end, and when requests came, in seconds from the first. */
const send = (answerOf: (count: number) => Answer) =>
  Effect.runPromise(Effect.provide(sending(answerOf), TestClock.layer()))

const sending = (answerOf: (count: number) => Answer, onWait: (reason: string) => void = () => {}) =>
  Effect.gen(function* () {
    const begin_ms = yield* Clock.currentTimeMillis
    const at_s: Array<number> = []
    const attempt = Effect.flatMap(Clock.currentTimeMillis, (now_ms) => {
      const answer = answerOf(at_s.push((now_ms - begin_ms) / 1000))
      return answer[0] === 200 ? Effect.succeed(200) : Effect.fail(errorOf(answer))
    })
    const fiber = yield* untilServed(attempt, onWait).pipe(
      Effect.catch((error) => {
        const { code, status } = error as PostcodeError
        return Effect.succeed(status === 0 ? code : status)
      }),
      Effect.timeoutOrElse({ duration: "1 hour", orElse: () => Effect.succeed("waits") }),
      Effect.forkChild
    )
    yield* TestClock.adjust("1 hour")
    return { end: yield* Fiber.join(fiber), at_s }
  })

describe("a service that is busy or unavailable", () => {
  it("is reported with the reason and the time of a long wait", async () => {
    const reasonFor = async (answer: Answer) => {
      const reasons: Array<string> = []
      const sent = sending(
        (count) => (count === 1 ? answer : [200]),
        (reason) => reasons.push(reason)
      )
      await Effect.runPromise(Effect.provide(sent, TestClock.layer()))
      return reasons
    }
    assert.deepStrictEqual(await reasonFor([429, 3_000]), ["what the service says"])
    assert.deepStrictEqual(await reasonFor([429, 60]), ["the service takes no more requests for now"])
  })

  it("is retried for a minute if it is unavailable, and without limit if it answers 429", async () => {
    for (const answer of [[503], [502], "lost"] satisfies ReadonlyArray<Answer>) {
      const { at_s, end } = await send(() => answer)
      assert.oneOf(end, [503, 502, "network_error"])
      assert.isAtLeast(at_s.at(-1) as number, 60)
      assert.isAtMost(at_s.at(-1) as number, 66)
    }
    assert.strictEqual((await send(() => [429])).end, "waits")
  })

  it("is retried for a minute from its last response, so that a long wait after a 429 does not count", async () => {
    const answers: ReadonlyArray<Answer> = [[429, 61], [503, 1], "lost", [200]]
    const { at_s, end } = await send((count) => answers[count - 1] as Answer)
    assert.strictEqual(end, 200)
    assert.strictEqual(at_s[1], 61)
  })

  it("is retried at most once a second, also with a Retry-After of 0", async () => {
    for (const status of [429, 503]) {
      const { at_s } = await send((count) => (count > 20 ? [200] : [status, 0]))
      assert.deepStrictEqual(
        at_s,
        Array.from({ length: 21 }, (_, second) => second)
      )
    }
  })
})
