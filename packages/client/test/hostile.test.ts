/** Over real connections, to a server that breaks them, keeps silent, and sends what is no answer. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { inspect } from "node:util"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { createPostcodeClient, type PostcodeClient } from "../src/index.ts"
import { failureOf, thrownBy } from "./failureOf.ts"

const server = createServer()
const open = new Set<Socket>()
server.on("connection", (socket) => {
  open.add(socket)
  socket.on("close", () => open.delete(socket))
})
const seen: Array<string> = []
let client: PostcodeClient

beforeEach(async () => {
  vi.spyOn(Math, "random").mockReturnValue(0)
  seen.length = 0
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  client = createPostcodeClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: "key"
  })
})
afterEach(async () => {
  server.removeAllListeners("request")
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
})

/** Answers in order, and the last answer again and again. */
const answers = (...listeners: ReadonlyArray<RequestListener>) => {
  server.on("request", (request, response) => {
    seen.push(`${request.method} ${request.headers["idempotency-key"] ?? "-"}`)
    listeners[Math.min(seen.length, listeners.length) - 1]?.(request, response)
  })
}

const type = { "content-type": "application/json; charset=utf-8" }
const fine: RequestListener = (_, response) => response.writeHead(200, type).end(`{"data":{"valid":true}}`)
const hangUp: RequestListener = (request) => request.socket.destroy()
const cutOff: RequestListener = (request, response) => {
  response.writeHead(200, { ...type, "content-length": "1000" }).write(`{"data":{"val`, () => request.socket.destroy())
}
const badGateway: RequestListener = (_, response) =>
  response.writeHead(502, { "content-type": "text/html" }).end("<h1>502</h1>")
const beginPage: RequestListener = (_, response) =>
  response.writeHead(504, { "content-type": "text/html" }).write("<h1>504")
const truncated: RequestListener = (_, response) => response.writeHead(200, type).end(`{"data":{"val`)
const silent: RequestListener = () => {}

it("a call is repeated under one key after broken connections, truncated responses and failures of a proxy", async () => {
  answers(hangUp, cutOff, badGateway, beginPage, fine)
  const { data, meta } = await client.lookup({ code: "x", level: 2 }, { retries: 4 })
  expect([data.valid, meta.attempts]).toEqual([true, 5])
  expect(new Set(seen).size).toBe(1)
  expect(seen[0]).toMatch(/^GET [a-p]{24}$/)
})

it("a truncated response is a network error, and one that is not JSON is an unexpected answer and not repeated", async () => {
  answers(cutOff)
  const cut = await failureOf(client.states({ retries: 0 }))
  expect([cut.code, cut.message, cut.cause]).toEqual(["network_error", "the response was cut off", expect.any(Error)])
  server.removeAllListeners("request")
  answers(truncated)
  const failure = await failureOf(client.states())
  expect([failure.code, failure.status, failure.meta.attempts]).toEqual(["unexpected_answer", 200, 1])
})

it("an unreachable server is a network error, with the runtime's error as its cause", async () => {
  await new Promise((resolve) => server.close(resolve))
  const failure = await failureOf(client.autocomplete({}, { retries: 1 }))
  expect([failure.code, failure.status, failure.meta.attempts]).toEqual(["network_error", 0, 2])
  expect(inspect(failure.cause)).toContain("ECONNREFUSED")
})

it("a change whose connection broke is not sent again", async () => {
  answers(hangUp, fine)
  const failure = await failureOf(client.recordSelection({ postcode: "LA-11-B03-PD-01" }))
  expect([failure.code, seen.length]).toEqual(["network_error", 1])
})

it.for([
  ["keeps silent", silent],
  ["begins an answer and does not go on", (_, response) => response.writeHead(200, type).write(`{"data":`)]
] as const satisfies ReadonlyArray<readonly [string, RequestListener]>)(
  "cancelling leaves a server that %s, and closes the connection",
  async ([, listener]) => {
    const controller = new AbortController()
    const reason = new Error("the user left")
    const arrived = new Promise<void>((resolve) => {
      answers((request, response) => {
        listener(request, response)
        resolve()
      })
    })
    const call = thrownBy(client.states({ signal: controller.signal }))
    await arrived
    controller.abort(reason)
    expect(await call).toBe(reason)
    await expect.poll(() => open.size).toBe(0)
  }
)

it("a call that times out closes its connection", async () => {
  answers(silent)
  expect((await failureOf(client.states({ timeout_ms: 20 }))).code).toBe("timeout")
  await expect.poll(() => open.size).toBe(0)
})
