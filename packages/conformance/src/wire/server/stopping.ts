/** A server that stops loses no request, and no answer that was charged. */
import { Agent, request } from "node:http"
import { connect, type Socket } from "node:net"
import { serve } from "@postcode/http"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, it } from "vitest"
import type { World } from "../../world/World.ts"
import { halfSent } from "../HalfSent.ts"

const busyClients = 20

export const stopping = (world: World): void => {
  describe("a server that stops", () => {
    const body = '{"state":"LA","lga":"12","district":"A03","area":"BG","unit":"07"}'

    it("finishes the requests in flight, accepts no new ones, and then ends", async () => {
      const { client, gateway, stop } = await world.serveAnother()
      const inFlight = await halfSent(client.port, "/v1/assembly/assemble", body)
      const stopped = stop()
      await expect.poll(() => gateway.isDraining()).toBe(true)
      await expect(connected(client.port)).rejects.toMatchObject({ code: "ECONNREFUSED" })
      inFlight.finish()
      const answer = await inFlight.answer
      expect(answer).toMatchObject({ status: 200, connection: "close" })
      expect(answer.text).toContain("LA-12-A03-BG-07")
      await stopped
    })

    it("does not wait for idle connections", async () => {
      const { client, stop } = await world.serveAnother()
      const idle = await connected(client.port)
      await client.get("/v1/health/live")
      const closed = new Promise((resolve) => idle.once("end", resolve))
      idle.resume()
      await stop()
      await closed
      idle.destroy()
    })

    it("does not wait for a refused tunnel", async () => {
      const { client, stop } = await world.serveAnother()
      const socket = await connected(client.port)
      socket.on("error", () => {})
      const answered = new Promise((resolve) => socket.once("data", resolve))
      socket.write("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nmore")
      await answered
      await stop()
      socket.destroy()
    })

    it("does not wait for a client that reads nothing and sends CONNECT after requests", async () => {
      const { gateway } = await world.serveAnother()
      const scope = Scope.makeUnsafe()
      const listening = serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0, shutdownTimeout_ms: 100 })
      const { port } = await world.run(Effect.provideService(listening, Scope.Scope, scope))
      const socket = await connected(port)
      socket.on("error", () => {})
      socket.pause()
      // More than the socket buffers hold.
      const document = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
      await new Promise((resolve) =>
        socket.write(`${document.repeat(200)}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`, resolve)
      )
      await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0)
      await world.run(Scope.close(scope, Exit.void))
      socket.destroy()
    })

    it("fails no request of clients with busy connections", async () => {
      const { gateway } = await world.serveAnother()
      const scope = Scope.makeUnsafe()
      const listening = serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 300 })
      const { port } = await world.run(Effect.provideService(listening, Scope.Scope, scope))
      const clients = Array.from({ length: busyClients }, () => busyClient(port, world.client.newVisitor()))
      await Promise.all(clients.map((client) => client.firstAnswer))
      await world.run(Scope.close(scope, Exit.void))
      const outcomes = await Promise.all(clients.map((client) => client.outcome))
      expect(outcomes).toEqual(Array.from({ length: busyClients }, () => "told to close"))
    })
  })

  describe("an idle connection", () => {
    it("is kept for longer than a minute, as long as load balancers keep theirs", async () => {
      const { headers } = await world.client.get("/v1/health/live")
      expect(Number(/^timeout=(\d+)$/.exec(headers["keep-alive"] ?? "")?.[1])).toBeGreaterThan(60)
    })
  })
}

/** Sends requests one after another on one connection, until an answer closes it. */
const busyClient = (port: number, address: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { "x-forwarded-for": address }
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, agent, path: "/v1/search/autocomplete?q=LA", headers }, (response) => {
        response.resume()
        response.on("end", () => resolve(`${response.statusCode} ${response.headers.connection}`))
      })
      asked.on("error", reject)
      asked.end()
    })
  const firstAnswer = ask()
  const askOn = async (): Promise<string> => {
    await firstAnswer
    for (;;) {
      const answer = await ask().catch((error: NodeJS.ErrnoException) => `${error.code}`)
      if (answer === "200 close" || answer === "429 close") return "told to close"
      if (answer !== "200 keep-alive" && answer !== "429 keep-alive") return answer
    }
  }
  return { firstAnswer, outcome: askOn().finally(() => agent.destroy()) }
}

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true })
    socket.once("connect", () => resolve(socket))
    socket.once("error", reject)
  })
