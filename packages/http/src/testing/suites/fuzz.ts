/** Seeded random requests, from nearly right to hopeless: never a fault of the service, always the conventions. */
import { describe, expect, it } from "vitest"
import { type Endpoint, endpoints, findEndpoint } from "../Contract.ts"
import { operatorToken } from "../OperatorToken.ts"
import { outcomeOf, type Received } from "../Received.ts"
import { makeScene, type Scene, sampleMessage } from "../Samples.ts"
import type { Message, RawMessage } from "../TestClient.ts"
import type { World } from "../World.ts"

const rounds = 30
const requestsPerRound = 100

export const fuzz = (world: World): void => {
  describe("random requests", () => {
    for (let round = 0; round < rounds; round++) {
      it(`round ${round}: ${requestsPerRound} of them are answered, none with 5xx`, async () => {
        const random = new Random(round)
        const scene = await makeScene(world.operator)
        const { secret } = await world.operator.key()
        const address = world.client.newVisitor()
        const outcomes = new Set<string>()
        for (let i = 0; i < requestsPerRound; i++) {
          const message = mutate(random, scene, secret, address)
          const all = await world.client.sendRaw(rawOf(message, random))
          expect(all.length, `request ${i}: ${JSON.stringify(message)}`).toBe(1)
          const [received] = all as [Received]
          expect(received.status, `request ${i}: ${JSON.stringify(message)}`).toBeLessThan(500)
          outcomes.add(outcomeOf(received))
        }
        // A fuzzer whose every request fails at the same check would see nothing behind it.
        expect([...outcomes]).toEqual(expect.arrayContaining(["200", "400 invalid_parameter", "404 not_found"]))
      })
    }
  })
}

/** Mulberry32: small, and the same everywhere. */
class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % bound
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<A>(from: ReadonlyArray<A>): A {
    return from[this.below(from.length)] as A
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LINK", "QUERY"]

const nasty = [
  "",
  "0",
  "-0",
  "-1",
  "1e309",
  "1e-400",
  "NaN",
  "Infinity",
  "0x10",
  "9007199254740993",
  "null",
  "true",
  "[]",
  "{}",
  "__proto__",
  "constructor",
  "toString",
  "'\"<>&;",
  "../../etc/passwd",
  "{{7*7}}",
  "%00",
  "%0d%0aX-Evil:%201",
  "%",
  "%ZZ",
  "%C0%AF",
  "%ED%A0%80",
  "%F0%9F%98%80",
  "%E2%80%AE",
  "+",
  "&",
  "=",
  "#",
  "LA-12-A03-BG-07",
  "la 12".replace(" ", "+"),
  "LA12A03BG07",
  "6.6018",
  "3.3515",
  "2026-02-29",
  "before-1",
  "a".repeat(500),
  "%41".repeat(300)
]

const nastyJson: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  " ",
  "\u0000",
  "\ud800",
  "a".repeat(3_000),
  [],
  [[]],
  {},
  { a: { b: [1] } },
  ["LA12A03BG07"],
  "LA12A03BG07",
  "test",
  5
]

/** A sample, changed in a few places. */
const mutate = (random: Random, scene: Scene, secret: string, address: string): Message => {
  const endpoint = random.pick(endpoints)
  const sample = sampleMessage(endpoint.operation, scene)
  const credentials = random.chance(70) ? {} : { key: random.pick([secret, scene.secret, "", "svc_live_x"]) }
  return {
    ...sample,
    ...credentials,
    ...(random.chance(20) && { token: random.pick([operatorToken, "x", ""]) }),
    method: random.chance(85) ? sample.method : random.pick(methods),
    target: mutateTarget(random, endpoint, sample.target),
    headers: mutateHeaders(random, { ...sample.headers, "x-forwarded-for": address }),
    ...mutateBody(random, sample.body as string | undefined)
  }
}

