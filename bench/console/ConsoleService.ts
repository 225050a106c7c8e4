/** The service with the console and the React screens, and an organization with data. */
import { type ConsoleSite, openConsoleSite, password } from "../../packages/console/test/ConsoleSite.ts"
import { sendTraffic } from "../../packages/console/test/usage/traffic.ts"
import { bundleReact, reactPath } from "./bundleReact.ts"
import type { Browser, Session, Visit } from "./ColdLoad.ts"

/** A screen that both applications have. */
export interface ComparedScreen extends Pick<Visit, "bars" | "rows"> {
  readonly name: string
  /** The address in each application. */
  readonly own: string
  readonly react: string
}

export interface ConsoleService {
  readonly screens: ReadonlyArray<ComparedScreen>
  /** Signs a member in, as a new browser. */
  readonly signIn: (browser: Browser) => Promise<Session>
  readonly close: () => Promise<void>
}

export const openConsoleService = async (): Promise<ConsoleService> => {
  const site = await openConsoleSite(bundleReact)
  try {
    const { id } = await site.manage<{ readonly id: string }>("POST", "/organizations", { name: "Lagos Shop" })
    await site.manage("PATCH", `/organizations/${id}`, { granted_level: 3 })
    await sendTraffic(site, id, days)
    for (let i = 3; i <= keys; i++) await newKey(site, id, `worker ${i}`)
    const { email } = await site.newPerson("Ada Obi", "owner", id)
    return {
      screens: screensOf(site.origin, id),
      signIn: (browser) => signIn(browser, site.origin, email),
      close: site.close
    }
  } catch (error) {
    await site.close()
    throw error
  }
}

const days = 30
const keys = 20

const newKey = ({ manage }: ConsoleSite, organization: string, name: string): Promise<unknown> =>
  manage("POST", `/organizations/${organization}/keys`, {
    name,
    kind: "secret",
    environment: "test",
    scopes: ["lookup"],
    max_level: 2,
    daily_credit_limit: 5_000
  })

/** Each day has requests of two operations, of which one costs credits. */
const screensOf = (origin: string, organization: string): ReadonlyArray<ComparedScreen> => {
  const [from, to] = [days - 1, 0].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
  const places = [
    { name: "keys", place: "keys", rows: keys, bars: 0 },
    {
      name: "usage",
      place: `usage?period=own&from=${from}&to=${to}`,
      rows: 2 + days + 1 + days,
      bars: 2 * days + days
    }
  ]
  return places.map(({ place, ...screen }) => {
    const address = (path: string) => `${origin}${path}#/organizations/${organization}/${place}`
    return { ...screen, own: address("/console/"), react: address(reactPath) }
  })
}

const signIn = async (browser: Browser, origin: string, email: string): Promise<Session> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${origin}/console/`)
    const body = JSON.stringify({ email, password })
    const init = JSON.stringify({ method: "POST", headers: { "content-type": "application/json" }, body })
    const status = await page.evaluate<number>(
      `fetch("/v1/admin/account/sign-in", ${init}).then(({ status }) => status)`
    )
    if (status !== 200) throw new Error(`signing in was answered ${status}`)
    return await context.storageState()
  } finally {
    await context.close()
  }
}
