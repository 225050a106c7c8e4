/** Writes the reference of the packages into the folder that the site reads. The scripts of the workspace run this. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/workspace.mjs"
import { generatedFolder } from "../contents.ts"
import { type ApiPage, apiPages, readPackages } from "./apiPages.ts"

const listText = (pages: ReadonlyArray<ApiPage>): string => {
  const items = pages.map(({ name, summary, title }) => `- [${title}](${name}.md): ${summary}`)
  const introduction = "What each package exports, generated from the declarations and their comments."
  return `# Packages\n\n${introduction}\n\n${items.join("\n")}\n`
}

const folder = join(root, generatedFolder, "reference", "api")
const pages = apiPages(readPackages())
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const { name, text } of pages) writeFileSync(join(folder, `${name}.md`), text)
writeFileSync(join(folder, "README.md"), listText(pages))
