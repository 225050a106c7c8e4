import { once } from "node:events"
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { buffer } from "node:stream/consumers"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { keepAliveTimeout_s, QuickResponse } from "../src/QuickResponse.ts"

/** What a server is asked, and what it does. */
interface Exchange {
  readonly method: string
  readonly version: string
  readonly connection: string | undefined
  readonly status: number
  /** What is given to `writeHead` between status and headers. */
  readonly reason: ReadonlyArray<string | OutgoingHttpHeaders | undefined>
  readonly headers: OutgoingHttpHeaders
  readonly setBefore: OutgoingHttpHeaders
  readonly isWrittenTwice: boolean
  readonly body: string | Uint8Array | undefined
}

const usual: Exchange = {
  method: "GET",
  version: "1.1",
  connection: undefined,
  status: 200,
  reason: [],
  headers: { "content-type": "application/json", "x-request-id": "1", "content-length": "2" },
  setBefore: {},
  isWrittenTwice: false,
  body: "{}"
}

let exchange = usual
/** What each response says of itself, or why there is none. */
let told: Array<string> = []

const listener = (_req: IncomingMessage, res: ServerResponse): void => {
  const { body, headers, isWrittenTwice, reason, setBefore, status } = exchange
  try {
    for (const [name, value] of Object.entries(setBefore)) res.setHeader(name, value as string)
    res.writeHead(...([status, ...reason, headers] as unknown as [number, OutgoingHttpHeaders]))
    told.push(`${res.statusCode} ${res.statusMessage}`)
    if (isWrittenTwice) res.writeHead(status, headers)
    res.end(body)
  } catch (error) {
    told.push(String(error))
    res.destroy()
  }
}

const serverOf = (Response: typeof ServerResponse) =>
  createServer(
    { ServerResponse: Response, keepAliveTimeout: 1_000 * keepAliveTimeout_s, optimizeEmptyRequests: true },
    listener
  )
const node = serverOf(ServerResponse)
const quick = serverOf(QuickResponse)

const start = (server: typeof node) => once(server.listen(0, "127.0.0.1"), "listening")
beforeAll(() => Promise.all([node, quick].map(start)))
afterAll(() => {
  for (const server of [node, quick]) server.close()
})

/** All bytes of an answer, and of another one if the connection stays; or why there are none. */
const answersOf = async (server: typeof node): Promise<string> => {
  told = []
  const { connection, method, version } = exchange
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  const head = `${method} / HTTP/${version}\r\nHost: a\r\n`
  const kept = connection === undefined ? "" : `Connection: ${connection}\r\n`
  socket.end(`${head}${kept}\r\n${head}Connection: close\r\n\r\n`)
  const received = (await buffer(socket)).toString("latin1")
  return [...told, received].join("\n")
}

const withoutDate = (answers: string): string => answers.replace(/^Date: .*GMT\r$/gm, "Date: now\r")

const expectSame = async (given: Partial<Exchange>): Promise<string> => {
  exchange = { ...usual, ...given }
  const expected = withoutDate(await answersOf(node))
  expect(withoutDate(await answersOf(quick))).toBe(expected)
  return expected
}

const rarely = <A>(arbitrary: fc.Arbitrary<A>, usually: A) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usually) }, arbitrary)

/** What changes from answer to answer, among few values, so that they come again. */
const changing = fc.record(
  {
    "content-type": fc.constantFrom("text/plain", "application/json"),
    "x-request-id": fc.constantFrom("1", "2", "3"),
    "X-Request-Id": fc.constantFrom("1", "2", ""),
    allow: fc.constant("GET, HEAD")
  },
  { requiredKeys: [] }
)
const oddValue = fc.oneof(
  fc.constantFrom(
    "close",
    "chunked",
    "tab\tbed",
    "caf\u00e9",
    "\u2615",
    "a\r\nx-evil: 1",
    "\0",
    7,
    ["a", "b"],
    undefined
  ),
  fc.string({ maxLength: 5, unit: "binary" })
)
const odd: fc.Arbitrary<OutgoingHttpHeaders> = fc.oneof(
  fc
    .constantFrom("connection", "keep-alive", "Date", "x-a", "a b", "")
    .chain((name) => fc.record({ [name]: oddValue })),
  fc.constantFrom(
    { connection: "close" },
    { "keep-alive": "timeout=5" },
    { "transfer-encoding": "chunked" },
    { trailer: "x-a" },
    { "set-cookie": "a=1" }
  )
)
const headers = fc.tuple(changing, rarely(odd, {})).map(([usual, odd]): OutgoingHttpHeaders => ({ ...usual, ...odd }))

