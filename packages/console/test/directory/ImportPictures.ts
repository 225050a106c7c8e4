/** What is done on the import screen before its pictures. */
import type { Page } from "playwright-core"
import { badRowsFile, type File, germanExcelFile, placesFile, truncatedFile, unitsFile } from "./ImportFiles.ts"

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()

const upload = async (page: Page, units: File): Promise<void> => {
  const choose = page.getByRole("button", { name: "Upload and check" })
  const others = page.getByRole("button", { name: "Choose other files" })
  await choose.or(others).waitFor()
  if (await others.count()) await others.click()
  await page.getByLabel("Places").setInputFiles(placesFile)
  await page.getByLabel("Units", { exact: true }).setInputFiles(units)
  await choose.click()
}

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** An import as the service shows it while it runs, and after it. */
const inPhase = async (page: Page, phase: string, rest: object): Promise<void> => {
  const file = { size_bytes: 18_402_113, received_bytes: 18_402_113 }
  const open = {
    id: "imp_1",
    actor: "operator",
    opened_at: new Date().toISOString(),
    phase,
    places: { ...file, name: "places.csv" },
    units: { ...file, name: "units.csv" },
    ...rest
  }
  await page.route("**/v1/admin/directory/import", (route) => route.fulfill({ json: { data: { import: open } } }))
  await page.reload()
}

export const importPictures: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  files: (page) => shown(page, "Upload and check"),
  upload: async (page) => {
    await page.evaluate(() => {
      const { fetch } = window
      let parts = 0
      // The third part never arrives.
      window.fetch = (address, init) =>
        String(address).endsWith("/parts") && ++parts > 2 ? new Promise(() => {}) : fetch(address, init)
    })
    await upload(page, unitsFile)
    await page.getByRole("progressbar").waitFor()
  },
  mapping: async (page) => {
    await upload(page, germanExcelFile)
    await shown(page, "These files are not a directory")
  },
  check: async (page) => {
    await upload(page, badRowsFile)
    await shown(page, "cannot be read")
    await press(page, "Import")
    await page.getByRole("button", { name: "Read them in another way" }).click()
  },
  cut: async (page) => {
    await upload(page, truncatedFile)
    await shown(page, "Much would be taken away")
    await page.getByLabel("Name of the edition").fill("2026-2")
    await page.getByLabel(/to permit this/).fill("12")
    const bad = page.getByLabel(/^Leave out .* bad row/)
    if (await bad.count()) await bad.check()
    await press(page, "Import")
    await page.locator(".error").first().waitFor()
  },
  running: async (page) => {
    await inPhase(page, "importing", { progress: { step: "reading", share: 0.62, rows: 121_408 } })
    await shown(page, "121,408 rows")
  },
  other: async (page) => {
    await inPhase(page, "uploading", {
      units: { name: "units.csv", size_bytes: 18_402_113, received_bytes: 4_000_000 }
    })
    await shown(page, "Another import is open")
  },
  failed: async (page) => {
    await inPhase(page, "failed", {
      problem: "edition 2 is called 2026-2, too, and is made of other files: choose another name"
    })
    await shown(page, "Nothing was changed")
  },
  imported: async (page) => {
    const imported = { outcome: "imported", data_version: "2026-2", data_date: "2026-06-30" }
    await inPhase(page, "imported", { imported })
    await shown(page, "2026-2 is current")
  }
}
