/** The real browser. Where it is missing, tests fail, and say which command brings it. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = process.env.POSTCODE_CHROMIUM ?? "/usr/bin/chromium"
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}. This command installs it: sudo apt-get install --yes chromium. ` +
        "One that is elsewhere is named by the environment variable POSTCODE_CHROMIUM."
    )
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}
