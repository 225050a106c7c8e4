// The warnings of a directory at a service. What the checks find is measured by the drill `messy`.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { expect, it } from "vitest"
import { shellOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

it("a service that reads such files has the warnings, and postcode directory shows them", async () => {
  await using folder = await temporaryFolder()
  expect(await run(["demo", folder.path, "--units", "2000"])).toMatchObject({ code: 0 })
  const rows = (await readFile(join(folder.path, "units.csv"), "utf8")).split("\n")
  for (let at = 1; at <= 25; at++) {
    const [postcode, , , ...rest] = (rows[at * 70] as string).split(",")
    rows[at * 70] = [postcode, 0, 0, ...rest].join(",")
  }
  await writeFiles(folder.path, { "units.csv": rows.join("\n") })
  const service = await startService(["--directory", folder.path], { POSTCODE_OPERATOR_TOKEN: operatorToken })
  try {
    const { answer, postcode } = shellOf(() => service)
    const { warnings } = await answer("directory")
    expect(warnings).toContainEqual({
      kind: "null_island",
      meaning: "at latitude 0 and longitude 0",
      count: 25,
      first: expect.arrayContaining([{ line: 71, postcode: rows[70]?.split(",")[0], detail: expect.any(String) }])
    })
    const { stdout } = await postcode("directory")
    expect(stdout).toMatch(/\nwarnings +\d+\n/)
    expect(stdout).toMatch(
      /\n25 null_island: at latitude 0 and longitude 0\n( {2}line [\d]+ {2}.+\n){20} {2}and 5 more\n/
    )
  } finally {
    expect(await service.stop()).toBe(0)
  }
})
