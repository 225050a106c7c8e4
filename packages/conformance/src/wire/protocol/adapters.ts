/** The service through fetch, and inside another server. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { type EmbeddedGateway, openGateway, toWebHandler } from "@postcode/http"
import { Context, Logger, Redacted } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json, type Message, TestClient, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { endpoints } from "../Contract.ts"
import { assertConventions } from "../Conventions.ts"
import { expectFailure, outcomeOf, type Received } from "../Received.ts"
import { makeScene, type Scene, sampleMessage } from "../Samples.ts"

export const adapters = (world: World): void => {
  describe("the fetch handler", () => fetchHandler(world))
  describe("embedded by openGateway", () => embedded(world))
}

/** What is read changes with each call, and with the host that is asked. */
const others: ReadonlyArray<string> = ["management.audit", "account.describeOAuth"]

/** Requests without effects, so that both handlers can get the same ones. */
const repeatable = (scene: Scene, key: string): ReadonlyArray<Message> => [
  ...endpoints
    .filter(({ method, operation }) => method === "GET" && !others.includes(operation))
    .map(({ operation }) => sampleMessage(operation, scene)),
  ...(["assembly.assemble", "lookup.batch"] as const).map((operation) => sampleMessage(operation, scene)),
  { method: "GET", target: url("/v1/lookup", { code: postcodes.full, level: 5 }), key },
  { method: "GET", target: url("/v1/lookup", { code: postcodes.full, level: 3 }) },
  { method: "GET", target: url("/v1/search/reverse", { lat: 6.6018, lng: 3.3515 }), key },
  { method: "GET", target: "/v1/lookup?code=LA&code=LA" },
  { method: "GET", target: "/v1/lookup?code=%ZZ" },
  { method: "GET", target: "/v1/search/autocomplete?q=%E1%BB%8D+a%2Bb" },
  { method: "GET", target: "/v1/nothing" },
  { method: "GET", target: "/v1/lookup/" },
  { method: "HEAD", target: "/v1/health/live" },
  { method: "HEAD", target: "/v1/lookup?code=LA12A03BG07" },
  { method: "OPTIONS", target: "/v1/lookup" },
  { method: "DELETE", target: "/v1/lookup" },
  { method: "GET", target: "/v1/reference/states" },
  { method: "GET", target: "/v1/admin/audit" },
  { method: "GET", target: "/v1/admin/audit", token: "wrong" },
  { method: "GET", target: "/v1/search/autocomplete", key: "bad" },
  { method: "GET", target: "/v1/openapi.json", headers: { "accept-encoding": "gzip" } },
  { method: "GET", target: "/v1/docs", headers: { "if-none-match": "*" } },
  { method: "POST", target: "/v1/assembly/assemble", ...json({}), body: "{" },
  { method: "POST", target: "/v1/assembly/assemble", ...json({}), body: "" },
  { method: "POST", target: "/v1/assembly/assemble", body: "{}", headers: { "content-type": "text/plain" } },
  { method: "POST", target: "/v1/assembly/assemble", ...json("x".repeat(70_000)) }
]

const fetchHandler = (world: World): void => {
  it("answers like the Node handler: status, headers and body", async () => {
    const scene = await makeScene(world.operator)
    const { secret } = await world.operator.key()
    const handler = toWebHandler(world.gateway)
    const messages = repeatable(scene, secret)
    expect(messages.length).toBeGreaterThan(40)
    for (const message of messages) {
      const node = await world.client.send(message)
      const web = await answerOf(handler, message)
      const what = `${message.method} ${message.target}`
      expect(outcomeOf(web), what).toBe(outcomeOf(node))
      expect(Buffer.from(web.body).equals(node.body), what).toBe(true)
      expect(comparable(web.headers), what).toEqual(comparable(node.headers))
    }
  })

  it("counts by the peer address that it is given, and all requests together without one", async () => {
    const handler = toWebHandler(world.gateway)
    const remaining = async (peer_address?: string) =>
      Number(
        (
          await handler(new Request("http://a/v1/nothing"), peer_address === undefined ? {} : { peer_address })
        ).headers.get("x-ratelimit-remaining")
      )
    expect(await remaining("192.0.2.200")).toBe(599)
    expect(await remaining("192.0.2.200")).toBe(598)
    expect(await remaining("192.0.2.201")).toBe(599)
    await remaining()
    expect(await remaining()).toBeLessThanOrEqual(598)
  })

  it("further arguments of a framework are ignored", async () => {
    const handler = toWebHandler(world.gateway) as (
      request: Request,
      ...more: ReadonlyArray<unknown>
    ) => Promise<Response>
    for (const second of [{ params: {} }, { peer_address: 7 }, "192.0.2.1", null, undefined]) {
      expect((await handler(new Request("http://a/v1/health/live"), second)).status).toBe(200)
    }
  })

  it("a body that the app has already read is a fault of the app: 500, and the log names the fix", async () => {
    const logged: Array<string> = []
    const { gateway } = await world.serveAnother()
    const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
    const handler = toWebHandler(gateway, Context.make(Logger.CurrentLoggers, new Set([log])))
    const headers = { "content-type": "application/json" }
    const request = new Request("http://a/v1/assembly/assemble", { method: "POST", headers, body: "{}" })
    await request.text()
    expect((await handler(request)).status).toBe(500)
    expect(logged.join("\n")).toContain("before any body parser")
  })

  it("a body that breaks off is 400", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("gone")) })
    const headers = { "content-type": "application/json" }
    const request = new Request("http://a/v1/assembly/assemble", { method: "POST", headers, body, duplex: "half" })
    const response = await toWebHandler(world.gateway)(request)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: "invalid_body" } })
  })

  it("a fragment is ignored", async () => {
    const response = await toWebHandler(world.gateway)(new Request("http://a/v1/lookup?code=LA12A03BG07#part"))
    expect(response.status).toBe(200)
  })

  it("a stream longer than 64 KiB is 413 and not read to its end", async () => {
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++
        controller.enqueue(new Uint8Array(16_384))
      }
    })
    const headers = { "content-type": "application/json" }
    const request = new Request("http://a/v1/assembly/assemble", { method: "POST", headers, body, duplex: "half" })
    expect((await toWebHandler(world.gateway)(request)).status).toBe(413)
    expect(pulled).toBeLessThan(10)
  })
}

