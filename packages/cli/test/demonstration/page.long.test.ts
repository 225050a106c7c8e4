/** The page of the demonstration, in a real browser, from the real command. `demonstration.long.test.ts` has the rest. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { combobox, expectText, simulateFailure, useDemonstration } from "./DemonstrationPage.ts"

describe("the demonstration page", () => {
  const { open, service } = useDemonstration()

  it("has the address that the first screen prints first, and loads all its files from the service", async () => {
    expect(service().stderr()).toMatch(/^[^\n]*\n*Open http:\/\/127\.0\.0\.1:\d+ in a browser to try everything\n/m)
    const page = await open()
    const asked: Array<string> = []
    page.on("response", (response) => asked.push(`${response.status()} ${new URL(response.url()).origin}`))
    await page.reload()
    await page.locator("#where").waitFor()
    await page.waitForLoadState("networkidle")
    expect(asked.length).toBeGreaterThan(5)
    const policy = (await fetch(service().url)).headers.get("content-security-policy")
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'; trusted-types 'none'$/
    )
    expect(policy).not.toContain("unsafe")
    expect(asked.filter((answer) => !/^(200|304) /.test(answer) || !answer.endsWith(service().url))).toEqual([])
  })

  it("a test user picks a bookmark, which fills state and LGA of the order", async () => {
    const page = await open()
    await page.getByRole("button", { name: /^Amaka/ }).click()
    await page.getByRole("option", { name: /Home/ }).click()
    await expectText(page, "#sends", /^postcode=LA-11-B03-PD-01&postcode-status=selected&state=Lagos&lga=Ikeja$/)
    await expectText(page, "#log", /"source": "bookmark"/)
    await expectText(page, "#log", /POST \/v1\/widget\/session 200/)
    await expectText(page, "#log", /POST \/v1\/widget\/selected 200/)
    await page.getByLabel("Name", { exact: true }).fill("Amaka Obi")
    await page.getByRole("button", { name: "Place order" }).click()
    await expectText(page, "#log", /^submit name=Amaka Obi&postcode=LA-11-B03-PD-01/)
    await expectText(page, "#order", /Order placed.*Amaka Obi.*Ikeja.*Lagos.*LA 11 B03 PD 01/)
    await page.getByRole("button", { name: "Start again" }).click()
    await expectText(page, "#sends", /^nothing yet$/)
    await expectText(page, "#order", /^Fill in the form/)
  })

  it("an address fills the street as well", async () => {
    const page = await open()
    await combobox(page).fill("12 allen avenue ikeja")
    await page
      .getByRole("option", { name: /^12 Allen Avenue/ })
      .first()
      .click()
    await expectText(
      page,
      "#sends",
      /^postcode=LA-11-B03-QD-10&postcode-status=selected&street=12 Allen Avenue&state=Lagos&lga=Ikeja$/
    )
  })

  it("an expired token is refused, and the widget requests a new one", async () => {
    const page = await open()
    await simulateFailure(page, "401 invalid_token")
    await page.getByRole("option", { name: /Home/ }).click()
    await expectText(page, "#scene", /401 invalid_token/)
    await expectText(page, "#log", /selected 200/)
    const lines = (await page.locator("#log li").allTextContents()).filter((line) => /^\w+ \/v1\/widget/.test(line))
    expect(lines.toReversed()).toEqual([
      "POST /v1/widget/session 200",
      "GET /v1/widget/bookmarks 401 invalid_token",
      "POST /v1/widget/session 200",
      "GET /v1/widget/bookmarks 200",
      "POST /v1/widget/selected 200"
    ])
  })

  it("offline a postcode that is typed in full still counts", async () => {
    const page = await open()
    await simulateFailure(page, "offline")
    await expectText(page, "#scene", /^offline: typing/)
    await combobox(page).fill("la11b03pd01")
    await combobox(page).press("Enter")
    await expectText(page, "#sends", /^postcode=LA-11-B03-PD-01&postcode-status=selected&state=LA&lga=LA-11$/)
  })

  it("the commands of the first screen work unchanged", async () => {
    const [first = ""] = /^ {2}TOKEN=[\s\S]*?bookmarks'.*$/m.exec(service().stderr()) ?? []
    const shown = await promisify(execFile)("sh", ["-e", "-c", first])
    expect(shown.stdout).toContain('"label":"Home"')
  })
})
