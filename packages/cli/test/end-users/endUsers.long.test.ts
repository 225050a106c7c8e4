/** Imports of end users that take long: a slow reader, a service that is unavailable, and an import that is ended. */

import { readFileSync } from "node:fs"
import { ended, start } from "@postcode/drills/StartCommand"
import { describe, expect, it } from "vitest"
import { code, crowd, useEndUsers } from "./EndUserService.ts"

const { answer, count, endUsers, env, find, makeProxy, write } = useEndUsers()

describe("an import", () => {
  it("reports the first of many bad rows, and all of them in a file", async () => {
    const file = await write("worst.csv", `identifier,postcode,label\n${"x,,\n".repeat(40_000)}`)
    const list = file.replace("worst.csv", "bad.csv")
    const { stderr } = await endUsers(["import", file, "--bad-rows", list])
    expect(stderr.match(/^.+:\d+: identifier: expected .*$/gm)).toHaveLength(20)
    expect(stderr).toMatch(/worst\.csv: 40,000 rows: identifier: expected .*: lines 2, 3, .* and 39,980 more\n/)
    expect(stderr).toMatch(/^error: .* was not imported: 40,000 bad rows\n$/m)
    const lines = readFileSync(list, "utf8").split("\n")
    expect(lines).toHaveLength(40_002)
    expect(lines[40_000]).toMatch(/^40001,identifier: expected/)
  })

  it("waits while the service is busy or unavailable, reports it once, and then saves all", async () => {
    const error = JSON.stringify({ error: { code: "service_unavailable", message: "the service is not available" } })
    const proxy = await makeProxy((count, response) => {
      if (count > 4) return false
      const headers = { "content-type": "application/json", "retry-after": "1" }
      if (count === 3) response.destroy()
      else response.writeHead([503, 429, 0, 502][count - 1] as number, headers).end(error)
      return true
    })
    const file = await write("slow.csv", crowd("slow", 700))
    const { code, stderr, stdout } = await endUsers(["import", file, "--json"], { env: { POSTCODE_URL: proxy.url } })
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({ code: 0, stdout: { end_users: 700, saved: 700 } })
    expect(stderr.match(/^waiting: .*$/gm)).toHaveLength(1)
    expect(await find("slow699@crowd.example")).toMatchObject({ identifiers: 1 })
  })

  it.each(["SIGKILL", "SIGINT"] as const)("interrupted by %s continues when it is run again", async (signal) => {
    const name = signal.toLowerCase()
    const file = await write(`${name}.csv`, crowd(name, 2_400))
    const before = await count()
    const proxy = await makeProxy((count) => {
      if (count > 2) interrupted.kill(signal)
      // The third and all behind it are never answered.
      return count > 2
    })
    const interrupted = start(["end-users", "import", file], { env: env(proxy.url) })
    const { code: exit, stderr, stdout } = await ended(interrupted)
    expect({ exit, stdout }).toEqual({ exit: signal === "SIGINT" ? 130 : null, stdout: "" })
    if (signal === "SIGINT") {
      expect(stderr).toMatch(/^interrupted: [\d,]+ of 2,400 end users are saved; the same command again saves all$/m)
    }
    expect((await count()) - before).toBeLessThan(2_400)
    expect(await answer(["import", file])).toMatchObject({ end_users: 2_400, saved: 2_400 })
    expect(await count()).toBe(before + 2_400)
    for (const i of [0, 1_200, 2_399]) {
      expect(await find(`${name}${i}@crowd.example`)).toMatchObject({
        bookmarks: [{ postcode: code, label: `Home ${i}` }]
      })
    }
  })
})
