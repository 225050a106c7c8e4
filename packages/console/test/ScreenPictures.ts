/** Pictures of every screen of the console. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { Browser, Page, Request } from "playwright-core"
import { launchBrowser } from "../../widget/test/Browser.ts"
import { entrancePictures } from "./account/EntrancePictures.ts"
import { type ConsoleSite, openConsoleSite, type Person, password } from "./ConsoleSite.ts"
import { importPictures } from "./directory/ImportPictures.ts"
import { makeKey } from "./keys/ApiKeys.ts"
import { daysEarlier, sendTraffic } from "./usage/traffic.ts"

/** What all pictures show. */
interface Scene {
  readonly site: ConsoleSite
  /** How far the clock of the service is ahead: that of the page has to be as far. */
  readonly ahead: { readonly s: number }
  readonly organization: string
  /** The token of one. */
  readonly invitation: string
  readonly operator: Person
  readonly owner: Person
  readonly webhook: string
  /** An organization in which nothing was done yet. */
  readonly other: string
}

const setScene = async (): Promise<Scene> => {
  const opened = await openConsoleSite(undefined, true)
  const ahead = { s: 0 }
  const site: ConsoleSite = {
    ...opened,
    pass_s: (seconds) => {
      ahead.s += seconds
      opened.pass_s(seconds)
    }
  }
  const { operator, organization, owner } = await daysEarlier(site, days + 1, () => openAccounts(site))
  await sendTraffic(site, organization, days, 6)
  await importEditions(site)
  await askForReviews(site, organization)
  const other = await site.newOrganization("Benue Couriers")
  const { token: invitation } = await site.manage<{ readonly token: string }>(
    "POST",
    `/organizations/${organization}/invitations`,
    { role: "billing", email: "chi.okafor@people.example" }
  )
  const origins = ["https://shop.example", "https://www.shop.example"]
  await makeKey(site, organization, { name: "web shop", kind: "publishable", origins })
  // It has about 160 credits left, which are a week's.
  await site.manage("PUT", `/organizations/${organization}/credits/threshold`, { environment: "test", threshold: 200 })
  const hook = { url: "https://example.com/hooks/credits", description: "Finance channel" }
  const { id: webhook } = await site.manage<{ readonly id: string }>(
    "POST",
    `/organizations/${organization}/webhooks`,
    hook
  )
  return { site, ahead, organization, other, invitation, operator, owner, webhook }
}

/** For how long the organization has sent requests. */
const days = 40

/** The organization of the pictures with its people, and others: all are older than what they do. */
const openAccounts = async (site: ConsoleSite) => {
  const organization = await site.newOrganization("Harmattan Logistics")
  for (const name of [
    "Delta Water Works",
    "Ọ̀ṣun Pharmacies",
    "A very long name of an organization that goes on and on"
  ]) {
    await site.newOrganization(name)
  }
  const business = { business_name: "Harmattan Logistics Ltd", registration_number: "RC 7654321" }
  await site.manage("POST", `/organizations/${organization}/kyb`, business)
  const review = { granted_level: 3, kyb_status: "verified", review_note: "papers seen" }
  await site.manage("PATCH", `/organizations/${organization}`, review)
  const operator = await site.newPerson("Ngozi Eze", "operator")
  const owner = await site.newPerson("Ada Obi", "owner", organization)
  await site.newPerson("Bisi Adeyemi", "developer", organization)
  return { operator, organization, owner }
}

/** The second edition was cut off and reverted, and the third is the current directory. */
const importEditions = async (site: ConsoleSite): Promise<void> => {
  const { note } = site
  const current = await site.manage<CurrentDirectory>("GET", "/directory")
  const units = current.active_units + current.retired_units
  const none = { added: 0, moved: 0, retired: 0, reactivated: 0, removed: 0, bad_rows: 0 }
  const noChanges = { contained: 0, kept: 0, dropped: 0, superseded: 0 }
  const first = { version: "2026-1", date: "2026-01-31", units: units - 12, active_units: current.active_units - 9 }
  await daysEarlier(site, 5, () => note("directory.imported", "1", { ...first, ...none, added: first.units }))
  const cut = { version: "2026-2", date: "2026-06-30", units: 8_761, active_units: 8_377 }
  const difference = { ...none, added: 5, moved: 14, retired: 1, removed: first.units + 5 - cut.units }
  await daysEarlier(site, 4, () =>
    note("directory.imported", "2", { ...cut, ...difference, ...noChanges, superseded: 214 })
  )
  const back = { version: first.version, date: first.date, left_edition: 2, left_version: cut.version }
  await daysEarlier(site, 3, () => note("directory.reverted", "1", back))
  const third = { version: current.version, date: current.date, units, active_units: current.active_units }
  const changes = { contained: 180, kept: 31, dropped: 0, superseded: 3 }
  await daysEarlier(site, 2, () =>
    note("directory.imported", "3", { ...third, ...none, added: 12, moved: 31, retired: 3, ...changes })
  )
}

