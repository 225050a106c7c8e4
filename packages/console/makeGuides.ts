/** The guides of this version, from the documentation in the repository. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { renderGuides } from "../../site/src/guides.ts"
import type { Guides } from "./src/hosting/guides.ts"

/** @param folder of this package */
export const guidesOf = async (folder: string): Promise<Guides> => {
  const root = join(folder, "../../")
  const sheets = [join(root, "config/tokens.css"), join(folder, "src/hosting/guides.css")]
  const [tokens, style] = await Promise.all(sheets.map((file) => readFile(file, "utf8")))
  return { pages: renderGuides(root), style: `${tokens}\n${style}` }
}

/** What the service answers, where it runs from sources. */
export const makeGuides = (): Promise<Guides> => guidesOf(import.meta.dirname)
