/** What is written about the metrics, and what is built on them, is about metrics that the service has. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { makeFixture, readMetrics } from "@postcode/http/testing"
import { describe, expect, it } from "vitest"
import { ServiceMetrics } from "../../src/telemetry/ServiceMetrics.ts"
import { threadFamilyBlocks } from "../../src/telemetry/ThreadMetrics.ts"

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8")

interface Described {
  readonly type: string
  readonly labels: ReadonlyArray<string>
}

/** Every family that the service can have, with its labels. */
const exposed = (): ReadonlyMap<string, Described> => {
  const families = new Map<string, Described>()
  for (const { byThread = false, dimensions = [], name, type } of threadFamilyBlocks) {
    const labels = dimensions.flatMap((dimension) => [...new Set(dimension.flatMap((values) => Object.keys(values)))])
    families.set(name, { type, labels: [...(byThread ? ["thread"] : []), ...labels] })
  }
  const metrics = new ServiceMetrics()
  const directory = Object.create(makeFixture().directory, { date: { value: "2026-01-31" } })
  metrics.follow({ get: () => directory, currentSince: () => "2026-01-31T00:00:00.000Z" }, 10)
  for (const { name, samples, type } of readMetrics(metrics.text(true)).values()) {
    const labels = [...samples.keys()].flatMap((key) =>
      [...key.matchAll(/[{,]([a-z_]+)=/g)].map(([, label]) => label as string)
    )
    if (!families.has(name)) families.set(name, { type, labels: [...new Set(labels)] })
  }
  return families
}

const dashboard = read("deploy/grafana-dashboard.json")
const alerts = read("deploy/alerts.yml")
const operations = read("docs/operations.md")

describe("docs/operations.md", () => {
  it("has each metric in its table, with its type and labels, and no other", () => {
    const rows = [...operations.matchAll(/^\| `((?:postcode|process)_\w+)` +\| (\w+) +\| ([^|]*?) +\|/gm)]
    const documented = rows.map(([, name, type, labels = ""]) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label) }
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(exposed()))
  })

  it("says what to do of each alert", () => {
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
  it("is about metrics that the service has, under labels that they have", () => {
    const families = exposed()
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