interface CurrentDirectory {
  readonly version: string
  readonly date: string
  readonly active_units: number
  readonly retired_units: number
}

/** Two businesses and a level wait, the last one of an organization that was rejected once. */
const askForReviews = async (site: ConsoleSite, organization: string): Promise<void> => {
  const business = { business_name: "Delta Water Works Ltd", registration_number: "RC 1234567", note: "Since 1998." }
  const submit = async (name: string) => {
    const id = await site.newOrganization(name)
    await site.manage("POST", `/organizations/${id}/kyb`, business)
  }
  await daysEarlier(site, 3, () => submit("Kano Bakeries"))
  await daysEarlier(site, 2, () => submit("Zaria Sẹ́rù Courier and Parcel Services of the North"))
  const requests = `/organizations/${organization}/access-requests`
  await daysEarlier(site, 1, async () => {
    const { id } = await site.manage<{ readonly id: string }>("POST", requests, { level: 5, reason: "To see them." })
    const decision = { decision: "rejected", note: "Say what the coordinates are needed for." }
    await site.manage("POST", `/access-requests/${id}/decision`, decision)
  })
  await site.manage("POST", requests, { level: 4, reason: "Drivers look for the delivery point of large buildings." })
  const bookmarks = [
    { postcode: "LA-11-B03-PD-01", label: "Home" },
    { postcode: "LA-12-A03-BG-07", label: "Work, back door" }
  ]
  await site.manage("PUT", "/end-users", { identifiers: ["amaka@example.com", "61029384756"], bookmarks })
}

