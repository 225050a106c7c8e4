import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { parseCsv, writeCsv } from "./csvTasks.ts"

const temporary = mkdtempSync(join(tmpdir(), "postcode-bench-test-"))
afterAll(() => rmSync(temporary, { recursive: true }))

describe("parseCsv", () => {
  it("reads a file up to the given position, or to the end of the piece that ends there", async () => {
    const folder = join(temporary, "csv")
    const path = join(folder, "units.csv")
    await writeCsv({ units: 5_000, folder }, () => {})
    expect(await parseCsv({ path, rows: 5_001 })).toMatchObject({ rows: 5_001 })
    const { rows } = await parseCsv({ path, rows: 1_000 })
    expect(rows).toBeGreaterThanOrEqual(1_000)
    expect(rows).toBeLessThan(5_001)
    await expect(parseCsv({ path, rows: 5_002 })).rejects.toThrow("the peer read 5001 rows of 55011 fields")
    appendFileSync(path, "one,two\n")
    await expect(parseCsv({ path, rows: 5_002 })).rejects.toThrow("the peer read 5002 rows of 55013 fields")
  })
})
