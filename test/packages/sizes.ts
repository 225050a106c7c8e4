/** What web pages load of the packages, minified and gzipped, held against what they may. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { bundle } from "../../bench/size/bundle.ts"
import { firstScreen } from "../../bench/size/firstScreen.ts"
import { sizeLimits_bytes as atMost } from "../../bench/size/SizeLimits.ts"
import type { InstalledPackages } from "./InstalledPackages.ts"

type Weigh = (installed: InstalledPackages) => Promise<number>

/** Each with its limit in bytes. */
const limits = (): ReadonlyArray<readonly [what: string, limit: number, weigh: Weigh]> => [
  ["of core, isValid", atMost.isValid, bundled('export { isValid } from "@postcode/core/Postcode"')],
  [
    "of core, all that reads and writes postcodes",
    atMost.postcodes,
    bundled('export * from "@postcode/core/Postcode"')
  ],
  ["of core, a directory and its searches", atMost.searches, bundled(searches)],
  ["of core, all that its index has", atMost.core, bundled('export * from "@postcode/core"')],
  ["of the client, all", atMost.client, bundled('export * from "@postcode/client"')],
  ["of the widget, what it begins with", atMost.picker, pickerFiles((name) => name === "postcode-picker.js")],
  [
    "of the widget, the largest file on demand",
    atMost.pickerOnDemand,
    pickerFiles((name) => name !== "postcode-picker.js" && !isMap(name))
  ],
  ["of the widget, the map", atMost.pickerMap, pickerFiles((name) => isMap(name))],
  ["of the widget, the script that has all", atMost.pickerScript, pickerScript],
  ["of the console, up to the first screen", atMost.console, consoleAssets]
]

export const sizes = (installed: () => InstalledPackages): void => {
  describe("a web page loads", () => {
    it.for(limits())("%s: at most %i bytes", async ([, limit, weigh]) => {
      const size_bytes = await weigh(installed())
      expect(size_bytes).toBeGreaterThan(limit / 4)
      expect(size_bytes).toBeLessThanOrEqual(limit)
    })
  })
}

const searches = `
  export { Directory } from "@postcode/core/Directory"
  export { complete } from "@postcode/core/Autocomplete"
  export { nearest, within } from "@postcode/core/ReverseGeocoder"`

const isMap = (name: string): boolean => name.startsWith("openDiscover-")

const gzipped = (content: Buffer | string): number => gzipSync(content, { level: 9 }).byteLength

const bundled =
  (program: string): Weigh =>
  async (installed) =>
    (await bundle(program, installed.folder)).gzip_bytes

const pickerFiles =
  (wanted: (name: string) => boolean): Weigh =>
  async (installed) => {
    const folder = join(installed.of("@postcode/widget").folder, "dist", "bundle")
    const names = (await readdir(folder)).filter(wanted)
    return Math.max(...(await Promise.all(names.map(async (name) => gzipped(await readFile(join(folder, name)))))))
  }

const pickerScript: Weigh = async (installed) =>
  gzipped(await readFile(join(installed.of("@postcode/widget").folder, "dist", "postcode-widget.js")))

const consoleAssets: Weigh = async (installed) => {
  const module = join(installed.of("@postcode/console").folder, "dist", "hosting", "files.js")
  const { consoleFiles } = (await import(
    pathToFileURL(module).href
  )) as typeof import("../../packages/console/src/hosting/files.ts")
  return firstScreen(await consoleFiles()).reduce((sum, { content }) => sum + gzipped(content), 0)
}
