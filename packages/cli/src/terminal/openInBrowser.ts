/** Opens a page in the browser of the user. */
import { spawn } from "node:child_process"
import { messageOf } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"

/** Does not wait for the browser, which may stay open. */
export const openInBrowser = (address: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const [command, ...args] = opener
    const browser = spawn(command, [...args, address], { detached: true, env: host().env, stdio: "ignore" })
    browser.once("error", (error) => {
      say(`no browser was opened: ${messageOf(error)}`)
      resume(Effect.void)
    })
    browser.once("spawn", () => {
      browser.unref()
      resume(Effect.void)
    })
  })

/** Not `start` on Windows: the shell would interpret characters of the address. */
const opener: readonly [string, ...ReadonlyArray<string>] =
  process.platform === "darwin"
    ? ["open"]
    : process.platform === "win32"
      ? ["rundll32", "url.dll,FileProtocolHandler"]
      : ["xdg-open"]
