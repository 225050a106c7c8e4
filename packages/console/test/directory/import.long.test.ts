/** Imports in the console, with the files that operators have: the check, the mapping, decisions, cancelling, two operators. */
import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { announced, button, dialog, eventually, loaded, section, seen, title } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { useShop } from "../ShopScene.ts"
import {
  badRowsFile,
  emptyFile,
  exchangedFile,
  type File,
  germanExcelFile,
  pdfFile,
  placesFile,
  truncatedFile,
  unitsFile,
  utf16File
} from "./ImportFiles.ts"

const { openAs, site } = useShop()

interface Current {
  readonly import: { readonly id: string; readonly phase: string } | null
}

const current = async () => (await site().manage<Current>("GET", "/directory/import")).import
const version = async () => (await site().manage<{ readonly version: string }>("GET", "/directory")).version

beforeEach(async () => {
  const open = await current()
  if (open !== null) await site().manage("DELETE", `/directory/import/${open.id}`)
})

const choose = async (page: Page, units: File, places = placesFile): Promise<void> => {
  await page.getByLabel("Places").setInputFiles(places)
  await page.getByLabel("Units", { exact: true }).setInputFiles(units)
}

const upload = async (page: Page, units: File, places = placesFile): Promise<void> => {
  await choose(page, units, places)
  await button(page, "Upload and check").click()
}

const open = (who: Person | "operator" = "operator") => openAs(who, "/directory/import")

const reading = (page: Page) => section(page, "How the files are read")
const decision = (page: Page) => section(page, "Import")

