import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { readCsv } from "./csvReaders.ts"
import { writeCsv } from "./writeCsv.ts"

const temporary = mkdtempSync(join(tmpdir(), "postcode-bench-test-"))
afterAll(() => rmSync(temporary, { recursive: true }))

describe("readCsv", () => {
  it("reads a file up to the given position, or to the end of the piece that ends there", async () => {
    const folder = join(temporary, "csv")
    const path = join(folder, "units.csv")
    await writeCsv({ units: 5_000, folder }, () => {})
    const read = (rows: number) => readCsv({ reader: "papaparse", path, rows, folder })
    expect(await read(5_001)).toMatchObject({ rows: 5_001 })
    const { rows } = await read(1_000)
    expect(rows).toBeGreaterThanOrEqual(1_000)
    expect(rows).toBeLessThan(5_001)
    await expect(read(5_002)).rejects.toThrow("the peer read 5001 rows of 55011 fields")
    appendFileSync(path, "one,two\n")
    await expect(read(5_002)).rejects.toThrow("the peer read 5002 rows of 55013 fields")
  })
})
