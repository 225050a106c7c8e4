// The tutorial docs/tutorials/react-checkout.md, as its reader goes through it: its files, built with Vite, in a browser, against
// the demonstration.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build, preview } from "vite"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createPostcodeClient } from "../../packages/client/src/index.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { root } from "../../scripts/workspace.mjs"
import { blocksIn } from "../markdown/MarkdownBlocks.ts"
import { requireBuilt } from "../RequireBuilt.ts"
import { type DemonstrationService, ownEnvironment, startService } from "./DemonstrationService.ts"

let folder = ""
let service: DemonstrationService
let blocks: ReturnType<typeof blocksIn> = []

beforeAll(async () => {
  requireBuilt()
  folder = await mkdtemp(join(tmpdir(), "checkout-"))
  service = await startService([join(root, "packages/cli/dist/main.js")], ownEnvironment())
  blocks = blocksIn(await readFile(join(root, "docs/tutorials/react-checkout.md"), "utf8"))
  const modules = join(folder, "node_modules")
  await mkdir(join(modules, "@postcode"), { recursive: true })
  await symlink(join(root, "packages/widget"), join(modules, "@postcode/widget"))
  for (const name of ["react", "react-dom"])
    await symlink(join(root, "examples/widget-react/node_modules", name), join(modules, name))
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  await writeFile(join(folder, "index.html"), blocks.find(({ language }) => language === "html")?.text ?? "")
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The page with one of the tutorial's programs, in a browser of its own context. */
const withPage = async (program: (origin: string) => Promise<string>, act: (page: Page) => Promise<void>) => {
  const options = { root: folder, logLevel: "error", preview: { host: "127.0.0.1", port: 0 } } as const
  const server = await preview(options)
  const context = await (await sharedBrowser()).newContext()
  try {
    const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? ""
    const text = (await program(origin)).replaceAll("http://127.0.0.1:3000", service.url)
    await writeFile(join(folder, "main.tsx"), text)
    await build(options)
    const page = await context.newPage()
    await page.goto(origin)
    await act(page)
  } finally {
    await context.close()
    await server.close()
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>["newPage"]>>

const programs = () => blocks.filter(({ language, text }) => language === "tsx" && text.includes("createRoot"))
const order = (page: Page) => page.getByRole("button", { name: "Order" }).click()
/** A selection in any format. */
const ordered = { name: "Amaka", postcode: "LA-11-B03-QD-10", "postcode-status": "selected" }

const orderOf = async (page: Page) => JSON.parse((await page.locator("pre").textContent()) ?? "")

it("step 3: the page has a form", () =>
  withPage(
    async () => programs()[0]?.text ?? "",
    async (page) => {
      await page.getByLabel("Name").waitFor()
      await page.getByRole("button", { name: "Order" }).waitFor()
    }
  ))

it("step 4: an order without a postcode is not sent, and the list has the units of an area", () =>
  withPage(
    async () => programs()[1]?.text ?? "",
    async (page) => {
      await page.getByLabel("Name").fill("Amaka")
      await order(page)
      await page.getByText("Please choose a postcode.").waitFor()
      await page.getByLabel("Postcode").fill("la 11 b03 pd")
      await page.getByRole("option").filter({ hasText: "LA 11 B03 PD 01" }).click()
      await page.getByText("Selected: Ikeja, Lagos, LA 11 B03 PD 01").waitFor()
      await page.getByRole("button", { name: "Change" }).waitFor()
    }
  ))

it("step 5: the page shows the order of the tutorial", () =>
  withPage(
    async () => programs()[2]?.text ?? "",
    async (page) => {
      await page.getByLabel("Name").fill("Amaka")
      await page.getByLabel("Postcode").fill("la 11 b03 pd")
      await page.getByRole("option").filter({ hasText: "LA 11 B03 PD 01" }).click()
      await page.getByText("Deliver to LA-11-B03-PD-01.").waitFor()
      await order(page)
      const shown = blocks.find(({ text }) => text.startsWith('{"name"'))?.text ?? ""
      expect(await orderOf(page)).toEqual(JSON.parse(shown))

      await page.getByRole("button", { name: "Change" }).click()
      await page.keyboard.type("la11b03qd10")
      await page.keyboard.press("Enter")
      await page.getByText("Deliver to LA-11-B03-QD-10.").waitFor()
      await order(page)
      await expect.poll(() => orderOf(page)).toEqual(ordered)
    }
  ))

it("step 6: with a key, the field finds an address, and the saved postcodes of a customer", () =>
  withPage(
    async (origin) =>
      (programs()[2]?.text ?? "").replace(/gateway="[^"]*"/, `$& saved publishable-key="${await keyFor(origin)}"`),
    async (page) => {
      await page.getByLabel("Name").fill("Amaka")
      await page.getByLabel("Postcode").fill("12 Allen Avenue, Ikeja")
      await page.getByRole("option").filter({ hasText: "12 Allen Avenue, Ikeja, Lagos" }).click()
      await order(page)
      await page.locator("pre").waitFor()
      expect(await orderOf(page)).toEqual(ordered)

      await page.reload()
      await page.getByRole("button", { name: "Use a saved postcode" }).click()
      await page.getByLabel("NIN or email").fill("amaka@example.com")
      await page.getByRole("button", { name: "Show saved postcodes" }).click()
      await page.getByRole("option").filter({ hasText: "LA 11 B03 PD 01" }).waitFor()
    }
  ))

/** A browser key as the demonstration has one, for an origin whose port was free. */
const keyFor = async (origin: string): Promise<string> => {
  const token = service.secrets.POSTCODE_OPERATOR_TOKEN ?? ""
  const operator = createPostcodeClient({ baseUrl: service.url, token })
  const list = operator.items("GET /v1/admin/organizations")
  const { value: organization } = await list[Symbol.asyncIterator]().next()
  const { data: key } = await operator.request("POST /v1/admin/organizations/:id/keys", {
    params: { id: organization?.id ?? "" },
    body: {
      name: "checkout",
      kind: "publishable",
      environment: "test",
      scopes: ["search"],
      max_level: 2,
      origins: [origin]
    }
  })
  return key.secret
}
