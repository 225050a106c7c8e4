/** Hostile backups on a real server, and hostile users beside root. */
import { type ChildProcess, spawn } from "node:child_process"
import { createWriteStream, existsSync, rmSync, symlinkSync, truncateSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { backUp } from "../../src/embedded/backup/backUp.ts"
import { restore } from "../../src/embedded/backup/restore.ts"
import { tarEnd, tarHeader } from "../../src/embedded/backup/Tar.ts"
import { dataFolder } from "../../src/embedded/DataFolder.ts"
import { openEmbedded } from "../../src/embedded/openEmbedded.ts"
import { connectTo } from "../../src/embedded/ServerConnection.ts"
import { unprivilegedUser } from "../../src/embedded/ServerUser.ts"
import { about, type BackupEntry, clusterEntry, readBackup, tarEntry, writeBackup } from "./BackupFile.ts"

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

const restoring = () => restore(file, { path, signal })

/** Refuses it, and leaves nothing of it. */
const expectRefusal = async (message: RegExp) => {
  await expect(restoring()).rejects.toThrow(message)
  expect((await readdir(path)).filter((name) => name.startsWith("postgres"))).toEqual([])
}

it("a backup that cannot be read back replaces no older one", async () => {
  const options = { purpose: "a test", connections: 2, onEvent: () => {} }
  const opened = await openEmbedded({ path: join(folder, "source"), ...options }, signal)
  await writeFile(file, "the only good one")
  const unfinished = `${file}.unfinished-${process.pid}`
  let isDamaged = false
  const onProgress = (done_bytes: number) => {
    if (isDamaged || done_bytes < 5_000_000) return
    truncateSync(unfinished, 0)
    isDamaged = true
  }
  await expect(
    backUp(opened.folder, { output: file, replace: true, signal, onProgress }).finally(opened.close)
  ).rejects.toThrow(/backup was not written: it is damaged or incomplete$/)
  expect(isDamaged).toBe(true)
  expect(await readFile(file, "utf8")).toBe("the only good one")
  expect(existsSync(unfinished)).toBe(false)
})

describe("a hostile backup", () => {
  it("takes no memory for entries that are larger than they may be", async () => {
    const block = Buffer.alloc(1 << 20)
    const size = 512 << 20
    const contents = function* (entry: string) {
      yield* tarEntry(...about)
      yield tarHeader({ name: entry, size }, new Date(0))
      for (let written = 0; written < size; written += block.length) yield block
      yield tarEnd
    }
    for (const entry of ["backup.json", "secrets.env", "postgres/PG_VERSION", "SHA256SUMS"]) {
      await pipeline(Readable.from(contents(entry)), createGzip({ level: 1 }), createWriteStream(file))
      const before = process.memoryUsage().rss
      await expectRefusal(/backup was not restored/)
      expect(process.memoryUsage().rss - before, entry).toBeLessThan(size / 4)
    }
  })

  it("runs no command after it is restored and served", async () => {
    const source = join(folder, "source")
    const taken = join(folder, "taken")
    await mkdir(taken)
    await chmod(taken, 0o777)
    const options = { purpose: "a test", connections: 2, onEvent: () => {} }
    const opened = await openEmbedded({ path: source, ...options }, signal)
    await backUp(opened.folder, { output: file, replace: false, signal }).finally(opened.close)
    const command = `touch ${taken}/`
    const settings = `archive_mode = on\narchive_command = '${command}archive'\nrestore_command = '${command}restore'
      archive_cleanup_command = '${command}cleanup'\nssl_passphrase_command = '${command}ssl'\n`
    const entries = await readBackup(file)
    const altered = entries.map(([name, content]): BackupEntry => {
      const isConfiguration = /^postgres\/postgresql(\.auto)?\.conf$/.test(name)
      return [name, isConfiguration ? Buffer.concat([Buffer.from(content as Buffer), Buffer.from(settings)]) : content]
    })
    await writeBackup(file, altered)
    await restoring()
    // Configuration files of a data folder are ignored, too: ALTER SYSTEM or another user may have changed them.
    const configuration = join(path, "postgres", "postgresql.auto.conf")
    await writeFile(configuration, settings)
    let unfixed: ReadonlyArray<unknown> = []
    const served = await openEmbedded({ path, ...options }, signal)
    try {
      const connection = await connectTo(await dataFolder(path), "a test")
      if (connection === undefined) throw new Error("no connection")
      await connection.client.query("CREATE TABLE written (x int); SELECT pg_switch_wal()")
      await connection.client.query("CHECKPOINT")
      const { rows } = await connection.client.query(
        "SELECT name, setting FROM pg_settings WHERE name = ANY($1) AND source NOT IN ('command line', 'override')",
        [dangerous]
      )
      await connection.end()
      unfixed = rows
    } finally {
      await served.close()
    }
    expect({ run: await readdir(taken), unfixed }).toEqual({ run: [], unfixed: [] })
  })
})

/** Settings that name a command, a library or another server. */
const dangerous = [
  "archive_mode",
  "archive_command",
  "archive_library",
  "restore_command",
  "archive_cleanup_command",
  "recovery_end_command",
  "primary_conninfo",
  "shared_preload_libraries",
  "session_preload_libraries",
  "local_preload_libraries",
  "dynamic_library_path",
  "extension_control_path",
  "jit_provider",
  "oauth_validator_libraries",
  "event_triggers",
  "ssl",
  "ssl_passphrase_command",
  "hba_file",
  "ident_file",
  "data_directory"
]

describe.runIf(isRoot)("as root", () => {
  /** A file that only root may read. */
  let secret: string
  beforeEach(async () => {
    await mkdir(join(folder, "root"), { mode: 0o700 })
    secret = join(folder, "root", "secret")
    await writeFile(secret, "only for root", { mode: 0o600 })
  })

  it("a restore gives no file away that another user puts in its way", async () => {
    const user = await unprivilegedUser()
    const names = Array.from({ length: 400 }, (_, i) => `f${i}`)
    await writeBackup(file, [about, ...names.map((name) => clusterEntry(name, name))])
    await mkdir(path, { mode: 0o755 })
    const racer: ChildProcess = spawn(
      "sh",
      [
        "-c",
        `echo ready; while :; do for f in postgres.unfinished-*/f?*[05]; do ln -sfn "$0" "$f"; done; done`,
        secret
      ],
      { cwd: path, uid: user?.uid as number, gid: user?.gid as number, stdio: ["ignore", "pipe", "ignore"] }
    )
    const ended = new Promise((resolve) => racer.once("close", resolve))
    await new Promise((resolve) => racer.stdout?.once("data", resolve))
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        await restoring().catch(() => {})
        expect(await stat(secret)).toMatchObject({ uid: 0, gid: 0 })
        await rm(join(path, "postgres"), { recursive: true, force: true })
      }
    } finally {
      racer.kill("SIGKILL")
      await ended
    }
  })

  it("a backup holds no file that the user of the data puts in its way", async () => {
    const user = (await unprivilegedUser()) as { readonly uid: number; readonly gid: number }
    const options = { purpose: "a test", connections: 2, onEvent: () => {} }
    const { close, folder: data } = await openEmbedded({ path, ...options }, signal)
    try {
      // Whichever is copied first, the other one is replaced before its turn.
      for (const kind of ["folder", "file"] as const) {
        const folders = ["a", "b"].map((name) => join(data.cluster, name))
        for (const each of folders) {
          await mkdir(each)
          await writeFile(join(each, "secret"), "")
        }
        for (const each of folders) for (const p of [each, join(each, "secret")]) await chown(p, user.uid, user.gid)
        let isReplaced = false
        const onProgress = () => {
          if (isReplaced) return
          isReplaced = true
          for (const each of folders) {
            const [link, target] = kind === "folder" ? [each, join(folder, "root")] : [join(each, "secret"), secret]
            rmSync(link, { recursive: true })
            symlinkSync(target, link)
          }
        }
        await expect(backUp(data, { output: file, replace: false, signal, onProgress }), kind).rejects.toThrow(
          /(a|b)\/secret (is a link|does not belong to)/
        )
        await expect(stat(file), kind).rejects.toThrow("ENOENT")
        for (const each of folders) rmSync(each, { recursive: true })
      }
    } finally {
      await close()
    }
  })
})
