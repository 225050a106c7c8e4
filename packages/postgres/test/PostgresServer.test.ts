import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findPostgres, startPostgres } from "@postcode/drills/postgres"
import { afterAll, describe, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "postcode-server-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A folder with programs that write to standard error and exit. */
const programs = (name: string, ...names: ReadonlyArray<string>): string => {
  const path = join(folder, name)
  mkdirSync(path)
  for (const program of names) {
    writeFileSync(join(path, program), `#!/bin/sh\necho "${program} is not here" >&2\n`, { mode: 0o755 })
  }
  return path
}

describe("findPostgres", () => {
  it("finds the first folder that has both programs of the server", () => {
    const none = programs("none")
    const half = programs("half", "initdb")
    const both = programs("both", "initdb", "postgres")
    const more = programs("more", "initdb", "postgres")
    expect(findPostgres([join(folder, "missing"), none, half, both, more])).toBe(both)
    expect(findPostgres([none, half])).toBeUndefined()
  })
})

describe("startPostgres", () => {
  it("fails with the server's message if the server ends instead of answering", async () => {
    chmodSync(folder, 0o755)
    const mute = programs("mute", "initdb", "postgres")
    await expect(startPostgres({ programs: mute, folder: join(folder, "server") })).rejects.toThrow(
      "the PostgreSQL server does not answer: postgres is not here"
    )
  })
})
