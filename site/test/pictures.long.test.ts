/** The script that takes the pictures of the documentation runs through its scenes, and takes those that the documents show. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { root } from "../../scripts/workspace.mjs"
import { takePictures } from "../pictures/takePictures.ts"

it("every picture of the documentation can be taken again, and browsers can show it", {
  timeout: 600_000
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "pictures-"))
  const page = await (await sharedBrowser()).newPage()
  try {
    const files = await takePictures(folder)
    expect([...files].sort()).toEqual((await readdir(join(root, "docs", "images"))).sort())
    const sizes = await Promise.all(files.map(async (file) => (await readFile(join(folder, file))).length))
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1_300_000)
    for (const file of files) {
      const type = file.endsWith(".svg") ? "svg+xml" : "webp"
      const address = `data:image/${type};base64,${await readFile(join(folder, file), "base64")}`
      await page.setContent(`<img alt="" src="${address}">`)
      await page.waitForFunction(() => document.images[0]?.complete)
      expect(await page.evaluate(() => document.images[0]?.naturalWidth), file).toBeGreaterThan(300)
    }
  } finally {
    await page.close()
    await rm(folder, { recursive: true })
  }
})
