import { createServer } from "node:net"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  chosenPort,
  listeningUrl,
  originsOf as originsOfAddress,
  type PageAddress,
  shownOrigin
} from "../src/demonstration/PageAddress.ts"

const originsOf = (host: string, port: number, more: Partial<PageAddress> = {}) =>
  originsOfAddress({ host, port, isSeparate: false, publicOrigin: undefined, ...more })

describe("the origins of the demonstration page", () => {
  it("are localhost, 127.0.0.1 and the host of the service", () => {
    expect(originsOf("127.0.0.1", 3000)).toEqual(["http://localhost:3000", "http://127.0.0.1:3000"])
    expect(originsOf("postcodes.example", 8080)).toEqual([
      "http://localhost:8080",
      "http://127.0.0.1:8080",
      "http://postcodes.example:8080"
    ])
    expect(originsOf("::1", 3000)).toContain("http://[::1]:3000")
  })

  it("contain no IPv6 address with separate hosts, because a Content-Security-Policy cannot name one", () => {
    expect(originsOf("::1", 3000, { isSeparate: true })).toEqual(["http://localhost:3000", "http://127.0.0.1:3000"])
    expect(originsOf("::", 3000, { isSeparate: true }).join()).not.toContain("[")
  })

  it("begin with the configured public origin", () => {
    expect(originsOf("0.0.0.0", 3000, { publicOrigin: "https://demo.example" }).slice(0, 2)).toEqual([
      "https://demo.example",
      "http://localhost:3000"
    ])
    expect(originsOf("127.0.0.1", 80, { publicOrigin: "http://127.0.0.1" })).toEqual([
      "http://127.0.0.1",
      "http://localhost"
    ])
  })

  it("are in lower case and without the default port", () => {
    expect(originsOf("LocalHost", 80)).toEqual(["http://localhost", "http://127.0.0.1"])
  })

  it.each(["0.0.0.0", "::", "0", "0:0:0:0:0:0:0:0"])(
    "are the addresses of all interfaces if the host is %s",
    (host) => {
      const origins = originsOf(host, 3000)
      expect(origins.slice(0, 2)).toEqual(["http://localhost:3000", "http://127.0.0.1:3000"])
      expect(new Set(origins).size).toBe(origins.length)
      expect(origins.filter((origin) => /\/0|\[::\]|\[0|fe80/.test(origin))).toEqual([])
    }
  )
})

it.each([
  ["127.0.0.1", 3000, undefined, "http://127.0.0.1:3000"],
  ["localhost", 3000, undefined, "http://localhost:3000"],
  ["LocalHost", 80, undefined, "http://localhost"],
  ["::1", 3000, undefined, "http://[::1]:3000"],
  ["0.0.0.0", 3000, undefined, "http://localhost:3000"],
  ["::", 3000, undefined, "http://localhost:3000"],
  ["0.0.0.0", 3000, "https://demo.example", "https://demo.example"]
])("a service on %s, port %d, behind %s, tells people %s", (host, port, publicOrigin, expected) => {
  const origins = originsOf(host, port, { publicOrigin })
  expect(shownOrigin(listeningUrl(host, port), publicOrigin, origins)).toBe(expected)
})

describe("the port of the demonstration page", () => {
  it("is the requested one, even if it is not free, because listening reports that", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as { readonly port: number }
    expect(await Effect.runPromise(chosenPort("127.0.0.1", port))).toBe(port)
    server.close()
  })

  it("is a free one below the system's own range if port 0 is requested", async () => {
    const port = await Effect.runPromise(chosenPort("127.0.0.1", 0))
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_768)
  })

  it("is found after a limited number of attempts, even if the host is not an address of this machine", async () => {
    expect(await Effect.runPromise(chosenPort("192.0.2.1", 0))).toBeGreaterThan(0)
  })
})
