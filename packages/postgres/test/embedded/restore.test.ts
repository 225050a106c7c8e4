import { execFileSync } from "node:child_process"
import { createWriteStream } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { restore } from "../../src/embedded/backup/restore.ts"
import { tarEnd, tarHeader } from "../../src/embedded/backup/Tar.ts"
import { dataFolder } from "../../src/embedded/DataFolder.ts"
import { serverUser, unprivilegedUser } from "../../src/embedded/ServerUser.ts"
import { about, type BackupEntry, clusterEntry, tarEntry, writeBackup } from "./BackupFile.ts"

const signal = new AbortController().signal
const isRoot = process.getuid?.() === 0

let folder: string
let file: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcode-restore-"))
  // PostgreSQL runs as another user than root.
  await chmod(folder, 0o755)
  file = join(folder, "backup")
  path = join(folder, "data")
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
})

const restoring = (reserve_bytes?: number) =>
  restore(file, { path, signal, ...(reserve_bytes !== undefined && { reserve_bytes }) })

/** Refuses it, and leaves nothing of it. */
const expectRefusal = async (message: RegExp, reserve_bytes?: number) => {
  await expect(restoring(reserve_bytes)).rejects.toThrow(message)
  expect((await readdir(path)).filter((name) => name.startsWith("postgres"))).toEqual([])
}

describe("a hostile backup", () => {
  it("gives the restored server no configuration: the files of the backup are replaced", async () => {
    const names = ["postgresql.conf", "postgresql.auto.conf", "pg_hba.conf", "pg_ident.conf"]
    await writeBackup(file, [about, ...names.map((name) => clusterEntry(name, "archive_command = 'touch taken'"))])
    await restoring()
    for (const name of names) {
      expect(await readFile(join(path, "postgres", name), "utf8"), name).not.toContain("archive_command")
    }
    await rm(path, { recursive: true })
    await writeBackup(file, [about])
    await restoring()
    expect((await readdir(join(path, "postgres"))).sort()).toEqual(names.sort())
  })

  const refused: ReadonlyArray<readonly [name: string, entries: ReadonlyArray<BackupEntry>]> = [
    ["a signal of a recovery", [clusterEntry("recovery.signal")]],
    ["a signal of a standby", [clusterEntry("standby.signal")]],
    ["a map of tablespaces", [clusterEntry("tablespace_map", "16384 /etc\n")]],
    ["a tablespace", [clusterEntry("pg_tblspc/"), clusterEntry("pg_tblspc/16384/")]],
    ["a process id", [clusterEntry("postmaster.pid", "1\n")]],
    ["a path upwards", [clusterEntry("../stolen", "")]],
    ["a name with an empty part", [clusterEntry("base//1", "")]],
    ["a name with a dot", [clusterEntry("base/"), clusterEntry("base/./1")]],
    ["a file twice", [clusterEntry("PG_VERSION", "18\n"), clusterEntry("PG_VERSION", "18\n")]],
    ["a replaced file of configuration", [clusterEntry("postgresql.conf"), clusterEntry("postgresql.conf")]],
    ["a folder of a file's name", [clusterEntry("pg_hba.conf/"), clusterEntry("pg_hba.conf/1")]],
    ["a second description", [about]],
    ["a file beside the data", [["service.json", "{}"]]],
    ["long secrets", [["secrets.env", Buffer.alloc(100_000, "a")]]],
    ["a long version", [clusterEntry("PG_VERSION", Buffer.alloc(1_000, "1"))]],
    ["a long label", [clusterEntry("backup_label", Buffer.alloc(100_000, "a"))]]
  ]
  it.each(refused)("is refused with %s", async (_, entries) => {
    await writeBackup(file, [about, ...entries])
    await expectRefusal(/^.*backup was not restored: it (is damaged|holds) /)
  })

  it.each([
    ["a hard link", "1"],
    ["a link", "2"],
    ["a device", "3"],
    ["a pipe", "6"],
    ["an extended header", "x"],
    ["a sparse file", "S"]
  ])("is refused with %s", async (_, kind) => {
    const header = tarHeader({ name: "postgres/base", size: 0 }, new Date(0))
    header.write(kind, 156)
    header.write("        ", 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148)
    await pipeline(Readable.from([...tarEntry(...about), header, tarEnd]), createGzip(), createWriteStream(file))
    await expectRefusal(/: it holds an entry that is neither a file nor a folder$/)
  })

  it.each([
    ["no object", "null"],
    ["no JSON", "{"],
    ["no version", JSON.stringify({ format: "postcode-backup-1" })],
    ["no text", JSON.stringify({ format: "postcode-backup-1", postgres: "18.1", at: "\u001b[2J" })],
    ["another format", JSON.stringify({ format: "\u001b[2J", postgres: "18.1", at: "2026-01-31T12:00:00.000Z" })]
  ])("is refused if its description has %s, without repeating it", async (_, text) => {
    await writeBackup(file, [["backup.json", text]])
    await expectRefusal(/^.*backup was not restored: it is not a backup\b[ -~]*$/)
  })

  it("is refused before it fills the disk", async () => {
    await writeBackup(file, [about, clusterEntry("large", Buffer.alloc(1e7))])
    await expectRefusal(/: the disk has too little space for its files$/, Number.MAX_SAFE_INTEGER)
    await restoring()
    expect((await stat(join(path, "postgres", "large"))).size).toBe(1e7)
  })
})

describe.runIf(isRoot)("as root", () => {
  it("data of nobody is refused", async () => {
    const nobody = Number(execFileSync("id", ["-u", "nobody"], { encoding: "utf8" }))
    await mkdir(join(path, "postgres"), { recursive: true, mode: 0o755 })
    await chown(join(path, "postgres"), nobody, nobody)
    await expect(serverUser(await dataFolder(path))).rejects.toThrow(
      /belongs to nobody, and PostgreSQL does not run as nobody: chown -R postcode /
    )
  })

  it("no command uses a folder that another user may alter", async () => {
    const user = (await unprivilegedUser()) as { readonly uid: number; readonly gid: number }
    await writeBackup(file, [about])
    await mkdir(path, { mode: 0o755 })
    await chown(path, user.uid, user.gid)
    await expect(restoring()).rejects.toThrow(/data belongs to another user \(\d+\).*: run this as that user, or /)
    await chown(path, 0, 0)
    await chmod(path, 0o777)
    await expect(restoring()).rejects.toThrow(/data may be altered by other users: chmod go-w /)
    await chmod(path, 0o755)
    await chmod(folder, 0o777)
    await expect(restoring()).rejects.toThrow(/postcode-restore-\w+ may be altered by other users: chmod go-w /)
    await chmod(folder, 0o1777)
    await restoring()
    expect((await stat(join(path, "postgres"))).uid).toBe(user.uid)
  })
})

it("a link in place of the folder is followed once, by its name", async () => {
  await writeBackup(file, [about])
  await mkdir(join(folder, "real"), { mode: 0o755 })
  await symlink(join(folder, "real"), path)
  await restoring()
  expect(await readdir(join(folder, "real"))).toContain("postgres")
})
