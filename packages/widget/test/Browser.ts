/**
 * The real browser: the one that is named, else one that is installed, else the one that npm brings. Where none of them
 * starts, tests fail, and say which command brings one.
 */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { type BrowserProgram, packagedBrowser } from "./PackagedBrowser.ts"

/**
 * Starts the browser that the environment variable POSTCODE_CHROMIUM names, by its path, or as `packaged`: the one that
 * npm brings. Where it names none, the first one that starts: some systems have a program of that name that only says
 * how to install it.
 *
 * @param installed where browsers may be, before the one that npm brings is taken
 */
export const launchBrowser = async (installed: ReadonlyArray<string> = usualPaths()): Promise<Browser> => {
  const failures: Array<string> = []
  for (const find of waysToFind(installed)) {
    try {
      return await launch(await find())
    } catch (error) {
      failures.push(String(error))
    }
  }
  throw new Error(
    `There is no browser that starts. This command installs one: ${command}. One that is elsewhere is named by the ` +
      `environment variable POSTCODE_CHROMIUM.\n${failures.join("\n")}`
  )
}

const waysToFind = (
  installed: ReadonlyArray<string>
): ReadonlyArray<() => BrowserProgram | Promise<BrowserProgram>> => {
  const named = process.env.POSTCODE_CHROMIUM
  if (named === "packaged") return [packagedBrowser]
  if (named !== undefined) return [() => ({ executablePath: named })]
  const there = installed.filter((path) => existsSync(path))
  return [...there.map((executablePath) => () => ({ executablePath })), packagedBrowser]
}

// Nothing else is switched off: with less security, a mistake in what the service allows to pages would not be seen.
const launch = ({ env = {}, executablePath }: BrowserProgram): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox"], env: { ...process.env, ...env } })

const command =
  process.platform === "darwin" ? "brew install --cask google-chrome" : "sudo apt-get install --yes chromium"

const usualPaths = (): ReadonlyArray<string> => [
  ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => programNames.map((name) => join(folder, name))),
  ...programNames.map((name) => `/usr/bin/${name}`),
  ...["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
]

const programNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
