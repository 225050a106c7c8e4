/** The console as files for browsers, made by Vite: the page, hashed scripts and style sheets. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { build, type Rolldown } from "vite"
import type { ConsoleAsset } from "./src/hosting/assets.ts"

/** @param folder of this package */
export const bundleConsole = async (folder: string): Promise<ReadonlyArray<ConsoleAsset>> => {
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { readonly version: string }
  const made = (await build({
    root: folder,
    base: "/console/",
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    resolve: { conditions: ["@postcode/source", "module", "browser", "production"] },
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    define: { "process.env.NODE_ENV": '"production"', CONSOLE_VERSION: JSON.stringify(version) },
    build: {
      target: "es2023",
      write: false,
      // No file becomes an address of its own content: the policy of the page takes none.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups } } }
    }
  })) as Rolldown.RolldownOutput
  return made.output.map((file) => ({
    name: file.fileName,
    content: file.type === "chunk" ? file.code : textOf(file.source)
  }))
}

const within = (folder: string, names: string): RegExp => new RegExp(`[\\\\/]${folder}[\\\\/](?:${names})`)

/**
 * What all screens share, and the frame around them, is loaded at the start; each screen when it is opened. Screens of one
 * area are one file, which is packed by a sixth better than a file for each.
 */
const groups = [
  { name: "kit", test: within("src", "client|hooks|kit|router|shell|state|App\\.tsx|screens\\.ts") },
  // First, as a group takes what its screens import along: the start must not wait for the others.
  { name: "home", test: within("screens", "home|organizations[\\\\/]RenameOrganizationDialog") },
  {
    name: "people",
    test: within("screens", "accounts|organizations[\\\\/](?!reviews|ChangeForm|ManageScreen|StatusSection)")
  },
  { name: "keys", test: within("screens", "keys|try") },
  { name: "usage", test: within("screens", "usage") },
  { name: "credits", test: within("screens", "credits") },
  { name: "webhooks", test: within("screens", "webhooks") },
  { name: "records", test: within("screens", "audit|organizations") },
  { name: "directory", test: within("screens", "directory") },
  { name: "widget", test: within("screens", "widget") }
]

const textOf = (source: string | Uint8Array): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source)

/** What the service answers, where it runs from sources. */
export const makeConsoleAssets = (): Promise<ReadonlyArray<ConsoleAsset>> => bundleConsole(import.meta.dirname)
