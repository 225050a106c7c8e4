/** `postcode serve --database-url`: when the start is refused, and why. */

import { operatorToken } from "@postcode/conformance/wire"
import { environmentOn } from "@postcode/drills/Installation"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

describe("the start", () => {
  const url = "postgresql://postcode:a-password@127.0.0.1:1/postcode"

  it("is refused without the secrets that all replicas share", async () => {
    const { code, stderr } = await run(["serve"], { env: { DATABASE_URL: url } })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^error: POSTCODE_OPERATOR_TOKEN, POSTCODE_IDENTIFIER_PEPPER and POSTCODE_SESSION_KEYS: needed with a database/
    )
    const env = { DATABASE_URL: url, POSTCODE_OPERATOR_TOKEN: operatorToken }
    expect((await run(["serve"], { env })).stderr).toMatch(
      /^error: POSTCODE_IDENTIFIER_PEPPER and POSTCODE_SESSION_KEYS: needed/
    )
  })

  it.each(["mysql://u:a-password@host/name", "postgresql://u:a-password@host", "a-password"])(
    "is refused with an invalid address, which is not repeated: %s",
    async (wrong) => {
      const { code, stderr } = await run(["serve", "--database-url", wrong])
      expect(code).toBe(2)
      expect(stderr).toContain("--database-url: expected the address of a PostgreSQL database")
      expect(stderr).not.toContain("a-password")
    }
  )

  it("explains how to import if there is no directory, and reports a database that does not exist", async () => {
    const { drop, url } = await makeTestDatabase()
    const empty = await run(["serve"], { env: environmentOn(url) })
    expect(empty.code).toBe(1)
    expect(empty.stderr).toMatch(
      /^error: the database holds no directory yet: .*postcode import PATH.*--directory PATH$/m
    )
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const first = ["import", folder.path, "--if-empty", "--json", "--database-url", url]
    expect(JSON.parse((await run(first)).stdout)).toMatchObject({ outcome: "imported", edition: 1 })
    await writeFiles(folder.path, { "places.csv": "code,name,zone\nLA,Lagos,South West\n" })
    expect(JSON.parse((await run(first)).stdout)).toMatchObject({ outcome: "unchanged", edition: 1 })
    await drop()
    const missing = await run(["serve"], { env: environmentOn(url) })
    expect(missing.code).toBe(1)
    expect(missing.stderr).toMatch(
      /^error: the database 127\.0\.0\.1:\d+\/test_\w+ cannot be used: .* does not exist$/m
    )
  })
})
