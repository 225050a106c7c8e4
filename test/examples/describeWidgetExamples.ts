/** The examples with the widget, each started as a program and used in a real browser, in front of a real service. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { writeBundle } from "../../packages/widget/bundle.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { openTestService, type TestService } from "../../packages/widget/test/service/TestService.ts"
import { listening, startExample, stopped } from "./ExamplePrograms.ts"

export const describeWidgetExamples = (names: ReadonlyArray<string>): void => {
  let folder = ""
  let service: TestService
  let browser: Awaited<ReturnType<typeof sharedBrowser>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "widget-examples-"))
    ;[service, browser] = await Promise.all([openTestService(), sharedBrowser(), writeBundle(join(folder, "picker"))])
  })
  afterAll(async () => {
    await service?.close()
    await rm(folder, { recursive: true, force: true })
  })

  describe.for(names)("%s", (name) => {
    it("a postcode is picked and ordered without an error in the browser, and the program ends at SIGTERM", async () => {
      const { gateway, postcodes } = service
      const program = startExample(name, { env: settings(folder, name, gateway) })
      try {
        const page = await browser.newPage()
        const complaints: Array<string> = []
        page.on("pageerror", (error) => complaints.push(String(error)))
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
        await page.goto(await listening(program))

        const order = page.getByRole("button", { name: "Order" })
        await order.click()
        await page.getByText("Please choose a postcode.").waitFor()

        const [postcode] = postcodes
        await page.getByLabel("Postcode").fill(postcode.slice(0, -"-07".length))
        await page
          .getByRole("option")
          .filter({ hasText: postcode.replaceAll("-", " ") })
          .click()
        await page.getByText(`Picked ${postcode}.`).waitFor()
        await order.click()
        await page.getByText(`Ordered: postcode=${postcode}`).waitFor()
        expect(complaints).toEqual([])
        expect(await stopped(program)).toBe(0)
        await page.close()
      } finally {
        program.kill("SIGKILL")
      }
    })

    it("reports the service's error", async () => {
      const program = startExample(name, { env: settings(folder, name, "http://127.0.0.1:9") })
      try {
        const page = await browser.newPage()
        await page.goto(await listening(program))
        await page.getByLabel("Postcode").fill("la")
        await page.getByText("The postcode service").waitFor()
        await page.close()
      } finally {
        program.kill("SIGKILL")
      }
    })
  })
}

/** What the programs take from their environment. */
const settings = (folder: string, name: string, gateway: string): NodeJS.ProcessEnv => ({
  PORT: "0",
  GATEWAY: gateway,
  PICKER: join(folder, "picker"),
  OUT_DIR: join(folder, name)
})