interface Picture {
  readonly name: string
  /** The account that is signed in; by default none. */
  readonly as?: "operator" | "owner"
  readonly place: string | ((scene: Scene) => string)
  readonly act?: (page: Page, scene: Scene) => Promise<unknown>
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click()
const isNarrow = (page: Page): boolean => page.viewportSize()?.width === 360
/** Where there is room, it is there. */
const openNavigation = async (page: Page): Promise<void> => {
  if (isNarrow(page)) await press(page, "Navigation")
}
const members = ({ organization }: Scene) => `/organizations/${organization}/members`

const at =
  (path: string) =>
  ({ organization }: Scene) =>
    `/organizations/${organization}/${path}`

/** `2026-01-31` */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** As after a receiver was down for a while. */
const showDeliveries = async (page: Page, { ahead }: Scene) => {
  const now_ms = Date.now() + ahead.s * 1000
  const momentIn = (seconds: number) => new Date(now_ms + seconds * 1000).toISOString()
  const delivery = { event: "credits.low", attempts: 1, created_at: momentIn(-600), last_attempt_at: momentIn(-590) }
  const deliveries = [
    {
      ...delivery,
      id: "dlv_3",
      event_id: "msg_1VlKwaCODjEgDBYHt4zf",
      status: "pending",
      fault: "the connection was refused",
      next_attempt_at: momentIn(240)
    },
    { ...delivery, id: "dlv_2", event_id: "msg_2VlKwaCODjEgDBYHt4zf", status: "failed", attempts: 9, last_status: 500 },
    {
      ...delivery,
      id: "dlv_1",
      event_id: "msg_3VlKwaCODjEgDBYHt4zf",
      event: "webhook.test",
      status: "delivered",
      last_status: 204
    }
  ]
  await page.route("**/deliveries*", (route) => route.fulfill({ json: { data: { deliveries, next_cursor: null } } }))
  await press(page, "Refresh")
  await page.getByText("Failed").waitFor()
}

const openKey = async (page: Page) => {
  await page.getByRole("link", { name: "checkout" }).click()
  await page.getByRole("heading", { name: "Responses" }).waitFor()
}

/** Button, button of the dialog, reason. */
const unitChanges = [
  ["Retire", "Retire unit", "demolished"],
  ["Reactivate", "Reactivate unit", "another house was meant"],
  ["Retire", "Retire unit", "demolished"]
] as const

const pictures: ReadonlyArray<Picture> = [
  { name: "01-sign-in", place: "/" },
  {
    name: "02-sign-in-wrong",
    place: "/",
    act: async (page) => {
      await page.getByLabel("Email").fill("ada@people.example")
      await page.getByLabel("Password").fill("not the password")
      await press(page, "Sign in")
      await page.getByRole("alert").waitFor()
    }
  },
  { name: "03-join", place: ({ invitation }) => `join=${invitation}` },
  { name: "04-join-wrong", place: `join=${"A".repeat(43)}` },
  { name: "05-overview", as: "owner", place: ({ organization }) => `/organizations/${organization}` },
  { name: "06-members", as: "owner", place: members },
  { name: "07-invite", as: "owner", place: members, act: (page) => press(page, "Invite a member") },
  {
    name: "08-invitation-mailed",
    as: "owner",
    place: members,
    act: async (page) => {
      await press(page, "Invite a member")
      await page.getByRole("dialog").getByLabel("Email").fill("chi.okafor@people.example")
      await press(page, "Create invitation")
      await page.getByText("The invitation is on its way").waitFor()
    }
  },
  { name: "09-remove", as: "owner", place: members, act: (page) => press(page, "Remove Bisi Adeyemi") },
  { name: "10-organizations", as: "operator", place: "/organizations" },
  {
    name: "11-new-organization",
    as: "operator",
    place: "/organizations",
    act: (page) => press(page, "Create organization")
  },
  { name: "12-operators", as: "operator", place: "/operators" },
  { name: "13-account", as: "operator", place: "/account" },
  { name: "14-not-found", as: "operator", place: "/nowhere" },
  {
    name: "15-navigation",
    as: "operator",
    place: ({ organization }) => `/organizations/${organization}`,
    act: openNavigation
  },
  {
    name: "16-switch",
    as: "operator",
    place: ({ organization }) => `/organizations/${organization}`,
    act: async (page) => {
      await openNavigation(page)
      await press(page, /select another organization/)
      await page.getByText("Delta Water Works").first().waitFor()
    }
  },
  {
    name: "17-session-ended",
    as: "owner",
    place: "/account",
    act: async (page) => {
      await page.context().clearCookies()
      await page.getByLabel("Name", { exact: true }).fill("Ada O.")
      await press(page, "Save name")
      await page.getByText("Your session has ended").waitFor()
    }
  },
  { name: "20-usage", as: "owner", place: at("usage") },
  {
    name: "21-usage-by-key",
    as: "owner",
    place: at("usage?by=key&period=90"),
    act: async (page) => {
      await page.getByText("Day by day").first().click()
    }
  },
  {
    name: "22-usage-other-days",
    as: "owner",
    place: at(`usage?by=status&period=own&from=${daysAgo(12)}&to=${daysAgo(6)}`)
  },
  {
    name: "23-usage-none",
    as: "owner",
    place: at("usage"),
    act: async (page) => {
      await openNavigation(page)
      await page.getByText("Live", { exact: true }).first().click()
      if (isNarrow(page)) await page.keyboard.press("Escape")
    }
  },
  { name: "24-credits", as: "owner", place: at("credits") },
  { name: "25-grant", as: "operator", place: at("credits"), act: (page) => press(page, "Grant live credits") },
  { name: "26-threshold", as: "owner", place: at("credits"), act: (page) => press(page, "Threshold of live credits") },
  {
    name: "27-ledger-of-a-request",
    as: "owner",
    place: at("credits"),
    act: (page) => page.locator("table a code").first().click()
  },
  { name: "28-webhooks", as: "owner", place: at("webhooks") },
  { name: "29-webhooks-none", as: "operator", place: ({ other }) => `/organizations/${other}/webhooks` },
  {
    name: "30-webhook-secret",
    as: "owner",
    place: at("webhooks"),
    act: async (page) => {
      await press(page, "Add a webhook")
      await page.getByLabel("Address").fill("https://example.com/more")
      await press(page, /^Add$/)
      await page.getByText("shown only once").waitFor()
      await press(page, "I have stored it")
    }
  },
  {
    name: "31-webhook",
    as: "owner",
    place: (scene) => at(`webhooks/${scene.webhook}`)(scene),
    act: showDeliveries
  },
  { name: "32-audit", as: "owner", place: at("audit") },
  {
    name: "33-audit-of-the-instance",
    as: "operator",
    place: "/audit?action=key.created,organization.created,organization.updated"
  },
  { name: "34-audit-none", as: "owner", place: at("audit?subject=key_0") },
  { name: "39-overview-new", as: "operator", place: ({ other }) => `/organizations/${other}` },
  { name: "40-keys", as: "owner", place: at("keys") },
  { name: "41-keys-none", as: "operator", place: ({ other }) => `/organizations/${other}/keys` },
  { name: "42-new-key", as: "owner", place: at("keys/new?kind=publishable&origin=https://Shop.example/") },
  {
    name: "43-secret",
    as: "owner",
    place: at("keys/new"),
    act: async (page) => {
      await page.getByLabel("Name", { exact: true }).fill("kiosk")
      await press(page, "Create key")
      await page.getByText("shown only once").waitFor()
      await press(page, "I have stored it")
    }
  },
  { name: "44-key", as: "owner", place: at("keys"), act: openKey },
  {
    name: "45-rotate",
    as: "owner",
    place: at("keys"),
    act: async (page) => {
      await openKey(page)
      await press(page, "Rotate")
    }
  },
  {
    name: "46-revoke",
    as: "owner",
    place: at("keys"),
    act: async (page) => {
      await openKey(page)
      await press(page, "Revoke")
      await page.getByText("This key is in use").waitFor()
    }
  },
  { name: "47-origins", as: "owner", place: at("keys/origins?page=http%3A%2F%2Fshop.example%2F") },
  {
    name: "48-try",
    as: "owner",
    place: at("try"),
    act: async (page) => {
      await press(page, "Create a test key for one hour")
      await page.getByText("filled in").waitFor()
      await press(page, "Send")
      await page.getByText("Status 200").waitFor()
    }
  },
  { name: "49-instance", as: "operator", place: "/instance" },
  { name: "50-verification", as: "owner", place: at("verification") },
  { name: "51-verification-new", as: "operator", place: ({ other }) => `/organizations/${other}/verification` },
  {
    name: "52-ask-level",
    as: "owner",
    place: at("verification"),
    act: (page) => press(page, "Request a higher level")
  },
  { name: "53-reviews", as: "operator", place: "/reviews" },
  {
    name: "53-reviews-decision",
    as: "operator",
    place: "/reviews",
    act: (page) => page.getByLabel("Reject the verification").check()
  },
  {
    name: "53-reviews-none-selected",
    as: "operator",
    place: "/reviews",
    act: (page) => press(page, "Select a decision")
  },
  { name: "54-manage", as: "operator", place: at("manage") },
  { name: "55-directory", as: "operator", place: "/directory?q=LA-11" },
  {
    name: "56-directory-place",
    as: "owner",
    place: "/directory?tab=place&lat=6.5984&lon=3.3398",
    act: async (page) => {
      await page
        .getByRole("button", { name: /^LA 11 B05/ })
        .last()
        .click()
    }
  },
  {
    name: "57-directory-address",
    as: "owner",
    place: "/directory?tab=address",
    act: async (page, { organization, site }) => {
      const { secret } = await makeKey(site, organization, { name: "addresses", scopes: ["search"] })
      await page.getByRole("searchbox").fill("Allen Avenue, Ikeja")
      await page.getByLabel("Test key").fill(secret)
      await press(page, "Find")
      await page.getByText("Confidence").waitFor()
    }
  },
  {
    name: "57-unit",
    as: "operator",
    place: "/directory/units/LA11B03RD28",
    act: async (page) => {
      for (const [open, submit, reason] of unitChanges) {
        await press(page, open)
        await page.getByRole("dialog").getByLabel("Reason").fill(reason)
        await press(page, submit)
        await page.getByRole("dialog").waitFor({ state: "detached" })
      }
      await page.getByText("demolished").first().waitFor()
    }
  },
  {
    name: "57-unit-change",
    as: "operator",
    place: "/directory/units/LA11B03RD27",
    act: (page) => press(page, "Replace")
  },
  ...Object.entries(importPictures).map(([name, act]) => ({
    name: `57-import-${name}`,
    as: "operator" as const,
    place: "/directory/import",
    act
  })),
  { name: "58-directory-nothing", as: "owner", place: "/directory?tab=place&lat=5&lon=1&find=nearest" },
  {
    name: "59-end-user",
    as: "operator",
    place: "/end-users",
    act: async (page) => {
      await page.getByLabel("Identifier").fill("amaka@example.com")
      await press(page, "Find")
      await page.getByText("Work, back door").waitFor()
    }
  },
  ...Object.entries(entrancePictures).map(([name, picture]) => ({ name: `60-${name}`, ...picture }))
]

export interface TakeOptions {
  readonly folder: string
  /** A pattern of the names of pictures. */
  readonly part: RegExp
  readonly widths: ReadonlyArray<number>
  readonly schemes: ReadonlyArray<"dark" | "light">
}

/** Takes the pictures, and returns the paths of their files. */
export const takePictures = async ({ folder, part, schemes, widths }: TakeOptions): Promise<ReadonlyArray<string>> => {
  await mkdir(folder, { recursive: true })
  const browser = await launchBrowser()
  const files: Array<string> = []
  try {
    for (const width of widths) {
      // Pictures change the scene, so each round has one of its own.
      for (const colorScheme of schemes) {
        const scene = await setScene()
        try {
          for (const picture of pictures.filter(({ name }) => part.test(name))) {
            const file = join(folder, `${picture.name}-${width}-${colorScheme}.png`)
            await take(browser, scene, picture, { colorScheme, width, file })
            files.push(file)
          }
        } finally {
          await scene.site.close()
        }
      }
    }
  } finally {
    await browser.close()
  }
  return files
}

/**
 * Waits until a screen is complete: nothing is marked as loading, and no request was sent for 300 ms. `networkidle` is
 * no measure of it: a document reaches it once, which is before the sign-in.
 *
 * @throws after 30 seconds
 */
const settling = (page: Page): (() => Promise<void>) => {
  const pending = new Set<Request>()
  let since_ms = Date.now()
  const end = (request: Request) => {
    pending.delete(request)
    since_ms = Date.now()
  }
  page.on("request", (request) => pending.add(request))
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  return async () => {
    since_ms = Date.now()
    const until_ms = since_ms + 30_000
    for (;;) {
      const loading = await page.locator(".loading, [aria-busy=true]").count()
      if (loading === 0 && pending.size === 0 && Date.now() - since_ms >= 300) return
      if (Date.now() > until_ms) throw new Error(`${loading} parts and ${pending.size} requests are still loading`)
      await pause(25)
    }
  }
}

/** Makes the window as high as the page, so that what sticks to it is at its place, unless something lies over it. */
const showAll = async (page: Page): Promise<void> => {
  if ((await page.locator(":modal, aside:popover-open").count()) > 0) return
  const { height = 0, width = 0 } = page.viewportSize() ?? {}
  const all = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, all) })
  await page.evaluate(() => scrollTo(0, 0))
}

