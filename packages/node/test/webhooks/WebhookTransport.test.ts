/** How webhooks are posted, to receivers that behave and to those that do not. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer as createPlainServer, type Server as PlainServer } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { type WebhookAnswer, WebhooksMayBePrivate } from "@postcode/gateway/webhooks/Webhook"
import { WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Fiber, Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { certificate, privateKey } from "./TestCertificate.ts"

type Options = NonNullable<Parameters<typeof layerWebhookTransport>[0]> & { readonly mayBePrivate?: boolean }

const send = (url: string, { mayBePrivate = true, ...options }: Options = {}) =>
  Effect.flatMap(WebhookTransport, ({ post }) =>
    post({ url, headers: { "content-type": "application/json", "webhook-id": "msg_1" }, body: '{"name":"Ẹ̀kọ́"}' })
  ).pipe(
    Effect.provide(Layer.provide(layerWebhookTransport(options), Layer.succeed(WebhooksMayBePrivate, mayBePrivate)))
  )

const post = (url: string, options?: Options): Promise<WebhookAnswer> => Effect.runPromise(send(url, options))

/** Listens until the test is over; answers the port. */
const listening = async (server: PlainServer): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const receiver = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(answer))}`

describe("a webhook is posted", () => {
  it("with its headers and body to path and query, and returns the status", async () => {
    const received: Array<unknown> = []
    const url = await receiver(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      received.push([request.method, request.url, request.headers, body])
      response.writeHead(204).end()
    })
    expect(await post(`${url}/hooks?a=%20b`)).toEqual({ _tag: "Answered", status: 204, retry_after: undefined })
    expect(received).toEqual([
      [
        "POST",
        "/hooks?a=%20b",
        {
          host: new URL(url).host,
          "user-agent": "postcode-gateway",
          "content-type": "application/json",
          "content-length": "22",
          "webhook-id": "msg_1",
          connection: "close"
        },
        '{"name":"Ẹ̀kọ́"}'
      ]
    ])
  })

  it("once: a redirect is a response, and is not followed", async () => {
    let asked = 0
    const url = await receiver((_, response) => {
      asked++
      response.writeHead(302, { location: "/elsewhere", "retry-after": "7" }).end()
    })
    expect(await post(url)).toEqual({ _tag: "Answered", status: 302, retry_after: "7" })
    expect(asked).toBe(1)
  })

  it("by HTTPS if the certificate is valid for the name", async () => {
    const port = await listening(
      createSecureServer({ cert: certificate, key: privateKey }, (_, response) => response.end())
    )
    const resolve = async () => ["127.0.0.1"]
    const defaults = getCACertificates("default")
    expect(await post(`https://receiver.example:${port}/`, { resolve })).toEqual({
      _tag: "NotAnswered",
      fault: "TLS failed: DEPTH_ZERO_SELF_SIGNED_CERT"
    })
    setDefaultCACertificates([certificate])
    onTestFinished(() => setDefaultCACertificates(defaults))
    expect(await post(`https://receiver.example:${port}/`, { resolve })).toMatchObject({ status: 200 })
    for (const url of [`https://other.example:${port}/`, `https://127.0.0.1:${port}/`]) {
      expect(await post(url, { resolve })).toEqual({
        _tag: "NotAnswered",
        fault: "TLS failed: ERR_TLS_CERT_ALTNAME_INVALID"
      })
    }
  })
})