describe("an import in the console", () => {
  it("checks two files, shows what changes, and makes them the current edition", async () => {
    const page = await openAs("operator", "/directory")
    await page.getByRole("link", { name: "Import files" }).click()
    await seen(title(page)).toBe("Import files")
    await upload(page, unitsFile)
    await seen(reading(page)).toMatch(/Units20,000, of which 19,\d{3} are active/)
    expect(await reading(page).getByRole("row").count()).toBe(11)
    await seen(decision(page)).toMatch(/Added0Moved0Retired0Reactivated0Removed0Unchanged20,000/)
    await page.getByLabel("Name of the edition").fill("2026-2")
    await page.getByLabel("Date").fill("2026-06-30")
    // Twice, as hasty people do.
    await button(page, "Import").dblclick()
    await seen(section(page, "Imported")).toMatch(/2026-2 is current/)
    await eventually(() => announced(page)).toEqual(
      expect.arrayContaining(["The files are checked", "The edition is current"])
    )
    expect(await version()).toBe("2026-2")
    expect(site().answers.filter((answer) => /\/run 200/.test(answer))).toHaveLength(2)
    await page.getByRole("link", { name: "Open the directory" }).click()
    await seen(section(page, "Imports")).toMatch(/Import of 2026-2/)
    await seen(section(page, "Current data")).toMatch(/2026-2.*2026-06-30/)
  })

  it("reads what a German Excel saves: names of its own are mapped", async () => {
    const page = await open()
    await upload(page, germanExcelFile)
    await seen(reading(page)).toMatch(/These files are not a directory/)
    await seen(section(page, "Bad rows")).toMatch(/Einheiten.csv, line 1.*no column postcode/)
    expect(await decision(page).count()).toBe(0)
    for (const [column, name] of [
      ["postcode", "Schlüssel"],
      ["lat", "Nördl. Breite"],
      ["lon", "Östl. Länge"],
      ["status", "Zustand"]
    ] as const) {
      await page.getByLabel(column, { exact: false }).first().selectOption(name)
    }
    await button(page, "Check again").click()
    await seen(reading(page)).toMatch(/Read as: Windows-1252, semicolon.*Schlüssel as postcode, Nördl. Breite as lat/)
    await seen(reading(page)).toMatch(/Units20,000/)
    expect(await section(page, "Bad rows").count()).toBe(0)
    // After a reload, the import reads the files as they were shown.
    await page.reload()
    await seen(reading(page)).toMatch(/Schlüssel as postcode/)
    await page.getByLabel("Name of the edition").fill("german")
    await button(page, "Import").click()
    await seen(section(page, "Imported")).toMatch(/german is current/)
  })

  it("reads UTF-16 with tabs", async () => {
    const page = await open()
    await upload(page, utf16File)
    await seen(reading(page)).toMatch(/Read as: UTF-16, tab/)
    await seen(reading(page)).toMatch(/Units20,000/)
  })

  it("shows exchanged coordinates, and leaves them out on request", async () => {
    const page = await open()
    await upload(page, exchangedFile)
    await seen(section(page, "Warnings")).toMatch(/Latitude and longitude are exchanged.*1[45]\d/)
    await button(page, "Read them in another way").click()
    await page.getByLabel(/Leave out units whose location cannot be right/).check()
    await button(page, "Check again").click()
    await seen(reading(page)).toMatch(/Left out1[45]\d units/)
    expect(await section(page, "Warnings").textContent()).not.toMatch(/are exchanged/)
    // They are removed from the current edition, which is more than 1 % only if there are 200.
    await seen(decision(page)).toMatch(/Removed1[45]\d/)
  })

  it("imports a file that was cut off only after the number of lost units was typed", async () => {
    const before = await version()
    const page = await open()
    await upload(page, truncatedFile)
    await seen(decision(page)).toMatch(/Much would be taken away/)
    const label = page.getByLabel(/^Type [\d,]+ to permit this/)
    const number = /Type ([\d,]+)/.exec(
      (await page.locator("label", { hasText: "to permit this" }).textContent()) ?? ""
    )?.[1]
    await page.getByLabel("Name of the edition").fill("cut")
    if (await page.getByLabel(/Leave out 1 bad row/).count()) await page.getByLabel(/Leave out 1 bad row/).check()
    await label.fill("100")
    await button(page, "Import").click()
    await seen(page.locator(".error")).toBe(`Expected ${number}`)
    expect(await version()).toBe(before)
    await label.fill(number ?? "")
    await button(page, "Import").click()
    await seen(section(page, "Imported")).toMatch(/cut is current/)
  })

  it("shows bad rows with their reasons, and imports without them only if that is chosen", async () => {
    const page = await open()
    await upload(page, badRowsFile)
    const bad = section(page, "Bad rows")
    await seen(bad).toMatch(/6,000 rows cannot be read/)
    await seen(bad).toMatch(/units with bad rows.csv, line 2.*lat/)
    await eventually(() => bad.getByRole("row").count()).toBe(21)
    await page.getByLabel("Name of the edition").fill("without bad rows")
    const permit = page.getByLabel(/^Type [\d,]+ to permit this/)
    if (await permit.count()) {
      const text = (await page.locator("label", { hasText: "to permit this" }).textContent()) ?? ""
      await permit.fill(/[\d,]+/.exec(text)?.[0] ?? "")
    }
    await button(page, "Import").click()
    await seen(decision(page)).toMatch(/6,000 bad rows: leave them out, or mend the files/i)
    await page.getByLabel(/Leave out 6,000 bad rows/).check()
    await button(page, "Import").click()
    await seen(section(page, "Imported")).toMatch(/without bad rows is current/)
  })

  it("names a file of another kind, an empty one, and a missing one", async () => {
    const page = await open()
    await button(page, "Upload and check").click()
    await seen(page.locator(".notice")).toMatch(/Choose a file of places/)
    await upload(page, { ...pdfFile, buffer: Buffer.alloc(0) })
    await seen(page.locator(".notice")).toMatch(/report.pdf is empty/i)
    expect(await current()).toBeNull()
    await upload(page, pdfFile)
    await seen(section(page, "Bad rows")).toMatch(/a PDF: ask for the data as CSV/)
    expect(await decision(page).count()).toBe(0)
    await button(page, "Choose other files").click()
    await upload(page, emptyFile)
    await seen(reading(page)).toMatch(/not a directory|no units/i)
    expect(await decision(page).count()).toBe(0)
  })

  it("asks what becomes of changes since the last import", async () => {
    const changes = [
      {
        change: "set",
        postcode: unitsFile.buffer.toString().split("\n")[5]?.split(",")[0],
        attributes: { building_type: "tower" }
      }
    ]
    await site().manage("POST", "/directory/changes", { reason: "survey", reference: `s-${Date.now()}`, changes })
    const page = await open()
    await upload(page, unitsFile)
    await seen(decision(page)).toMatch(/Changes of 1 unit since the last import would be undone/)
    await page.getByLabel("Name of the edition").fill("kept")
    await button(page, "Import").click()
    await seen(decision(page)).toMatch(/Select one/)
    await page.getByLabel("Keep them").check()
    await button(page, "Import").click()
    await seen(section(page, "Imported")).toMatch(/kept is current/)
    expect(await site().manage("GET", "/directory")).toMatchObject({ version: "kept", changes: 1 })
  })

  it("tells why an import was refused, and keeps the files for another name", async () => {
    const before = await version()
    const page = await open()
    await upload(page, unitsFile)
    await page.getByLabel("Name of the edition").fill(before)
    const drop = page.getByLabel("Drop them")
    if (await drop.count()) await drop.check()
    await button(page, "Import").click()
    await seen(page.locator(".notice", { hasText: "Nothing was changed" })).toMatch(/choose another name/)
    await page.getByLabel("Name of the edition").fill("another name")
    await button(page, "Import").click()
    await seen(section(page, "Imported")).toMatch(/another name is current/)
  })
})

