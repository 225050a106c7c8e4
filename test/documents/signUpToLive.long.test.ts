// The tutorial docs/tutorials/sign-up-to-live.md, as its reader goes through it: in Chromium and in a shell, against the
// demonstration.
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freePort } from "../../drills/kit/postgres/index.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { ownEnvironment } from "./DemonstrationService.ts"
import { commandLine } from "./ExampleSession.ts"
import { signUpToLive } from "./PagesWithOwnTests.ts"
import { openWalk, type RunningProgram, type TutorialWalk } from "./TutorialWalk.ts"

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>["newPage"]>>

const password = "harmattan over kano"
let walk: TutorialWalk
let service: RunningProgram
let hooks: RunningProgram
let page: Page
let url = ""
/** In the browser, so far. */
let clicks = 0

beforeAll(async () => {
  requireBuilt()
  const hooksPort = String(await freePort())
  walk = await openWalk(signUpToLive, ownEnvironment(), () => [
    ["http://127.0.0.1:3000", url],
    ["4000", hooksPort]
  ])
  Object.assign(walk.env, { XDG_CONFIG_HOME: join(walk.folder, "configuration"), HOOKS_PORT: hooksPort })
  service = walk.start(commandLine, "serve", "--port", "0")
  url = (await service.waitFor(/^ready \S+$/m)).slice("ready ".length)
  walk.env.POSTCODE_URL = url
  const context = await (await sharedBrowser()).newContext({ reducedMotion: "reduce" })
  await context.exposeFunction("onClick", () => clicks++)
  await context.addInitScript({ content: `addEventListener("pointerdown", () => onClick(), true)` })
  page = await context.newPage()
}, 240_000)
afterAll(async () => {
  await page?.context().close()
  await walk?.close()
})

const button = (name: string) => page.getByRole("button", { name, exact: true })
const dialog = () => page.getByRole("dialog")
const titled = (name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
const open = async (screen: string) => {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: screen, exact: true }).click()
}

/** Fills in the form of a new key, and returns the key. */
const createKey = async (name: string, level: string, fill: () => Promise<void>): Promise<string> => {
  await open("Keys")
  await page.getByRole("link", { name: "Create key" }).click()
  await page.getByLabel("Name", { exact: true }).fill(name)
  await fill()
  await page.getByLabel(level).check()
  await button("Create key").click()
  await dialog()
    .getByText(/svc_(test|live)_\w{38}/)
    .first()
    .waitFor()
  const [key = ""] = /svc_(test|live)_\w{38}/.exec((await dialog().textContent()) ?? "") ?? []
  await dialog().getByRole("button", { name: "Copy the line" }).click()
  await dialog().getByRole("button", { name: "I have stored it" }).click()
  await titled(name)
  return key
}

it("step 2: signs up, and gets a first answer", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.goto(`${url}/console/`)
  await page.getByRole("link", { name: "Create one" }).click()
  await page.getByLabel("Email").fill("ada@kano-parcels.example")
  await page.getByLabel("Password").fill(password)
  await button("Continue").click()
  await page.getByText("Look into your mailbox").waitFor()
  const link = await service.waitFor(/http\S+#confirm=\w+/)
  await page.goto("about:blank")
  await page.goto(link)
  await titled("Open your organization")
  await page.getByLabel("Your name").fill("Ada Obi")
  await page.getByLabel("Name of the organization").fill("Kano Parcels")
  await page.getByLabel("Password").fill(password)
  await button("Open the organization").click()
  await titled("Kano Parcels")
  await page.getByRole("region", { name: "Setup" }).waitFor()
  await button("Send a test request").click()
  await page.getByText("The service answered").waitFor()
  await page
    .getByText(/\bZZ-01-AAA-AA-01\b/)
    .first()
    .waitFor()
  // Besides the link in the mail.
  expect(clicks).toBe(4)
})

it("step 3: creates a test key, and looks up postcodes", async () => {
  walk.env.POSTCODE_KEY = await createKey("orders", "Level 4", async () => {})
  expect(clicks).toBe(10)
  await walk.follow("3")
})

it("step 4: calls the service from a program", () => walk.follow("4"))

it("step 5: receives webhooks, and a warning of a low balance", async () => {
  await walk.follow("5")
  await open("Webhooks")
  await button("Add a webhook").click()
  await dialog().getByLabel("Address").fill(`http://127.0.0.1:${walk.env.HOOKS_PORT}/hooks`)
  await dialog().getByRole("button", { name: "Add", exact: true }).click()
  await dialog()
    .getByText(/whsec_/)
    .first()
    .waitFor()
  const [secret = ""] = /whsec_[\w+/=]+/.exec((await dialog().textContent()) ?? "") ?? []
  walk.env.WEBHOOK_SECRET = secret
  await dialog().getByRole("button", { name: /^Copy/ }).first().click()
  await dialog().getByRole("button", { name: "I have stored it" }).click()
  hooks = walk.start("hooks.ts")
  await hooks.waitFor(/^waiting for webhooks$/m)
  await page.getByRole("link", { name: `http://127.0.0.1:${walk.env.HOOKS_PORT}/hooks` }).click()
  await button("Send a test").click()
  await hooks.waitFor(/^webhook\.test \{"organization_id":"org_\w+"\}$/m)
  await open("Credits")
  await button("Threshold of test credits").click()
  await dialog().getByRole("spinbutton").fill("1000")
  await dialog().getByRole("button", { name: "Save", exact: true }).click()
  await hooks.waitFor(/^credits\.low /m)
  await service.waitFor(/^Subject: Low balance: \d+ test credits$/m)
})

it("step 6: requests verification and a level", async () => {
  await open("Verification")
  await page.getByLabel("Name of the business").fill("Kano Parcels Ltd")
  await page.getByLabel("Registration number").fill("RC 1234567")
  await button("Request verification").click()
  await page
    .getByText(/An operator reviews/)
    .first()
    .waitFor()
  await button("Request a higher level").first().click()
  await dialog().getByLabel("Level 2").check()
  await dialog()
    .getByLabel(/Reason/)
    .fill("Labels of parcels show the address.")
  await dialog().getByRole("button", { name: "Request level" }).click()
})

it("step 7: the operator decides, and grants credits", async () => {
  const [, token] = /^ {2}operator +(\S+)/m.exec(service.output()) ?? []
  walk.env.POSTCODE_OPERATOR_TOKEN = token
  await open("Overview")
  const [id = ""] = /org_\w{20}/.exec(page.url()) ?? []
  walk.env.ORG = id
  await walk.follow("7", 1, 3)
  walk.env.REQUEST = await pendingRequest(token ?? "")
  await walk.follow("7", 3)
  await hooks.waitFor(/^organization\.verification_decided .*"verified"/m)
  await hooks.waitFor(/^access_request\.decided .*"approved"/m)
  await service.waitFor(/^Subject: Your organization is verified$/m)
  await service.waitFor(/^Subject: Level 2 is granted$/m)
})

const pendingRequest = async (token: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/v1/admin/access-requests?status=pending`, { headers })
  return /acr_\w+/.exec(await response.text())?.[0] ?? ""
}

it("step 8: goes live", async () => {
  walk.env.LIVE_KEY = await createKey("orders live", "Level 2", async () => {
    await page.getByRole("main").getByLabel("Live", { exact: true }).check()
    await page.getByLabel(/^Allowed IP addresses/).fill("127.0.0.1")
  })
  await walk.follow("8")
})