describe("an endpoint that misbehaves", () => {
  it("with an endless response is disconnected after 64 KiB, and its status counts", async () => {
    let sent = 0
    let closed: Promise<unknown> | undefined
    const url = await receiver((_, response) => {
      closed = once(response, "close")
      response.writeHead(200)
      const chunk = Buffer.alloc(16 * 1024)
      const more = () => {
        sent += chunk.length
        if (!response.destroyed && sent < 1e9) response.write(chunk, () => setImmediate(more))
      }
      more()
    })
    expect(await post(url)).toMatchObject({ status: 200 })
    await closed
    // What the system holds on the way comes on top.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it("without a response is disconnected after its timeout", async () => {
    let closed: Promise<unknown> | undefined
    const url = await receiver((request) => {
      closed = once(request.socket, "close")
    })
    expect(await post(url, { timeout_ms: 100 })).toEqual({
      _tag: "NotAnswered",
      fault: "no response within 0.1 s"
    })
    await closed
  })

  it("with a response that does not end has responded", async () => {
    const url = await receiver((_, response) => {
      response.writeHead(503)
      response.write("and ")
    })
    expect(await post(url, { timeout_ms: 500 })).toMatchObject({ _tag: "Answered", status: 503 })
  })

  it.each([
    ["changes the protocol", "101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 1],
    ["goes on announcing an answer", "103 Early Hints\r\n\r\n", 1_000]
  ])("that %s has not responded, and is disconnected immediately", async (_, head, times) => {
    let closed: Promise<unknown> | undefined
    const server = createPlainServer((socket) => {
      closed = once(
        socket.on("error", () => {}),
        "close"
      )
      socket.once("data", () => socket.write(`HTTP/1.1 ${head}`.repeat(times)))
    })
    const answer = await post(`http://127.0.0.1:${await listening(server)}/`)
    expect(answer).toEqual({ _tag: "NotAnswered", fault: "its response is not valid HTTP" })
    await closed
  })

  it("whose name is not resolved in time fails after that time", async () => {
    const never = () => new Promise<ReadonlyArray<string>>(() => {})
    const answer = await post("https://slow.example/", { resolve: never, timeout_ms: 50 })
    expect(answer).toEqual({ _tag: "NotAnswered", fault: "no response within 0.05 s" })
  })

  it("that is unreachable, closes the connection or does not speak HTTP gets a fixed message", async () => {
    expect(await post("http://127.0.0.1:1/")).toMatchObject({ fault: "the connection was refused" })
    const hangsUp = await receiver((request) => request.socket.destroy())
    expect(await post(hangsUp)).toMatchObject({ fault: "the connection was closed without a response" })
    const foreign = createPlainServer((socket) => socket.end("220 secret.mail.example ESMTP\r\n\r\n"))
    const answer = await post(`http://127.0.0.1:${await listening(foreign)}/`)
    expect(answer).toMatchObject({ _tag: "NotAnswered", fault: expect.stringContaining("the connection failed: HPE_") })
    expect(JSON.stringify(answer)).not.toContain("secret")
  })

  it("is closed immediately when the sender is interrupted", async () => {
    let asked: () => void = () => {}
    const begun = new Promise<void>((resolve) => {
      asked = resolve
    })
    let closed: Promise<unknown> | undefined
    const url = await receiver((request) => {
      closed = once(request.socket, "close")
      asked()
    })
    const fiber = Effect.runFork(send(url))
    await begun
    await Effect.runPromise(Fiber.interrupt(fiber))
    await closed
  })
})

describe("private addresses", () => {
  const notPublic = { _tag: "NotAnswered", fault: "it has no public address" }

  it.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254", "[64:ff9b::7f00:1]", "0.0.0.0"])(
    "%s is not connected to",
    async (host) => {
      expect(await post(`https://${host}:9/`, { mayBePrivate: false })).toEqual(notPublic)
    }
  )

  it("a name that resolves to one is not connected to, even if it also resolves to a public one", async () => {
    let asked = 0
    const port = await listening(createPlainServer(() => asked++))
    for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["::ffff:127.0.0.1"]]) {
      const answer = await post(`http://inside.example:${port}/`, {
        mayBePrivate: false,
        resolve: async () => addresses
      })
      expect(answer).toEqual(notPublic)
    }
    expect(asked).toBe(0)
  })

  it("a name is resolved once, and the checked address is used", async () => {
    const url = await receiver((_, response) => response.end())
    const answers = [["127.0.0.1"], ["127.0.0.2"]]
    let asked = 0
    const resolve = async () => answers[asked++] ?? []
    expect(await post(`http://inside.example:${new URL(url).port}/`, { resolve })).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
  })

  it.each(["ENOTFOUND", "ENODATA", "ESERVFAIL", "EREFUSED", "ETIMEOUT", "EBADNAME", undefined])(
    "are reported like names without an address, so that no delivery reveals the network: %s",
    async (code) => {
      const resolve = async () => {
        if (code === undefined) return []
        throw Object.assign(new Error(`queryA ${code} nowhere.internal`), { code })
      }
      expect(await post("https://nowhere.internal/", { mayBePrivate: false, resolve })).toEqual(notPublic)
    }
  )

  it("a name without an address is reported as such where private addresses are allowed", async () => {
    const answer = await post("https://nowhere.example/", { resolve: async () => [] })
    expect(answer).toEqual({ _tag: "NotAnswered", fault: "it has no address" })
  })

  it("localhost is found where private addresses are allowed", async () => {
    const url = await receiver((_, response) => response.end())
    const answer = await post(`http://localhost:${new URL(url).port}/`)
    expect(answer._tag).toBe("Answered")
  })
})
