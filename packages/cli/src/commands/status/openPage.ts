/** `postcode open`: prints the address of a page, and opens it in the browser of a user at a terminal. */
import { spawn } from "node:child_process"
import { CommandFailure, messageOf } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { say, writeData } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { unreachable } from "../../management/connect.ts"
import type { ConnectionFlags } from "../../management/resolveConnection.ts"
import { serviceAddress } from "../../management/serviceAddress.ts"
import { type Page, pages } from "./pages.ts"

interface OpenOptions extends Omit<ConnectionFlags, "tokenStdin"> {
  readonly page: Page | undefined
}

/** Fails if the service does not serve the page. */
export const openPage = ({ page = "console", ...flags }: OpenOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const url = yield* serviceAddress(flags)
    const address = url + pages[page]
    const status = yield* Effect.tryPromise({
      try: (signal) => statusOf(address, signal),
      catch: (error) => new CommandFailure(unreachable(url, error))
    })
    if (status !== 200) return yield* Effect.fail(new CommandFailure(absent(page, url, status)))
    yield* writeData(`${address}\n`)
    if (host().stdout.isTTY === true) yield* openInBrowser(address)
  })

const timeout_ms = 10_000

const statusOf = async (address: string, signal: AbortSignal): Promise<number> => {
  const response = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]) })
  await response.body?.cancel()
  return response.status
}

const absent = (page: Page, url: string, status: number): string => {
  if (status !== 404) return `${url}${pages[page]} responded with status ${status}`
  return page === "demo"
    ? `the service at ${url} has no demonstration page: postcode serve without --data and --database-url serves one`
    : `the service at ${url} does not serve its ${names[page]}`
}

const names = { console: "console", docs: "documentation" } as const

/** Does not wait for the browser, which may stay open. */
const openInBrowser = (address: string): Effect.Effect<void> =>
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
