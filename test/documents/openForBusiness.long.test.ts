// The tutorial docs/tutorials/open-for-business.md, as an operator goes through it: in Chromium and in a shell, on a database
// in the place of a data folder, with the mailbox of the page.
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { freePort, makeTestDatabase } from "../../drills/kit/postgres/index.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { ownEnvironment } from "./DemonstrationService.ts"
import { commandLine } from "./ExampleSession.ts"
import { openForBusiness } from "./PagesWithOwnTests.ts"
import { openWalk, type RunningProgram, type TutorialWalk } from "./TutorialWalk.ts"

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>["newPage"]>>

const password = "harmattan over kano"
const operatorToken = "the-operator-token-of-a-test-service"
let database: Awaited<ReturnType<typeof makeTestDatabase>>
let walk: TutorialWalk
let mailbox: RunningProgram
let service: RunningProgram
let url = ""

beforeAll(async () => {
  requireBuilt()
  database = await makeTestDatabase()
  const [port, smtp, operations] = [await freePort(), await freePort(), await freePort()]
  url = `http://localhost:${port}`
  walk = await openWalk(openForBusiness, ownEnvironment(), () => [
    ["127.0.0.1:3000", `127.0.0.1:${port}`],
    ["localhost:3000", `localhost:${port}`],
    ["1025", String(smtp)],
    ["9464", String(operations)],
    ["--units 20000", "--units 2000"]
  ])
  // A data folder has such secrets.
  const secret = () => randomBytes(32).toString("hex")
  Object.assign(walk.env, {
    DATABASE_URL: database.url,
    POSTCODE_OPERATOR_TOKEN: operatorToken,
    POSTCODE_IDENTIFIER_PEPPER: secret(),
    POSTCODE_SESSION_KEYS: `first:${secret()}`,
    POSTCODE_PORT: String(port),
    POSTCODE_URL: `http://127.0.0.1:${port}`,
    XDG_CONFIG_HOME: join(walk.folder, "configuration")
  })
}, 240_000)
afterAll(async () => {
  await walk?.close()
  await database?.drop()
})

/** A page of a window of its own, as a private window is. */
const newPage = async (place = ""): Promise<Page> => {
  const page = await (await (await sharedBrowser()).newContext({ reducedMotion: "reduce" })).newPage()
  await page.goto(`${url}/console/${place}`)
  return page
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const titled = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
const open = (page: Page, screen: string) =>
  page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: screen }).click()

let operator: Page
let stranger: Page

it("step 1: imports units", () => walk.follow("1"))

it("step 2: starts a mailbox", async () => {
  await walk.follow("2")
  mailbox = walk.start("mailbox.ts")
  await mailbox.waitFor(/^waiting for mail$/m)
})

it("step 3: starts the service with its decisions, whose mail server can be used", async () => {
  const settings = walk.settingsOf("3")
  expect(Object.keys(settings)).toHaveLength(12)
  Object.assign(walk.env, settings)
  service = walk.start(commandLine, "serve")
  await service.waitFor(/^ready /m)
  await expect.poll(() => metric("postcode_mail_server_usable"), { timeout: 60_000 }).toBe("1")
  await walk.follow("3", 1)
})

const metric = async (name: string): Promise<string | undefined> => {
  const response = await fetch(`http://127.0.0.1:${walk.env.POSTCODE_OPERATIONS_PORT}/metrics`)
  return new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]
}

it("step 4: opens the operator's account, and invites another operator by mail", async () => {
  const link = await service.waitFor(/http\S+#join=\w+/)
  operator = await newPage(link.slice(link.indexOf("#")))
  await operator.getByLabel("Email").fill("ngozi@example.ng")
  await operator.getByLabel("Name").fill("Ngozi Ade")
  await operator.getByLabel("Password").fill(password)
  await operator.locator("form button[type=submit]").click()
  await open(operator, "Operators")
  await button(operator, "Invite an operator").click()
  await operator.getByRole("dialog").getByLabel("Email").fill("chi@example.ng")
  await operator.getByRole("dialog").locator("button[type=submit]").click()
  await mailbox.waitFor(
    /^To: chi@example\.ng\nSubject: You are invited|^Subject: You are invited[^\n]*\nTo: chi|#join=\w+/m
  )
  // The mail may be there before the answer, and until then the dialog ignores Escape.
  await button(operator, "Done").click()
  await expect.poll(() => notices("invitation")).toBe("sent")
  await walk.follow("4")
})

const notices = async (kind: string): Promise<string | undefined> => {
  const response = await fetch(`${walk.env.POSTCODE_URL}/v1/admin/notices?kind=${kind}`, {
    headers: { authorization: `Bearer ${operatorToken}` }
  })
  return /"status":"(\w+)"/.exec(await response.text())?.[1]
}

it("step 5: a stranger signs up, gets an answer, and requests verification", async () => {
  stranger = await newPage("#/sign-up")
  await stranger.getByRole("link", { name: /terms/ }).waitFor()
  await stranger.getByLabel("Email").fill("ada@kano-parcels.example")
  await stranger.getByLabel("Password").fill(password)
  await button(stranger, "Continue").click()
  await stranger.getByText("Look into your mailbox").waitFor()
  const link = await mailbox.waitFor(/http\S+#confirm=\w+/)
  await stranger.goto("about:blank")
  await stranger.goto(link)
  await stranger.getByLabel("Your name").fill("Ada Obi")
  await stranger.getByLabel("Name of the organization").fill("Kano Parcels")
  await stranger.getByLabel("Password").fill(password)
  await button(stranger, "Open the organization").click()
  await titled(stranger, "Kano Parcels")
  await button(stranger, "Send a test request").click()
  await stranger.getByText("The service answered").waitFor()
  await stranger.getByText("this answer costs 5 credits").waitFor()
  await stranger.reload()
  await stranger.getByText("495", { exact: true }).first().waitFor()
  await open(stranger, "Verification")
  await stranger.getByLabel("Name of the business").fill("Kano Parcels Ltd")
  await stranger.getByLabel("Registration number").fill("RC 1234567")
  await button(stranger, "Request verification").click()
  walk.env.ORG = /org_\w{20}/.exec(stranger.url())?.[0]
})

it("step 6: the operators are told of the review, and decide", async () => {
  await mailbox.waitFor(/^Subject: 1 review waits$/m)
  await open(operator, "Reviews")
  await operator.getByText("RC 1234567").first().waitFor()
  await walk.follow("6")
  await mailbox.waitFor(/^Subject: Your organization is verified$/m)
})

it("step 7: sells credits", () => walk.follow("7"))

it("step 8: stops sign-ups, and takes them again", async () => {
  await walk.follow("8", 0, 1)
  const page = await newPage("#/sign-up")
  await page.getByText("has stopped sign-ups").waitFor()
  await walk.follow("8", 1)
  await page.reload()
  await page.getByLabel("Email").waitFor()
})

it("the metrics and alerts to watch exist", async () => {
  for (const name of ["postcode_reviews_waiting", "postcode_reviews_oldest_age_seconds", "postcode_mail_limited_total"])
    expect(await metric(name), name).toBeDefined()
})