const mutateTarget = (random: Random, endpoint: Endpoint, target: string): string => {
  const [path = "", query = ""] = target.split("?")
  const pairs = query === "" ? [] : query.split("&")
  for (let i = random.below(3); i > 0; i--) {
    const name = random.pick([...endpoint.queryNames, "level", "x", random.pick(nasty)])
    const pair = `${name}=${random.pick(nasty)}`
    if (random.chance(60) && pairs.length > 0) pairs[random.below(pairs.length)] = pair
    else pairs.push(pair)
  }
  const mutated = random.chance(90) ? path : mutatePath(random, path)
  return pairs.length === 0 ? mutated : `${mutated}?${pairs.join(random.pick(["&", "&", "&", "&&", ";"]))}`
}

const mutatePath = (random: Random, path: string): string => {
  const steps = path.split("/")
  const at = 1 + random.below(steps.length - 1)
  switch (random.below(4)) {
    case 0:
      return `${path}/`
    case 1:
      return path.toUpperCase()
    case 2:
      return steps.toSpliced(at, 1).join("/") || "/"
    default:
      return steps.with(at, random.pick(nasty)).join("/")
  }
}

const headerValues = [
  "",
  "x",
  "*",
  "gzip",
  "text/plain",
  "application/json; charset=utf-16",
  "\u00ff",
  "a".repeat(300),
  "1"
]
const headerNames = [
  ...["accept", "accept-encoding", "content-type", "content-encoding", "cookie", "expect", "host", "idempotency-key"],
  ...["if-none-match", "origin", "range", "te", "upgrade", "via", "x-http-method-override"],
  "x-request-id"
]

const mutateHeaders = (random: Random, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const mutated = { ...headers }
  for (let i = random.below(3); i > 0; i--) mutated[random.pick(headerNames)] = random.pick(headerValues)
  return mutated
}

const mutateBody = (random: Random, body: string | undefined): Pick<Message, "body"> => {
  if (body === undefined) return random.chance(90) ? {} : { body: random.pick(["{}", "x", "{", "\u00e9"]) }
  if (random.chance(25)) return { body }
  if (random.chance(20)) return { body: damage(random, body) }
  const fields = JSON.parse(body) as Record<string, unknown>
  for (let i = 1 + random.below(2); i > 0; i--) {
    const name = random.pick([...Object.keys(fields), "__proto__", "x"])
    if (random.chance(20)) delete fields[name]
    else Object.defineProperty(fields, name, { value: random.pick(nastyJson), enumerable: true, configurable: true })
  }
  return { body: JSON.stringify(fields) }
}

/** Cuts a text, or puts a character into it. */
const damage = (random: Random, text: string): string => {
  const at = random.below(text.length)
  return random.chance(50)
    ? text.slice(0, at)
    : text.slice(0, at) + random.pick(['"', "{", "\u0000", ",", "\\", "1"]) + text.slice(at)
}

/** A message as the bytes of a request, sometimes in chunks, sometimes shorter than it says. */
const rawOf = (message: Message, random: Random): RawMessage => {
  const body = Buffer.from((message.body as string | undefined) ?? "")
  const chunked = body.length > 0 && random.chance(20)
  // Where no body is asked for, none is waited for.
  const readsBody = findEndpoint(message.method, message.target.split("?")[0] as string)?.hasBody !== false
  const cut = body.length > 1 && !chunked && message.method === "POST" && random.chance(6) && readsBody
  const lines = [
    `${message.method} ${message.target} HTTP/1.1`,
    ...Object.entries(askedOf(message).headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
    ...(body.length === 0 ? [] : [chunked ? "transfer-encoding: chunked" : `content-length: ${body.length}`])
  ]
  const framed = chunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")])
    : body.subarray(0, cut ? body.length - 1 : body.length)
  return {
    bytes: Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), framed]),
    half: cut,
    // A request that is cut off is none, so nothing of it is known when it is refused.
    asked: [cut ? { method: message.method } : askedOf(message)]
  }
}

const askedOf = ({ headers, key, method, target, token }: Message) => ({
  method,
  target,
  headers: {
    ...headers,
    ...(key !== undefined && { "x-api-key": key }),
    ...(token !== undefined && { authorization: `Bearer ${token}` })
  }
})
