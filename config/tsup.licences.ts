/** The licences of what a bundle holds of others: each of them asks that its text goes along. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Plugin } from "./tsup.base.ts"

/**
 * Writes them into `dist`; of a package without a text of its licence, which one it is and whose.
 *
 * @param folders of packages that are in the bundle, but not as modules
 */
export const thirdPartyLicences = (folders: ReadonlyArray<string>): Plugin => ({
  name: "third-party-licences",
  setup: ({ onEnd }) => {
    onEnd(({ metafile }) => {
      const bundled = Object.keys(metafile?.inputs ?? {}).flatMap((file) => packageFolder.exec(file)?.[0] ?? [])
      const all = new Set([...bundled, ...folders].map((folder) => resolve(folder)))
      mkdirSync("dist", { recursive: true })
      writeFileSync(join("dist", "THIRD-PARTY-LICENSES.txt"), [...all].map(licenceOf).sort().join("\n"))
    })
  }
})

const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

const licenceOf = (folder: string): string => {
  const { author, license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text =
    file === undefined ? `${license}, by ${author?.name ?? author}.` : readFileSync(join(folder, file), "utf8")
  return `${name} ${version}\n\n${text.trim()}\n`
}