interface Shot {
  readonly colorScheme: "dark" | "light"
  readonly width: number
  readonly file: string
}

const take = async (
  browser: Browser,
  scene: Scene,
  { act, as, name, place }: Picture,
  { colorScheme, file, width }: Shot
): Promise<void> => {
  scene.site.pass_s(61)
  const viewport = { width, height: width === 360 ? 740 : 800 }
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce" })
  try {
    await context.addInitScript((ahead_ms) => {
      const now_ms = Date.now
      Date.now = () => now_ms() + ahead_ms
    }, scene.ahead.s * 1000)
    const page = await context.newPage()
    const settled = settling(page)
    await page.goto(`${scene.site.origin}/console/#${typeof place === "string" ? place : place(scene)}`)
    if (as !== undefined) {
      await page.getByLabel("Email").fill(scene[as].email)
      await page.getByLabel("Password").fill(password)
      await press(page, "Sign in")
    }
    // The sign-in form has a title, too.
    await page.locator(as === undefined ? "main h1" : ".frame main h1").waitFor()
    await settled()
    await act?.(page, scene)
    await settled()
    await showAll(page)
    await page.screenshot({ path: file })
  } catch (error) {
    throw new Error(`${name} at ${width}, ${colorScheme}: ${String(error)}`)
  } finally {
    await context.close()
  }
}
