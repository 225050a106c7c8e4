/**
 * What the service tells operators holds nothing that callers sent: every endpoint is sent secrets in every place, and
 * then they are looked for in the metrics, the traces and the logs of a replica on PostgreSQL.
 */
import { Api } from "@postcode/api"
import { operatorToken, postcodes, readMetrics } from "@postcode/conformance/wire"
import { type Installation, makeCustomer, makeInstallation } from "@postcode/drills/Installation"
import { manage } from "@postcode/drills/Management"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startCollector, type TraceCollector } from "./TraceCollector.ts"

let installation: Installation
let collector: TraceCollector
let service: Service
let customer: { readonly id: string; readonly secret: string }

beforeAll(async () => {
  installation = await makeInstallation()
  collector = await startCollector()
  service = await startService(["--operations-port", "0", "--access-log"], {
    ...installation.env,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_TRACES_SAMPLER: "always_on"
  })
  customer = await makeCustomer(service, 1_000)
})
afterAll(async () => {
  await service.stop("SIGKILL")
  await collector[Symbol.asyncDispose]()
  await installation[Symbol.asyncDispose]()
})

const metricsText = async () => await (await fetch(service.shown("metrics"))).text()

const word = "canary-7f3a9b"
const nin = "74185296301"
const email = "someone.secret@example.com"
const otherKey = "svc_live_0123456789abcdefghijklmnopqrstuvwxyzAB"

interface Endpoint {
  readonly method: string
  readonly path: string
}

const endpoints: Array<Endpoint> = []
HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => endpoints.push(endpoint) })

/** One request with a secret in each place that a request has. */
const spoilt = ({ method, path }: Endpoint, secret: string, key: string): readonly [string, RequestInit] => {
  const target = new URL(service.url + path.replace(":id", encodeURIComponent(secret)))
  for (const name of ["q", "code", "identifier", secret]) target.searchParams.set(name, secret)
  const hasBody = method !== "GET" && method !== "DELETE"
  const names = ["identifier", "identifiers", "email", "password", "name", "token", "postcode", secret]
  const headers = {
    "x-api-key": key,
    authorization: `Bearer ${secret === word ? operatorToken : secret}`,
    cookie: `__Host-session=${secret}`,
    "idempotency-key": secret,
    "x-request-id": secret,
    "user-agent": secret,
    referer: `https://example.com/${secret}`,
    "x-forwarded-for": secret,
    traceparent: secret,
    tracestate: `a=${secret}`,
    ...(hasBody && { "content-type": "application/json" })
  }
  return [
    target.href,
    {
      method,
      headers,
      ...(hasBody && { body: JSON.stringify(Object.fromEntries(names.map((name) => [name, secret]))) })
    }
  ]
}

describe("a replica that counts, records and logs everything", () => {
  it("shows no secret that was sent to any endpoint", async () => {
    const secrets = [word, nin, email, otherKey, customer.secret]
    for (const endpoint of endpoints) {
      for (const secret of secrets) {
        const [target, init] = spoilt(endpoint, secret, secret === word ? customer.secret : otherKey)
        await (await fetch(target, init)).text()
      }
    }
    const taken = { email, name: word, role: "operator" }
    await manage(service.url, "POST", "/invitations", taken).catch(() => {})
    const saved = { identifiers: [nin, email], bookmarks: [{ postcode: postcodes.full, label: word }] }
    await manage(service.url, "PUT", "/end-users", saved)
    await (
      await fetch(`${service.url}/v1/lookup?code=${postcodes.full}&level=2`, {
        headers: { "x-api-key": customer.secret }
      })
    ).text()

    const metrics = await metricsText()
    const screen = service.stderr().split("\nready ")[0]?.length ?? 0
    expect(await service.stop()).toBe(0)
    const log = service.stderr().slice(screen)
    const traces = collector.posted.map(({ body }) => body.toString()).join("\n")
    expect(log.match(/^\{"at":/gm)?.length).toBeGreaterThan(endpoints.length * secrets.length)
    expect(collector.spans.length).toBeGreaterThan(endpoints.length * secrets.length)
    for (const secret of [...secrets, operatorToken, postcodes.full, ...Object.values(installation.env)]) {
      for (const text of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64").replace(/=+$/, "")
      ]) {
        // A caller may choose the id of its request, as long as that looks like no secret; limits are told apart by
        // nothing.
        if (text === word || /^\d{1,7}$/.test(text)) continue
        expect({
          text,
          inLog: log.includes(text),
          inTraces: traces.includes(text),
          inMetrics: metrics.includes(text)
        }).toEqual({
          text,
          inLog: false,
          inTraces: false,
          inMetrics: false
        })
      }
    }
    expect(traces).not.toContain(word)
    expect(metrics).not.toContain(word)
    expect(log.replaceAll(`"request_id":"${word}"`, "").replaceAll(`request ${word} `, "")).not.toContain(word)
  })

  it("has recorded the statements that a request waited for under the call of the store that made them", () => {
    const lookup = collector.spans.findLast(({ name }) => name === "GET /v1/lookup")
    const calls = collector.spans.filter(
      ({ parentSpanId, traceId }) => traceId === lookup?.traceId && parentSpanId === lookup?.spanId
    )
    expect(calls.map(({ name }) => name)).toEqual(expect.arrayContaining(["Units.attributes", "CreditLedger.charge"]))
    const units = calls.find(({ name }) => name === "Units.attributes")
    const [statement] = collector.spans.filter(({ parentSpanId }) => parentSpanId === units?.spanId)
    expect(statement).toMatchObject({ kind: 3, traceId: lookup?.traceId })
  })
})

describe("the metrics of a replica", () => {
  it("include the database, its queries and its batches", async () => {
    await using replica = await installation.startReplica("--operations-port", "0", "--workers", "2")
    for (let i = 0; i < 5; i++) {
      const response = await fetch(`${replica.url}/v1/lookup?code=${postcodes.full}&level=2`, {
        headers: { "x-api-key": customer.secret }
      })
      expect(response.status).toBe(200)
    }
    const read = async () => readMetrics(await (await fetch(replica.shown("metrics"))).text())
    await expect.poll(async () => (await read()).get("postcode_database_connected")?.samples.size).toBe(2)
    // Workers report the state of their queues from time to time.
    await expect
      .poll(async () => (await read()).get("postcode_queue_requests")?.samples.get(inFlight), { timeout: 30_000 })
      .toBe(0)
    const metrics = await read()
    const value = (name: string, labels = "") =>
      metrics.get(name.replace(/_(count|sum)$/, ""))?.samples.get(name + labels)
    expect(value("postcode_charge_batch_size_sum")).toBe(5)
    expect(value("postcode_database_query_duration_seconds_count", '{outcome="answered"}')).toBeGreaterThan(5)
    expect(value("postcode_database_query_duration_seconds_count", '{outcome="failed"}')).toBe(0)
    expect(value("postcode_database_queries_in_flight")).toBeLessThanOrEqual(2)
    expect([...metrics.get("postcode_database_connected")!.samples.values()]).toEqual([1, 1])
    for (const at of metrics.get("postcode_database_last_response_timestamp_seconds")!.samples.values()) {
      expect(Date.now() / 1_000 - at).toBeLessThan(60)
    }
    expect(value("postcode_credits_charged_total", '{operation="lookup.single",level="2",environment="live"}')).toBe(5)
  })
})

const inFlight = 'postcode_queue_requests{queue="paid",state="in_flight"}'
