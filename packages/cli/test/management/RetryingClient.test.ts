/** How long the import waits for a service, on a clock of the tests: answers are those of a scripted service. */
import { Clock, Effect, Fiber } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { retrying } from "../../src/management/RetryingClient.ts"

type Answer = readonly [status: number, retryAfter?: string] | "lost"

/** Sends one request for up to an hour: its end, and when requests came, in seconds from the first. */
const send = (answerOf: (count: number) => Answer) =>
  Effect.runPromise(Effect.provide(sending(answerOf), TestClock.layer()))

const sending = (answerOf: (count: number) => Answer) =>
  Effect.gen(function* () {
    const begin_ms = yield* Clock.currentTimeMillis
    const at_s: Array<number> = []
    const service = HttpClient.make((request) =>
      Effect.flatMap(Clock.currentTimeMillis, (now_ms) => {
        const answer = answerOf(at_s.push((now_ms - begin_ms) / 1000))
        if (answer === "lost") {
          return Effect.fail(
            new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
          )
        }
        const [status, retryAfter] = answer
        const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter }
        return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status, headers })))
      })
    )
    const fiber = yield* retrying(() => {})(service)
      .execute(HttpClientRequest.put("http://service.test/"))
      .pipe(
        Effect.match({ onSuccess: ({ status }) => status, onFailure: ({ reason }) => reason._tag }),
        Effect.timeoutOrElse({ duration: "1 hour", orElse: () => Effect.succeed("waits") }),
        Effect.forkChild
      )
    yield* TestClock.adjust("1 hour")
    return { end: yield* Fiber.join(fiber), at_s }
  })

describe("a service that does not answer for now", () => {
  it("is waited for a minute where it is away, and without end where it only takes no more", async () => {
    for (const answer of [[503], [502], "lost"] satisfies ReadonlyArray<Answer>) {
      const { at_s, end } = await send(() => answer)
      assert.oneOf(end, [503, 502, "TransportError"])
      assert.isAtLeast(at_s.at(-1) as number, 60)
      assert.isAtMost(at_s.at(-1) as number, 66)
    }
    assert.strictEqual((await send(() => [429])).end, "waits")
  })

  it("has its minute from when it was there last: to take no more for a minute uses none of it up", async () => {
    const answers: ReadonlyArray<Answer> = [[429, "61"], [503, "1"], "lost", [200]]
    const { at_s, end } = await send((count) => answers[count - 1] as Answer)
    assert.strictEqual(end, 200)
    assert.strictEqual(at_s[1], 61)
  })

  it("is asked once a second at most, also where it says that it need not be waited for", async () => {
    for (const status of [429, 503]) {
      const { at_s } = await send((count) => (count > 20 ? [200] : [status, "0"]))
      assert.deepStrictEqual(
        at_s,
        Array.from({ length: 21 }, (_, second) => second)
      )
    }
  })
})
