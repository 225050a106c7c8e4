/** `postcode serve --operations-port`: what operators see of the service, from its first moment to its last. */

import { readMetrics } from "@postcode/conformance/wire"
import { type Service, serveSmallDirectory } from "@postcode/drills/StartCommand"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../widget/test/Listening.ts"
import { run } from "../RunCommand.ts"
import { halfSent } from "../serve/HalfRequest.ts"

const scrape = async (service: Service) => readMetrics(await (await fetch(service.shown("metrics"))).text())

const often = { interval: 20 }

describe("the operations port", () => {
  let service: Service

  beforeAll(async () => {
    service = await serveSmallDirectory([], { POSTCODE_OPERATIONS_PORT: "0" })
  })
  afterAll(async () => {
    await service.stop()
  })

  const inFlight = async () =>
    (await scrape(service)).get("postcode_http_requests_in_flight")?.samples.get("postcode_http_requests_in_flight")

  it("answers any other request in the envelope of the service", async () => {
    const ask = async (path: string, method = "GET") => {
      const response = await fetch(new URL(path, service.shown("metrics")), { method })
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff"
      })
      return { status: response.status, allow: response.headers.get("allow"), body: await response.text() }
    }
    expect(await ask("/health/live")).toEqual({ status: 200, allow: null, body: '{"data":{"status":"live"}}' })
    expect(await ask("/health/ready?x=1")).toEqual({ status: 200, allow: null, body: '{"data":{"status":"ready"}}' })
    expect(await ask("/metrics", "HEAD")).toEqual({ status: 200, allow: null, body: "" })
    expect(await ask("/v1/lookup")).toEqual({
      status: 404,
      allow: null,
      body: '{"error":{"code":"not_found","message":"there is no such path: this port has /metrics, /health/live and /health/ready"}}'
    })
    expect(await ask("/metrics", "POST")).toEqual({
      status: 405,
      allow: "GET, HEAD",
      body: '{"error":{"code":"method_not_allowed","message":"this path takes GET, HEAD"}}'
    })
  })

  it("reports no database if there is none", async () => {
    expect((await scrape(service)).has("postcode_database_connected")).toBe(false)
  })

  it("has endpoints that the service's port does not have", async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(404)
  })

  it("counts a request that waits for its body as in flight, until its client is gone", async () => {
    const { socket } = await halfSent(service.url)
    await expect.poll(inFlight, often).toBe(1)
    socket.destroy()
    await expect.poll(inFlight, often).toBe(0)
  })

  it("stays open while the service drains, and reports that it is not ready", async () => {
    const { socket } = await halfSent(service.url)
    await expect.poll(inFlight, often).toBe(1)
    const stopped = service.stop()
    await expect
      .poll(async () => (await fetch(new URL("/health/ready", service.shown("metrics")))).status, often)
      .toBe(503)
    const metrics = await scrape(service)
    expect(metrics.get("postcode_ready")?.samples.get("postcode_ready")).toBe(0)
    expect((await fetch(new URL("/health/live", service.shown("metrics")))).status).toBe(200)
    socket.destroy()
    expect(await stopped).toBe(0)
  })
})

it("the operations port is off by default, and one that is in use is reported", async () => {
  const service = await serveSmallDirectory()
  expect(service.stderr()).not.toMatch(/metrics/)
  expect(await service.stop()).toBe(0)

  const taken = await listen(() => {})
  const { port } = new URL(taken.url)
  const { code, stderr } = await run(["serve", "--port", "0", "--operations-port", port])
  await taken.close()
  expect(code).toBe(1)
  expect(stderr).toMatch(
    new RegExp(`^error: --operations-port: could not listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`, "m")
  )
})
