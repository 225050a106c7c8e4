import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import {
  type BackupRecord,
  backupRecords,
  recordBackup,
  removeOldBackups
} from "../../src/embedded/backup/BackupRecords.ts"
import { type DataFolder, dataFolder } from "../../src/embedded/DataFolder.ts"

let data: DataFolder
let folder: string
beforeEach(async () => {
  data = await dataFolder(await mkdtemp(join(tmpdir(), "postcode-data-")))
  folder = await mkdtemp(join(tmpdir(), "postcode-backups-"))
})
afterEach(async () => {
  for (const path of [data.path, folder]) await rm(path, { recursive: true, force: true })
})

/** A file that a backup of this data folder has written. */
const written = async (name: string, at: string): Promise<BackupRecord> => {
  const record = { file: join(folder, name), at, bytes: 1, segment: "000000010000000000000003" }
  await writeFile(record.file, "")
  await recordBackup(data, record)
  return record
}

it("the oldest backups of the data folder are deleted, and no other file", async () => {
  await writeFile(join(folder, "postcode-2020-01-01T000000Z.backup"), "of another data folder")
  await written("b", "2026-01-02T00:00:00.000Z")
  await written("a", "2026-01-01T00:00:00.000Z")
  await written("c", "2026-01-03T00:00:00.000Z")
  const newest = await written("d", "2026-01-04T00:00:00.000Z")
  expect(await removeOldBackups(data, newest, 4)).toEqual([])
  expect(await removeOldBackups(data, newest, 2)).toEqual([join(folder, "a"), join(folder, "b")])
  expect((await readdir(folder)).sort()).toEqual(["c", "d", "postcode-2020-01-01T000000Z.backup"])
  expect((await backupRecords(data.path)).map(({ at }) => at)).toEqual([
    "2026-01-03T00:00:00.000Z",
    "2026-01-04T00:00:00.000Z"
  ])
})

it("the new backup stays, although the clock was set back", async () => {
  await written("future", "2036-01-01T00:00:00.000Z")
  const newest = await written("new", "2026-01-01T00:00:00.000Z")
  expect(await removeOldBackups(data, newest, 1)).toEqual([join(folder, "future")])
  expect(await readdir(folder)).toEqual(["new"])
})

it("files that a person has deleted do not count", async () => {
  await written("a", "2026-01-01T00:00:00.000Z")
  await written("b", "2026-01-02T00:00:00.000Z")
  await rm(join(folder, "b"))
  const newest = await written("c", "2026-01-03T00:00:00.000Z")
  expect(await removeOldBackups(data, newest, 2)).toEqual([])
  expect(await readdir(folder)).toEqual(["a", "c"])
})

it("what is left of a backup that was killed is deleted after a day", async () => {
  const killed = [
    "postcode-2026-01-01T020000Z.backup.unfinished-12",
    "postcode-2026-01-01T020000Z.backup.age.unfinished-3"
  ]
  const others = [
    "postcode-2026-01-02T020000Z.backup.unfinished-12",
    "postcode-2026-01-01T020000Z.backup",
    "a.unfinished-1"
  ]
  for (const name of [...killed, ...others]) await writeFile(join(folder, name), "")
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400
  for (const name of [...killed, ...others.slice(1)]) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo)
  const newest = await written("new", "2026-01-03T00:00:00.000Z")
  await removeOldBackups(data, newest, 1)
  expect(await readdir(folder)).toEqual(expect.arrayContaining([...others, "new"]))
  expect(await readdir(folder)).toHaveLength(4)
})

it("without a readable list, nothing is deleted", async () => {
  const newest = await written("a", "2026-01-01T00:00:00.000Z")
  await writeFile(data.backups, "[{")
  expect(await backupRecords(data.path)).toEqual([])
  expect(await removeOldBackups(data, newest, 1)).toEqual([])
  expect(await readdir(folder)).toEqual(["a"])
})
