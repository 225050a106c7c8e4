/** What waits for nothing is answered before anything else happens, on a store in memory. */

import { postcodes, useWorld } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { HttpRequest } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { Effect, Exit, Layer } from "effect"
import { describe, expect, it } from "vitest"

const asked = (target: string, key?: string): HttpRequest => ({
  method: "GET",
  target,
  header: (name) => (name === "x-api-key" ? key : undefined),
  peer_address: "192.0.2.1",
  body: () => Effect.succeed(new Uint8Array())
})

/** With load control, a slow machine may leave no capacity in this tick of the event loop. */
const withoutLoadControl = { loadControl: false } as const

describe("a gateway in memory", () => {
  const world = useWorld(({ attributesOf, directory }) =>
    Layer.merge(
      MemoryStore.layer,
      layerDirectory(directory, (_, postcode) => attributesOf(postcode))
    )
  )

  const targets: ReadonlyArray<readonly [target: string, status: number]> = [
    [`/v1/lookup?code=${postcodes.full}`, 200],
    ["/v1/lookup?code=LA", 400],
    ["/v1/search/autocomplete?q=la", 200],
    ["/v1/search/reverse?lat=6.6018&lng=3.3515", 200],
    ["/v1/search/reverse?lat=0&lng=0", 200],
    ["/v1/search/nearby?lat=6.6018&lng=3.3515", 200],
    ["/v1/assembly/disassemble?code=LA12A03BG07", 200],
    ["/v1/reference/states", 200],
    ["/v1/health/live", 200],
    ["/v1/docs", 200],
    ["/v1/nothing", 404]
  ]

  it.each(targets)("answers %s synchronously, with %i", async (target, status) => {
    const { secret } = await world.operator.key()
    const { gateway } = await world.serveAnother(withoutLoadControl)
    const answer = gateway.answer(asked(target, secret))
    expect(Exit.isExit(answer) && Exit.isSuccess(answer) && answer.value).toMatchObject({ status })
  })

  it("refuses synchronously, too: an invalid key, and a client above its limit", async () => {
    const { gateway } = await world.serveAnother(withoutLoadControl)
    const refused = gateway.answer(asked("/v1/health/live", "bad"))
    expect(refused).toMatchObject(Exit.succeed({ status: 401 }))
    const { secret } = await world.operator.key({ rate_limit_per_minute: 1 })
    const [first, second] = [1, 2].map(() => gateway.answer(asked("/v1/search/autocomplete", secret)))
    expect([first, second].map((answer) => Exit.isExit(answer as object))).toEqual([true, true])
    expect(await Effect.runPromise(second as Effect.Effect<unknown>)).toMatchObject({ status: 429 })
  })
})