/** A message through the fetch handler, checked like any other response. */
const answerOf = async (handler: ReturnType<typeof toWebHandler>, message: Message): Promise<Received> => {
  const headers: Record<string, string> = {
    ...(message.key !== undefined && { "x-api-key": message.key }),
    ...(message.token !== undefined && { authorization: `Bearer ${message.token}` }),
    ...message.headers
  }
  const { method, target } = message
  const body = message.body as string | undefined
  const response = await handler(
    new Request(`http://gateway.example${target}`, { method, headers, ...(body !== undefined && { body }) }),
    { peer_address: "192.0.2.1" }
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const received: Received = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    headerNames: [...response.headers.keys()],
    body: bytes,
    text: bytes.toString("utf8")
  }
  assertConventions({ method, target, headers }, received)
  return received
}

/** Without headers of the connection, and without those that differ between requests. */
const comparable = (headers: Readonly<Record<string, string>>) => {
  const own = ["connection", "keep-alive", "date", "x-request-id", "transfer-encoding"]
  const counted = ["x-ratelimit-remaining", "x-ratelimit-reset", "x-credits-remaining"]
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ![...own, ...counted].includes(name)))
}

/** With Node's 5 s, a busy machine may send the next request on a connection that was just closed. */
const patient = { keepAliveTimeout: 60_000 }

/** A client of the app's own server. Both end with the test. */
const clientOf = async (gateway: EmbeddedGateway, listener: RequestListener, address: string): Promise<TestClient> => {
  const server = createServer(patient, listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = new TestClient((server.address() as AddressInfo).port, () => address)
  onTestFinished(async () => {
    client.close()
    server.close()
    await gateway.close()
  })
  return client
}

const embedded = (world: World): void => {
  const options = { operatorToken: Redacted.make(operatorToken), trustedProxies: ["127.0.0.1"] }

  it("answers inside a plain node:http server, and through fetch", async () => {
    const gateway = await openGateway(options, world.ports)
    const client = await clientOf(gateway, gateway.nodeHandler, "192.0.2.2")
    const { secret } = await world.operator.key()
    const target = url("/v1/lookup", { code: postcodes.full, level: 4 })
    expect((await client.get(target, { key: secret })).text).toContain("7 Allen Avenue")
    expect((await client.get("/v1/nothing")).status).toBe(404)
    const response = await gateway.fetch(new Request(`http://a${target}`, { headers: { "x-api-key": secret } }))
    expect(await response.text()).toContain("7 Allen Avenue")
  })

  it("two Host headers, or an invalid one, are 400 inside another server, too", async () => {
    const gateway = await openGateway(options, world.ports)
    const client = await clientOf(gateway, gateway.nodeHandler, "192.0.2.5")
    for (const hosts of ["Host: a\r\nHost: b", "Host: a\r\nHost: a", "Host: a/b"]) {
      const bytes = `GET /v1/health/live HTTP/1.1\r\n${hosts}\r\n\r\n`
      const [received] = await client.sendRaw({ bytes, asked: [{ method: "GET", target: "/v1/health/live" }] })
      expectFailure(received as Received, "400 invalid_parameter", "Host")
      expect(received?.headers.connection).toBe("close")
    }
  })

  it("answers in a framework that removes its mount path from the URL", async () => {
    const gateway = await openGateway(options, world.ports)
    const mounted: RequestListener = (req, res) => {
      Object.assign(req, { originalUrl: req.url, url: "/cut" })
      gateway.nodeHandler(req, res)
    }
    const client = await clientOf(gateway, mounted, "192.0.2.3")
    expect((await client.get("/v1/health/live")).status).toBe(200)
  })

  it("a client that disconnects before its request is started is not charged", async () => {
    const gateway = await openGateway(options, world.ports)
    const cut: RequestListener = (req, res) => {
      gateway.nodeHandler(req, res)
      req.socket.destroy()
    }
    const client = await clientOf(gateway, cut, "192.0.2.4")
    const { organization_id, secret } = await world.operator.keyWithCredits(10)
    const lookup = url("/v1/lookup", { code: postcodes.full, level: 4 })
    await expect(client.get(lookup, { key: secret })).rejects.toThrow("socket hang up")
    expect((await world.operator.statement(organization_id, "live")).balance).toBe(10)
  })

  it("a weak operator token is refused, and so is a trusted proxy that is not an address", async () => {
    for (const weak of ["q7Vd2MfZ0bXk9Rt", "abc".repeat(20)]) {
      await expect(openGateway({ operatorToken: Redacted.make(weak) }, world.ports)).rejects.toThrow(
        /operatorToken: expected 32 to 512 .*openssl rand -hex 32/
      )
    }
    await expect(openGateway({ ...options, trustedProxies: ["proxy.local"] }, world.ports)).rejects.toThrow(
      /"proxy\.local" is neither an IP address nor a range/
    )
  })
}
