/** What is written about the metrics, and what is built on them, is about metrics that the service has. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { makeFixture, readMetrics } from "@postcode/conformance/wire"
import { StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { measureProcess } from "../../src/telemetry/measureProcess.ts"
import { ServiceMetrics } from "../../src/telemetry/ServiceMetrics.ts"

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8")

interface Described {
  readonly type: string
  readonly labels: ReadonlyArray<string>
}

/** Every family that the service can have, with its labels. */
const exposed = async (): Promise<ReadonlyMap<string, Described>> => {
  const metrics = new ServiceMetrics("0.0.0")
  const directory = Object.create(makeFixture().directory, { date: { value: "2026-01-31" } })
  const current = { get: () => directory, currentSince: () => "2026-01-31T00:00:00.000Z" }
  const charge = { credits: 1, environment: "live", level: 4 } as const
  const answer = { request_id: "one", method: "GET", operation: "lookup.single", duration_ms: 1, unchecked: false }
  const record = { ...answer, key_id: undefined, trace_id: undefined, limited: undefined }
  metrics.main.countAnswer({ ...record, status: 200, error: undefined, charge })
  metrics.main.countAnswer({ ...record, status: 404, error: "not_found", charge: undefined })
  metrics.main.addDirectory(current)
  metrics.main.addDatabase(10)
  metrics.main.addMail()
  metrics.main.addBackups()
  await Effect.runPromise(
    Effect.scoped(Effect.andThen(metrics.ready, measureProcess(metrics.main))).pipe(
      Effect.provideService(StoreHealth, { database: () => "connected", silence_ms: () => 0 })
    )
  )
  const families = new Map<string, Described>()
  for (const { name, samples, type } of readMetrics(await metrics.text()).values()) {
    const labels = [...samples.keys()].flatMap((key) =>
      [...key.matchAll(/[{,]([a-z_]+)=/g)].map(([, label]) => label as string)
    )
    families.set(name, { type, labels: [...new Set(labels)].filter((label) => type !== "histogram" || label !== "le") })
  }
  return families
}

const dashboard = read("deploy/grafana-dashboard.json")
const alerts = read("deploy/alerts.yml")
const operations = read("docs/operations.md")

describe("docs/operations.md", () => {
  it("has each metric in its table, with its type and labels, and no other", async () => {
    const rows = [...operations.matchAll(/^\| `((?:postcode|process)_\w+)` +\| (\w+) +\| ([^|]*?) +\|/gm)]
    const documented = rows.map(([, name, type, labels = ""]) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) }
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(await exposed()))
  })

  it("has a section with instructions for each alert", () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(15)
    const chapters = [...operations.matchAll(/^### (\w+)\n\n\S.{40,}/gm)].map(([, name]) => name)
    expect([...chapters].sort()).toEqual([...names].sort())
    for (const name of names) expect(alerts).toContain(`runbook: docs/operations.md#${name.toLowerCase()}\n`)
    expect(alerts.match(/severity: (page|ticket) /g)).toHaveLength(names.length)
    expect(alerts.match(/summary: "/g)).toHaveLength(names.length)
  })
})

describe.for([
  ["the dashboard", dashboard],
  ["the alerts", alerts],
  ["the tests of the alerts", read("deploy/alerts.test.yml")]
] as const)("%s", ([, text]) => {
  it("uses only metrics and labels that the service has", async () => {
    const families = await exposed()
    const selectors = [...text.matchAll(/\b((?:postcode|process)_[a-z_]+)(?:\{((?:\\?"[^"]*"|[^}"])*)\})?/g)]
    expect(selectors.length).toBeGreaterThan(3)
    for (const [, name = "", labels = ""] of selectors) {
      const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""))
      expect({ name, known: family !== undefined }).toEqual({ name, known: true })
      expect({ name, isPart: family?.type === "histogram" }).toEqual({
        name,
        isPart: /_(bucket|sum|count)$/.test(name)
      })
      for (const [, label = ""] of labels.matchAll(/(\w+)(?:=~|!=|=)/g)) {
        if (label === "job" || label === "instance") continue
        expect({ name, label, labels: family?.labels }).toEqual({
          name,
          label,
          labels: expect.arrayContaining([label])
        })
      }
    }
  })
})

it("the dashboard asks for its data source, job and instances, and every panel has a title", () => {
  const { panels, templating } = JSON.parse(dashboard) as {
    readonly panels: ReadonlyArray<{ readonly title: string; readonly type: string; readonly id: number }>
    readonly templating: { readonly list: ReadonlyArray<{ readonly name: string }> }
  }
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "job", "instance"])
  expect(panels.every(({ title }) => title !== "")).toBe(true)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})