/** Lets parts of files wait. */
const holdParts = () => {
  let held = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  site().meanwhile = async (method, { pathname }) => {
    if (method === "POST" && pathname.endsWith("/parts")) {
      held++
      await released
    }
    return undefined
  }
  return Object.assign(release, { isHeld: () => held > 0 })
}

describe("an upload", () => {
  it("is cancelled by its button, and leaves nothing", async () => {
    const release = holdParts()
    const page = await open()
    await upload(page, unitsFile)
    await page.getByRole("progressbar", { name: "Uploading" }).waitFor()
    await eventually(async () => (await current())?.phase).toBe("uploading")
    await button(page, "Cancel").click()
    release()
    await eventually(current).toBeNull()
    await button(page, "Upload and check").waitFor()
    expect(await announced(page)).toContain("The upload was cancelled")
  })

  it("leaves nothing if the page is closed, or the screen is left", async () => {
    for (const leave of [
      (page: Page) => page.close(),
      (page: Page) => page.getByRole("link", { name: "Directory" }).first().click()
    ]) {
      const release = holdParts()
      const page = await open()
      await upload(page, unitsFile)
      await eventually(release.isHeld).toBe(true)
      await leave(page)
      await eventually(current).toBeNull()
      release()
    }
  })

  it("goes on after the connection was lost for a moment", async () => {
    let failures = 2
    site().meanwhile = (method, { pathname }) =>
      method === "POST" && pathname.endsWith("/parts") && failures-- > 0
        ? Response.json(
            { error: { code: "service_unavailable", message: "busy" } },
            { status: 503, headers: { "retry-after": "0" } }
          )
        : undefined
    const page = await open()
    await upload(page, unitsFile)
    await seen(reading(page)).toMatch(/Units20,000/)
  })
})

describe("two operators", () => {
  it("import one after the other: the second one sees whose import is open, and can cancel it", async () => {
    const release = holdParts()
    const first = await open()
    await upload(first, unitsFile)
    await eventually(async () => (await current())?.phase).toBe("uploading")
    const other = await site().newPerson("Zainab Musa", "operator")
    const second = await open(other)
    await seen(section(second, "Another import is open")).toMatch(/Ngozi Eze began to upload places.csv and units.csv/)
    expect(await button(second, "Upload and check").count()).toBe(0)
    await button(second, "Cancel their import").click()
    await dialog(second).getByRole("button", { name: "Cancel their import" }).click()
    await button(second, "Upload and check").waitFor()
    site().meanwhile = () => undefined
    release()
    await seen(first.locator(".notice")).toMatch(/there is no such import: it was cancelled/i)
    await upload(second, unitsFile)
    await seen(reading(second)).toMatch(/Units20,000/)
    const third = await open()
    await seen(third.locator(".notice", { hasText: "Files of another operator" })).toMatch(/Zainab Musa uploaded them/)
  })
})

describe("access", () => {
  it("is for operators", async () => {
    const page = await openAs("owner", "/directory")
    await section(page, "Current data").getByText("Active units").waitFor()
    expect(await page.getByRole("link", { name: "Import files" }).count()).toBe(0)
    const direct = await openAs("owner", "/directory/import")
    await loaded(direct)
    expect(await button(direct, "Upload and check").count()).toBe(0)
  })
})

describe("axe has nothing to complain about:", () => {
  it("the files, the upload, the check, and the end", async () => {
    const release = holdParts()
    const page = await openAs("operator", "/directory/import", { withAxe: true })
    await button(page, "Upload and check").waitFor()
    await expectNothing(page, "files")
    await upload(page, badRowsFile)
    await page.getByRole("progressbar").waitFor()
    await expectNothing(page, "upload")
    release()
    await seen(section(page, "Bad rows")).toMatch(/6,000/)
    await button(page, "Read them in another way").click()
    await expectNothing(page, "check")
    expect(await dialog(page).count()).toBe(0)
  })
})
