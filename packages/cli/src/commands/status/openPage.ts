/** `postcode open`: prints the address of a page, and opens it in the browser of a user at a terminal. */
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { writeData } from "@postcode/server/process/Output"
import { Effect } from "effect"
import { unreachable } from "../../management/connect.ts"
import type { ConnectionFlags } from "../../management/resolveConnection.ts"
import { serviceAddress } from "../../management/serviceAddress.ts"
import { openInBrowser } from "../../terminal/openInBrowser.ts"
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
