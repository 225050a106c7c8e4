import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { expect, it } from "vitest"
import {
  block_bytes,
  DamagedArchive,
  paddingOf,
  readTarHeader,
  tarEnd,
  tarHeader
} from "../../src/embedded/backup/Tar.ts"

const at = new Date("2026-01-31T12:00:00Z")
const part = fc.stringMatching(/^[a-z0-9_.-]{1,40}$/)
const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"))
const entry = fc.oneof(
  fc.record({ name, size: fc.integer({ min: 0, max: 2 ** 33 - 1 }) }),
  fc.record({ name: name.map((path) => `${path}/`), size: fc.constant(0) })
)

it("a header is read as it was written, and refused with any bit changed", () => {
  fc.assert(
    fc.property(entry, fc.nat(block_bytes - 1), fc.nat(7), (written, position, bit) => {
      const header = tarHeader(written, at)
      expect(header).toHaveLength(block_bytes)
      expect(readTarHeader(header)).toEqual(written)
      header[position] = (header[position] as number) ^ (1 << bit)
      expect(() => readTarHeader(header)).toThrow(DamagedArchive)
    })
  )
  expect(readTarHeader(tarEnd.subarray(0, block_bytes))).toBeUndefined()
})

it("tar reads what is written", () => {
  const folder = mkdtempSync(join(tmpdir(), "postcode-tar-"))
  const content = Buffer.from("content")
  const long = `${"a".repeat(60)}/${"b".repeat(60)}`
  const file = (path: string) => [
    tarHeader({ name: path, size: content.length }, at),
    content,
    Buffer.alloc(paddingOf(content.length))
  ]
  writeFileSync(
    join(folder, "archive"),
    Buffer.concat([...file("short"), tarHeader({ name: "folder/", size: 0 }, at), ...file(long), tarEnd])
  )
  const listed = execFileSync("tar", ["-tf", join(folder, "archive")], { encoding: "utf8" })
  expect(listed).toBe(`short\nfolder/\n${long}\n`)
  expect(execFileSync("tar", ["-xOf", join(folder, "archive"), long], { encoding: "utf8" })).toBe("content")
  rmSync(folder, { recursive: true })
})
