/** Sums the metrics of several processes. */
import type { MetricSnapshot } from "@postcode/http"

/** One series for each name and labels. Unknown values (NaN) are left out. */
export const sumSnapshots = (snapshots: ReadonlyArray<MetricSnapshot>): ReadonlyArray<MetricSnapshot> => {
  const sums = new Map<string, MetricSnapshot>()
  for (const snapshot of snapshots) {
    if (snapshot.type === "Gauge" && Number.isNaN(snapshot.state.value)) continue
    const key = JSON.stringify([snapshot.id, snapshot.attributes])
    const sum = sums.get(key)
    sums.set(key, sum === undefined ? snapshot : sumOf(sum, snapshot))
  }
  return [...sums.values()]
}

const sumOf = (a: MetricSnapshot, b: MetricSnapshot): MetricSnapshot => {
  if (a.type === "Counter" && b.type === "Counter") {
    return { ...a, state: { ...a.state, count: Number(a.state.count) + Number(b.state.count) } }
  }
  if (a.type === "Gauge" && b.type === "Gauge") {
    return { ...a, state: { value: joined(a.id)(Number(a.state.value), Number(b.state.value)) } }
  }
  if (a.type !== "Histogram" || b.type !== "Histogram") return a
  const { buckets, count, sum } = b.state
  const summed = a.state.buckets.map(([bound, n], i): [number, number] => [bound, n + (buckets[i]?.[1] ?? 0)])
  return { ...a, state: { ...a.state, buckets: summed, count: a.state.count + count, sum: a.state.sum + sum } }
}

/** How the values of a gauge become one. */
const joined = (name: string): ((one: number, other: number) => number) => {
  // All processes serve the same directory. The one that is behind counts.
  if (name.startsWith("postcode_directory_")) return Math.min
  return ofInstance.has(name) ? Math.max : name === "postcode_mail_server_usable" ? Math.min : add
}

/** The same in all processes, or the worst of them counts. */
const ofInstance: ReadonlySet<string> = new Set([
  "postcode_mail_delay_seconds",
  "postcode_reviews_oldest_age_seconds",
  "postcode_reviews_waiting",
  "postcode_webhook_delay_seconds"
])

const add = (one: number, other: number): number => one + other
