/** `kill -9` of `postcode units apply` and of the service at any moment: each change is applied once, in order. */
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { operatorToken } from "@postcode/conformance/wire"
import { managing } from "@postcode/drills/Management"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { ended, start, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, expect, it } from "vitest"
import { queriesOf } from "../Queries.ts"
import { run } from "../RunCommand.ts"

const database = await makeTestDatabase()
afterAll(database.drop)
const query = queriesOf(database.url)

const count = 20_000
const kills = 8

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const codeOf = (number: number): string => {
  const area = Math.floor(number / 100)
  return `LA-12-C${String(Math.floor(area / 26)).padStart(2, "0")}-B${letters[area % 26]}-${String(number % 100).padStart(2, "0")}`
}

/** Each unit is added, moved and retired, so each change has an effect once, in this order alone. */
const lines = ["add", "move", "retire"].flatMap((change) =>
  Array.from({ length: count }, (_, number) => {
    const place = change === "retire" ? {} : { lat: change === "add" ? 6.6 : 6.7, lng: 3.3 }
    return JSON.stringify({ change, postcode: codeOf(number), ...place })
  })
)

const settings = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_IDENTIFIER_PEPPER: randomBytes(32).toString("hex"),
  POSTCODE_SESSION_KEYS: `first:${randomBytes(32).toString("hex")}`,
  DATABASE_URL: database.url
}

const serve = () => startService([], settings)

it("applies each change once, whatever is killed", { timeout: 400_000 }, async () => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, smallDirectory)
  const file = join(folder.path, "changes.jsonl")
  await writeFile(file, lines.join("\n"))
  expect(
    await run(["import", folder.path, "--data-version", "2026-1"], { env: { DATABASE_URL: database.url } })
  ).toMatchObject({
    code: 0
  })
  let service = await serve()
  const args = ["units", "apply", file, "--reason", "survey", "--allow-removals", "all"]
  for (let kill = 0; kill < kills; kill++) {
    const before = await changes()
    const child = start(args, { env: managing(service.url) })
    const end = ended(child)
    await expect.poll(async () => (await changes()) > before || child.exitCode !== null).toBe(true)
    await setTimeout(100 * kill)
    // Every other time the service first.
    if (kill % 2 === 1) {
      await service.stop("SIGKILL")
      service = await serve()
    }
    child.kill("SIGKILL")
    await end
    expect((await changes()) % 10_000).toBe(0)
  }
  const last = await run([...args, "--json"], { env: managing(service.url) })
  expect(JSON.parse(last.stdout)).toMatchObject({ outcome: "applied", changes: lines.length, batches: 6 })
  const [found] =
    await query(`SELECT count(*)::integer, min(number), max(number), count(DISTINCT postcode)::integer AS units
    FROM postcode.directory_changes`)
  expect(found).toEqual({ count: lines.length, min: 1, max: lines.length, units: count })
  const kinds =
    "SELECT string_agg(kind, ' ' ORDER BY number) AS kinds, count(*)::integer FROM postcode.directory_changes"
  const lives = await query(`SELECT DISTINCT kinds, count FROM (${kinds} GROUP BY postcode) lives`)
  expect(lives).toEqual([{ kinds: "add move retire", count: 3 }])
  expect(await service.stop()).toBe(0)
})

const changes = async (): Promise<number> =>
  Number((await query("SELECT changes FROM postcode.directory_editions WHERE is_current"))[0]?.changes)
