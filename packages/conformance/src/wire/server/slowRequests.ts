/** Clients that send or read slowly keep a connection until a timeout, and do not delay other clients. */
import { once } from "node:events"
import { connect } from "node:net"
import { type ServeOptions, serve } from "@postcode/http"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { parseResponses } from "../RawResponses.ts"
import { expectFailure, type Received } from "../Received.ts"

const slowClients = 100
const live = "/v1/health/live"

export const slowRequests = (world: World): void => {
  describe("slow requests", () => {
    const starts: Readonly<Record<string, string>> = {
      "the headers": `GET ${live} HTTP/1.1\r\nHost: a\r\nX: `,
      "the body":
        "POST /v1/assembly/assemble HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n",
      "the chunks of a body":
        "POST /v1/assembly/assemble HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n"
    }
    for (const [what, start] of Object.entries(starts)) {
      it(`${what}, byte by byte, are 400 after a timeout, and other clients are served meanwhile`, async () => {
        const { client, port } = await serverWithShortTimeouts(world)
        const slow = Array.from({ length: slowClients }, () => trickle(port, start, world.client.newVisitor()))
        expect((await client.get(live)).status).toBe(200)
        for (const received of await Promise.all(slow)) {
          expectFailure(received, "400 invalid_parameter", "took too long to arrive")
          expect(received.headers.connection).toBe("close")
        }
        expect((await client.get(live)).status).toBe(200)
      })
    }

    it.each([
      ["pipelines requests", ""],
      ["sends CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"]
    ])("a client that %s and reads nothing loses its connection, and one that reads keeps it", async (_, more) => {
      let open = 0
      let most = 0
      const onConnection = (change: 1 | -1) => {
        open += change
        most = Math.max(most, open)
      }
      const { client, port } = await serverWithShortTimeouts(world, { onConnection })
      const document = `GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client.newVisitor()}\r\n\r\n`
      const [reading, silent] = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")]
      onTestFinished(() => {
        for (const socket of [reading, silent]) socket.destroy()
      })
      reading.resume().write(document)
      // More than the socket buffers hold.
      silent.on("error", () => {}).write(document.repeat(200) + more)
      await expect.poll(() => most).toBe(2)
      await expect.poll(() => open).toBe(1)
      reading.write(document)
      expect(await once(reading, "data")).toHaveLength(1)
    })
  })
}

/** Another server on the same gateway, with timeouts of at most half a second. */
const serverWithShortTimeouts = async (world: World, more: Partial<ServeOptions> = {}) => {
  const { gateway } = await world.serveAnother()
  const scope = Scope.makeUnsafe()
  const timeouts = { headTimeout_ms: 500, requestTimeout_ms: 500, sendTimeout_ms: 500 }
  const options = { port: 0, host: "127.0.0.1", drain_ms: 0, ...timeouts, ...more }
  const { port } = await world.run(Effect.provideService(serve(gateway, options), Scope.Scope, scope))
  const client = new TestClient(port, () => "198.18.255.255")
  onTestFinished(async () => {
    client.close()
    await world.run(Scope.close(scope, Exit.void))
  })
  return { client, port }
}

/** Sends a start and then single bytes until the server closes the connection; returns what the server sent. */
const trickle = (port: number, start: string, address: string): Promise<Received> =>
  new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    const socket = connect({ host: "127.0.0.1", port })
    socket.write(start.replace("Host: a", `Host: a\r\nX-Forwarded-For: ${address}`))
    const bytes = setInterval(() => socket.write(" "), 50)
    socket.on("error", () => {})
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    socket.on("close", () => {
      clearInterval(bytes)
      const [received] = parseResponses(Buffer.concat(chunks), () => "GET")
      if (received === undefined) reject(new Error("the server hung up without a word"))
      else resolve(received)
    })
  })