const exchanges: fc.Arbitrary<Exchange> = fc
  .record({
    method: rarely(fc.constantFrom("HEAD"), "GET"),
    version: rarely(fc.constant("1.0"), "1.1"),
    connection: rarely<string | undefined>(fc.constantFrom("close", "keep-alive", "upgrade"), undefined),
    status: rarely(fc.constantFrom(99, 201, 204, 206, 301, 304, 400, 404, 413, 429, 500, 503, 599, 999, 1_000), 200),
    reason: rarely<Exchange["reason"]>(
      fc.constantFrom(["Fine"], ["bad\r\n"], [undefined], [{ "content-length": "0" }]),
      []
    ),
    headers,
    setBefore: rarely<OutgoingHttpHeaders>(changing, {}),
    isWrittenTwice: rarely(fc.constant(true), false),
    body: fc.constantFrom("", "{}", "caf\u00e9", Buffer.from("{}"), undefined),
    knowsLength: rarely(fc.constant(false), true)
  })
  .map(({ headers, knowsLength, ...given }) => ({
    ...given,
    headers: knowsLength ? { ...headers, "content-length": String(Buffer.byteLength(given.body ?? "")) } : headers
  }))

describe("a quick response", () => {
  it("goes out as Node would write it, or is refused as Node refuses it", async () => {
    const isSame = async (given: Exchange): Promise<void> => void (await expectSame(given))
    await fc.assert(fc.asyncProperty(exchanges, isSame), { seed: 20_260_131, numRuns: 1_000 })
  })

  it("writes a value that changed, and the one that it had before", async () => {
    for (const id of ["1", "2", "2", "1"]) {
      expect(await expectSame({ headers: { ...usual.headers, "x-request-id": id } })).toContain(
        `x-request-id: ${id}\r\n`
      )
    }
  })

  it("lets no value begin a line of its own, also of a header that was fine before", async () => {
    await expectSame({})
    const injected = { ...usual.headers, "x-request-id": "1\r\nx-evil: 1" }
    expect(await expectSame({ headers: injected })).toMatch(/TypeError .*Invalid character in header content/)
  })

  it("leaves no usual answer to Node, but all that is not, and cookies, which it must not remember", async () => {
    const leftToNode = vi.spyOn(ServerResponse.prototype, "writeHead")
    const timesLeft = async (given: Partial<Exchange>): Promise<number> => {
      exchange = { ...usual, ...given }
      leftToNode.mockClear()
      await answersOf(quick)
      // The second answer ends its connection.
      return leftToNode.mock.calls.length - 1
    }
    expect(await timesLeft({})).toBe(0)
    expect(await timesLeft({ status: 503 })).toBe(0)
    expect(await timesLeft({ headers: { ...usual.headers, "set-cookie": "session=1" } })).toBe(1)
    expect(await timesLeft({ headers: { ...usual.headers, "Set-Cookie": "session=1" } })).toBe(1)
    expect(await timesLeft({ status: 201 })).toBe(1)
  })

  it("says the time at which it is written", async () => {
    // One that has written nothing yet.
    vi.resetModules()
    const { QuickResponse } = await import("../src/QuickResponse.ts")
    const server = serverOf(QuickResponse)
    await start(server)
    exchange = usual
    const now = vi.spyOn(Date, "now")
    for (const at_ms of [0, 999, 1_000, 3_600_000, 3_599_000]) {
      now.mockReturnValue(at_ms)
      const date = new Date(at_ms).toUTCString()
      expect(await answersOf(server)).toContain(`\r\nDate: ${date}\r\nConnection: keep-alive\r\n`)
    }
    server.close()
  })
})
