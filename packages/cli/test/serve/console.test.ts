/** The console, as `postcode serve` answers it. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { serveSmallDirectory } from "../StartCommand.ts"
import { temporaryFolder, writeFiles } from "../TemporaryFolder.ts"
import { expectConsole } from "./ConsoleFiles.ts"

describe("the console", () => {
  it("is there with all that it loads, on the gateway's host alone", async () => {
    await using served = await serve(["--platform-port", "0"])
    await expectConsole(served)
    expect(served.shown("console").split("#join=")[0]).toBe(`${served.url}/console/`)
  })

  it("is not there with --no-console, and the rest is", async () => {
    await using served = await serve(["--no-console"])
    expect(await statusOf(`${served.url}/console/`)).toBe(404)
    expect(await statusOf(`${served.url}/v1/widget/embed`)).toBe(200)
  })

  it("is named at each start, also where there is an operator and so nothing to claim", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { password: "harmattan over kano" })
    await using served = await serve([], {
      POSTCODE_ADMIN_EMAIL: "ada@people.example",
      POSTCODE_ADMIN_PASSWORD_FILE: join(folder.path, "password")
    })
    expect(served.shown("console")).toBe(`${served.url}/console/`)
  })
})

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

const serve = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  serveSmallDirectory(args, { POSTCODE_NO_CONSOLE: "false", ...environment })
