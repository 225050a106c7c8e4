/** The Markdown files that people read, as paths from the workspace's root. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../scripts/workspace.mjs"

/** Not read by people as they are: what others made, what is built, and what becomes a changelog or is one. */
const leftOut = new Set(["node_modules", "dist", "generated", ".git", ".changeset", "test-results", "CHANGELOG.md"])

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (leftOut.has(entry.name)) return []
    if (entry.isDirectory()) return filesIn(path)
    return entry.isFile() && entry.name.endsWith(".md") ? [path] : []
  })

export const markdownFiles: ReadonlyArray<string> = [...filesIn("")].sort()
