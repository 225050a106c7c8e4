/** The site, built from the files as they are, and shown in a browser without a server. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { BrowserContext } from "playwright-core"
import { root } from "../../scripts/workspace.mjs"

export interface BuiltSite {
  readonly folder: string
  /** The path under which it stands, with a slash at both ends. */
  readonly base: string
}

/** Stands for where the site will be. */
export const siteOrigin = "https://docs.example"

/**
 * Builds the site as "npm run docs" does, as somebody with no settings of their own.
 *
 * @throws with what the build said, if it failed
 */
export const buildSite = async ({ base, folder }: BuiltSite): Promise<void> => {
  const args = ["run", "-s", "docs", "--", "build", "--outDir", folder, "--base", base]
  // Of Vitest, Astro would take what is said of its own pages.
  const others = ["BASE_URL", "DEV", "MODE", "NODE_ENV", "PROD", "SITE_SOURCE", "SSR"]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.includes(name)))
  await promisify(execFile)("npm", args, { cwd: root, env })
}

/** Lets the pages of a context have the site at `siteOrigin`, and nothing from anywhere else. */
export const serveSite = async (context: BrowserContext, { base, folder }: BuiltSite): Promise<void> => {
  await context.route("**/*", async (route) => {
    const { origin, pathname } = new URL(route.request().url())
    const path = join(folder, decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, "$1index.html"))
    const isThere = origin === siteOrigin && pathname.startsWith(base) && existsSync(path)
    await (isThere ? route.fulfill({ path }) : route.abort())
  })
}
