/** TLS by Caddy, with the files of deploy/caddy: before one service, and before replicas that fail. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { serveSmallDirectory } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it } from "vitest"
import { findCaddy, startCaddy } from "./Caddy.ts"

const program = findCaddy()

// Where Caddy is missing, the report has these names as skipped. Linux has more than one address of itself.
describe.skipIf(program === undefined || process.platform !== "linux")("Caddy (needs caddy, on Linux)", () => {
  it("before one service ends TLS, passes the client's address on, and not the one that a client claims", async () => {
    await using folder = await temporaryFolder()
    await using served = await serveSmallDirectory(["--trusted-proxies", "127.0.0.1"])
    const addresses = { "127.0.0.1:3000": new URL(served.url).host }
    await using caddy = await startCaddy(program as string, folder.path, "one-machine.Caddyfile", addresses)
    const search = (from: string, headers: Readonly<Record<string, string>> = {}) =>
      caddy.send("/v1/search/autocomplete?q=LA", { from, headers })
    const [first, second] = [await search("127.0.0.2"), await search("127.0.0.2")]
    expect(first).toMatchObject({ status: 200 })
    expect(second.remaining).toBe(first.remaining - 1)
    expect(await search("127.0.0.3")).toEqual({ status: 200, remaining: first.remaining })
    expect(await search("127.0.0.2", { "x-forwarded-for": "198.51.100.7" })).toEqual({
      status: 200,
      remaining: first.remaining - 2
    })
  })

  it("before replicas repeats what is free on another replica, and never what can cost credits", async () => {
    await using folder = await temporaryFolder()
    await using replicas = await startReplicas()
    const [sound, broken] = replicas.all
    const addresses = { "10.0.0.11:3000": sound.address, "10.0.0.12:3000": broken.address }
    await using caddy = await startCaddy(program as string, folder.path, "replicas.Caddyfile", addresses)
    for (let sent = 0; sent < 100 && broken.paths.length === 0; sent += 1) {
      expect(await caddy.send("/v1/search/autocomplete")).toMatchObject({ status: 200 })
    }
    expect(broken.paths).toContain("/v1/search/autocomplete")
    for (const [method, path] of [
      ["GET", "/v1/lookup"],
      ["GET", "/v1/search/address"],
      ["GET", "/v1/directory/changes"],
      ["POST", "/v1/lookup/batch"]
    ] as const) {
      let failed = 0
      let sent = 0
      // A replica that failed twice is left out for a second.
      for (; sent < 1_000 && failed === 0; sent += 1) {
        if ((await caddy.send(path, { method })).status !== 200) failed += 1
        await setTimeout(10)
      }
      expect({ path, failed }).toEqual({ path, failed: 1 })
      expect([...sound.paths, ...broken.paths].filter((seen) => seen === path)).toHaveLength(sent)
    }
    // One that is gone was not reached, so another replica is asked, whatever the request costs.
    await broken.close()
    const seen = sound.paths.length
    for (let sent = 0; sent < 20; sent += 1) expect(await caddy.send("/v1/lookup")).toMatchObject({ status: 200 })
    expect(sound.paths).toHaveLength(seen + 20)
  })
})

/** The first answers, the second breaks every connection once it has read the request, except for its health. */
const startReplicas = async () => {
  const all = [await startReplica(false), await startReplica(true)] as const
  return { all, [Symbol.asyncDispose]: async () => void (await Promise.all(all.map((one) => one.close()))) }
}

const startReplica = async (breaks: boolean) => {
  const paths: Array<string> = []
  const server: Server = createServer((request, response) => {
    const path = `${request.url}`
    if (path.startsWith("/v1/health/")) return response.end()
    paths.push(path)
    return breaks ? request.socket.destroy() : response.end()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const close = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, paths, close }
}
