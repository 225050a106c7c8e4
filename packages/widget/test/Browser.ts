/**
 * The real browser: the one that is named, else the headless one that npm brings, else one that is installed. Where none
 * of them starts, tests fail, and say which command brings one.
 */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { type BrowserProgram, packagedBrowser } from "./PackagedBrowser.ts"

export type FindBrowser = () => BrowserProgram | Promise<BrowserProgram>

let shared: Promise<Browser> | undefined

/**
 * The browser of this worker's test files, which share it: starting one for each file costs more than many a file. It ends
 * with the worker. Contexts belong to the test that opens them.
 */
export const sharedBrowser = async (): Promise<Browser> => {
  const running = await shared?.catch(() => undefined)
  if (running?.isConnected()) return running
  shared = launchBrowser()
  return shared
}

/**
 * Starts a browser.
 *
 * @param candidates the first one that starts is taken: some systems have a program of that name that only says how to
 *   install it
 */
export const launchBrowser = async (candidates: ReadonlyArray<FindBrowser> = usualCandidates()): Promise<Browser> => {
  const failures: Array<string> = []
  for (const find of candidates) {
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

/**
 * The one from npm comes first: it is the same version for everybody, and takes half the time, as it is built without a
 * user interface. The environment variable POSTCODE_CHROMIUM names another one by its path.
 */
const usualCandidates = (): ReadonlyArray<FindBrowser> => {
  const named = process.env.POSTCODE_CHROMIUM
  if (named !== undefined) return [() => ({ executablePath: named })]
  const installed = usualPaths().filter((path) => existsSync(path))
  return [packagedBrowser, ...installed.map((executablePath) => () => ({ executablePath }))]
}

// Nothing else is switched off: with less security, a mistake in what the service allows to pages would not be seen. Maps are
// drawn without a graphics card.
const launch = ({ env = {}, executablePath }: BrowserProgram): Promise<Browser> =>
  chromium.launch({ executablePath, args: ["--no-sandbox", ...softwareGraphics], env: { ...process.env, ...env } })

const softwareGraphics = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

const command =
  process.platform === "darwin" ? "brew install --cask google-chrome" : "sudo apt-get install --yes chromium"

const usualPaths = (): ReadonlyArray<string> => [
  ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => programNames.map((name) => join(folder, name))),
  ...programNames.map((name) => `/usr/bin/${name}`),
  ...["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
]

const programNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
