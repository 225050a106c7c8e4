import { appendFile, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it } from "vitest"
import { saveRevocations } from "../../src/keys/Revocations.ts"

const file = join(tmpdir(), `postcode-revocations-${process.pid}.jsonl`)
afterEach(() => rm(file, { force: true }))

const row = (id: string) => ({ kind: "key", organization_id: "org_a", id, revoked_at: new Date(0) })
const connection = (...ids: ReadonlyArray<string>) => ({ query: async () => ({ rows: ids.map(row) }) }) as never

it("a line that was interrupted costs no other line, and is saved again", async () => {
  expect(await saveRevocations(connection("a"), file)).toBe(1)
  await appendFile(file, '{"kind":"key","organization_id":"org_a","id":"b')
  expect(await saveRevocations(connection("a", "b"), file)).toBe(1)
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n")
  expect(lines.map((line) => /"id":"(.*?)"/.exec(line)?.[1])).toEqual(["a", undefined, "b"])
  expect(await saveRevocations(connection("a", "b"), file)).toBe(0)
})
