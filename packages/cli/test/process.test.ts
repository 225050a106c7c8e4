/** The built command as a process, beside the same command in the process of the test, which most other tests run. */

import { type Ended, type RunOptions, runProcess } from "@postcode/drills/StartCommand"
import { expect, it } from "vitest"
import { run } from "./RunCommand.ts"

/** A malformed postcode makes the demonstration, which a slow machine reports as progress. */
const withoutProgress = (ended: Ended): Ended => ({
  ...ended,
  stderr: ended.stderr.replace(/^making the demonstration directory: .*\n/gm, "")
})

it.each<readonly [args: ReadonlyArray<string>, options: RunOptions, code: number]>([
  [["parse", "la12a03bg07"], {}, 0],
  [["parse", "--json", "-"], { stdin: "LA12A03BG07\n7\n" }, 1],
  [["serve"], { env: { POSTCODE_PORT: "http" } }, 2],
  [["orgs", "list", "--token-stdin"], { stdin: "" }, 4],
  [["keys", "create", "--help"], {}, 0]
])("%j ends with the same exit code and output in a process of its own", async (args, options, code) => {
  const ended = await runProcess(args, options)
  expect(withoutProgress(ended)).toEqual(withoutProgress(await run(args, options)))
  expect(ended.code).toBe(code)
})

it("reports the required version of Node on an older one", async () => {
  const program = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })`
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` }
  const stderr = "postcode needs Node 22.19 or later. This is Node 20.20.2.\n"
  expect(await runProcess(["--help"], { env })).toEqual({ code: 1, stdout: "", stderr })
})
