/** Organizations: long lists, and the search in them. */
import { beforeAll, describe, expect, it } from "vitest"
import { button, eventually, seen, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"

const { openAs, site } = useConsole()
let operator: Person

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
})

describe("an operator", () => {
  it("searches the list of organizations, and the address contains the search", async () => {
    const page = await openAs(operator, "/organizations")
    await page.getByRole("searchbox").fill("sho")
    await button(page, "Search").click()
    await seen(page.getByRole("heading", { level: 2 })).toBe("Names with “sho”")
    expect(page.url()).toMatch(/#\/organizations\?name=/)
  })

  it("goes through a long list page by page", async () => {
    for (let i = 0; i < 21; i++) await site().manage("POST", "/organizations", { name: `Paged ${i}` })
    const page = await openAs(operator, "/organizations")
    const rows = () => page.getByRole("rowheader").count()
    await eventually(rows).toBe(20)
    await button(page, "Older").click()
    await seen(page.getByText(/^Page /)).toBe("Page 2")
    await button(page, "Newer").click()
    await seen(page.getByText(/^Page /)).toBe("Page 1")
    await eventually(rows).toBe(20)
  })
})
