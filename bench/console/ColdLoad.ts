/** One load of a screen with an empty cache in a real browser. */
import type { launchBrowser } from "../../packages/widget/test/Browser.ts"

export type Browser = Awaited<ReturnType<typeof launchBrowser>>
type Context = Awaited<ReturnType<Browser["newContext"]>>
/** The cookie of a console session. */
export type Session = Awaited<ReturnType<Context["storageState"]>>

/** The emulated device and network. */
export interface Condition {
  /** The CPU slowdown factor. */
  readonly slowdown: number
  /** The emulated latency and bandwidth; none if undefined. */
  readonly network?: { readonly latency_ms: number; readonly bits_per_s: number }
}

export interface Visit extends Condition {
  readonly address: string
  readonly session: Session
  /** The number of table rows and chart bars of the complete screen. */
  readonly rows: number
  readonly bars: number
}

export interface ColdLoad {
  /** From the start of the navigation to the first paint. */
  readonly firstPaint_ms: number
  /** From the same start until all rows and bars are rendered. */
  readonly complete_ms: number
  /** Until then, the main thread's time in scripts, and in total. */
  readonly scripts_ms: number
  readonly tasks_ms: number
  /** Transferred bytes, without headers. */
  readonly scripts_bytes: number
  readonly styles_bytes: number
  /** The names and numbers in the rows. */
  readonly shown: string
}

export const coldLoad = async (browser: Browser, visit: Visit): Promise<ColdLoad> => {
  const context = await browser.newContext({ storageState: visit.session })
  try {
    await context.addInitScript(watch(visit))
    const page = await context.newPage()
    const tools = await context.newCDPSession(page)
    await tools.send("Performance.enable")
    await tools.send("Emulation.setCPUThrottlingRate", { rate: visit.slowdown })
    if (visit.network !== undefined) {
      const { bits_per_s, latency_ms } = visit.network
      const throughput = bits_per_s / 8
      const speeds = { latency: latency_ms, downloadThroughput: throughput, uploadThroughput: throughput }
      await tools.send("Network.emulateNetworkConditions", { offline: false, ...speeds })
    }
    await page.goto(visit.address, { waitUntil: "commit" })
    const seen = await page.evaluate<Seen>("whenComplete")
    const { metrics } = await tools.send("Performance.getMetrics")
    const metric_ms = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000
    return { ...seen, scripts_ms: metric_ms("ScriptDuration"), tasks_ms: metric_ms("TaskDuration") }
  } finally {
    await context.close()
  }
}

type Seen = Omit<ColdLoad, "scripts_ms" | "tasks_ms">

/** The timeout of a screen. */
const timeout_ms = 30_000

/** Creates `whenComplete`, a promise of the result. Both applications have the same classes and marks. */
const watch = ({ bars, rows }: Visit): string => `
globalThis.whenComplete = new Promise((resolve, reject) => {
  const firstPaint = new Promise((resolve) => new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime)
  }).observe({ type: "paint", buffered: true }))
  const count = (marks) => document.querySelectorAll(marks).length
  const bytesOf = (ending) => performance.getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(ending))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  const observer = new MutationObserver(async () => {
    if (count("main tbody tr") < ${rows} || count(${JSON.stringify(barMarks)}) < ${bars}) return
    const complete_ms = performance.now()
    observer.disconnect()
    clearTimeout(patience)
    resolve({
      complete_ms,
      firstPaint_ms: await firstPaint,
      scripts_bytes: bytesOf(".js"),
      styles_bytes: bytesOf(".css"),
      shown: [...document.querySelectorAll("main tbody :is(th, .number)")].map(({ textContent }) => textContent).join("|") +
        " and bars: " + count(${JSON.stringify(barMarks)})
    })
  })
  observer.observe(document, { childList: true, subtree: true })
  const patience = setTimeout(() => {
    observer.disconnect()
    reject(new Error("after ${timeout_ms} ms there are " + count("main tbody tr") + " rows of ${rows} and " +
      count(${JSON.stringify(barMarks)}) + " bars of ${bars}: " + document.body.innerText.slice(0, 400)))
  }, ${timeout_ms})
})`

const barMarks = '.chart :is(rect[class^="series-"], .recharts-bar-rectangle path)'
