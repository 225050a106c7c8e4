import { destinationFault, type Settlement, settlementOf, webhookBody } from "@postcode/gateway/webhooks/Webhook"
import { describe, expect, it } from "vitest"

const now_ms = Date.UTC(2026, 0, 31, 12)
const answered = (status: number, retry_after?: string) => ({ _tag: "Answered", status, retry_after }) as const
const settle = (status: number, attempt: number, spread = 0, retry_after?: string): Settlement =>
  settlementOf(answered(status, retry_after), attempt, now_ms, spread)

describe("the result of an attempt", () => {
  it.each([200, 201, 204, 299])("%i is delivered, at any attempt", (status) => {
    for (const attempt of [1, 9, 12])
      expect(settle(status, attempt)).toEqual({ status: "delivered", last_status: status })
  })

  it("any other status is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h and 20 h, and then fails", () => {
    const pauses_s = Array.from({ length: 9 }, (_, i) => (settle(500, i + 1).after_ms ?? Number.NaN) / 1_000)
    expect(pauses_s).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, Number.NaN])
    for (const attempt of [9, 10]) expect(settle(500, attempt)).toEqual({ status: "failed", last_status: 500 })
    for (const status of [100, 199, 300, 302, 400, 404, 409, 429, 503, 599]) {
      expect(settle(status, 1)).toEqual({ status: "pending", last_status: status, after_ms: 5_000 })
    }
  })

  it("without a response it is the same, with the reason as a text", () => {
    const fault = "the connection was refused"
    const settled = (attempt: number) => settlementOf({ _tag: "NotAnswered", fault }, attempt, now_ms, 0)
    expect(settled(2)).toEqual({ status: "pending", fault, after_ms: 300_000 })
    expect(settled(9)).toEqual({ status: "failed", fault })
  })

  it("410 fails immediately, and disables the endpoint", () => {
    expect(settle(410, 1)).toEqual({ status: "failed", last_status: 410, disables: true })
  })

  it("a pause is up to 20 % longer, and never shorter", () => {
    expect([0, 0.5, 1].map((spread) => settle(500, 2, spread).after_ms)).toEqual([300_000, 330_000, 360_000])
  })

  const asked = [
    ["120", 120_000],
    ["Sat, 31 Jan 2026 12:10:00 GMT", 600_000],
    ["86400", 86_400_000],
    ["999999999", 86_400_000],
    ["Sun, 31 Jan 2027 12:00:00 GMT", 86_400_000],
    ["0", 5_000],
    ["3", 5_000],
    ["Sat, 31 Jan 2026 11:00:00 GMT", 5_000],
    ["-5", 5_000],
    ["1e9", 5_000],
    ["tomorrow", 5_000],
    ["Sat, 99 Jan 2026 12:10:00 GMT", 5_000],
    ["", 5_000]
  ] as const
  it.each(asked)(
    "Retry-After: %s delays the next attempt to %i ms, at least the pause and at most a day",
    (retry_after, after_ms) => {
      for (const status of [429, 503]) expect(settle(status, 1, 0, retry_after).after_ms).toBe(after_ms)
    }
  )
})

describe("where a webhook may go", () => {
  const anywhere = [
    "https://example.com/",
    "https://example.com:8443/a?b=c",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/"
  ]
  const privately = ["https://10.0.0.1/", "https://[fd00::1]/", "https://localhost/", "https://x.localhost./"]
  const locally = ["http://localhost:80/", "http://127.0.0.1/", "http://[::1]:8080/", "http://x.localhost/"]
  const nowhere = ["http://example.com/", "http://10.0.0.1/", "http://localhost.example/", "http://127.0.0.1.example/"]

  it("to public addresses by HTTPS only", () => {
    for (const url of anywhere) expect(destinationFault(url, false), url).toBeUndefined()
    for (const url of privately) expect(destinationFault(url, false), url).toContain("public internet")
    for (const url of [...locally, ...nowhere]) expect(destinationFault(url, false), url).toContain("https://")
  })

  it("also to private ones if that is allowed, and by HTTP to this machine only", () => {
    for (const url of [...anywhere, ...privately, ...locally]) expect(destinationFault(url, true), url).toBeUndefined()
    for (const url of nowhere) expect(destinationFault(url, true), url).toContain("https://")
  })
})

it("the body has type, timestamp and data, in this order", () => {
  const data = { organization_id: "org_1", environment: "live", balance: 40, threshold: 50 }
  expect(webhookBody({ id: "msg_1", type: "credits.low", at: "2026-01-31T12:00:00.000Z", data })).toBe(
    '{"type":"credits.low","timestamp":"2026-01-31T12:00:00.000Z",' +
      '"data":{"organization_id":"org_1","environment":"live","balance":40,"threshold":50}}'
  )
})
