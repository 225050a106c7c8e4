/** The script that takes pictures of all screens runs through all its scenes. */
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { takePictures } from "./ScreenPictures.ts"

it.for([360, 1280])("every scene has its picture, %i pixels wide", { timeout: 600_000 }, async (width) => {
  const folder = await mkdtemp(join(tmpdir(), "console-pictures-"))
  try {
    const files = await takePictures({ folder, part: /./, widths: [width], schemes: ["light"] })
    expect(files.length).toBeGreaterThan(50)
    for (const file of files) expect((await stat(file)).size, file).toBeGreaterThan(2_000)
  } finally {
    await rm(folder, { recursive: true })
  }
})
