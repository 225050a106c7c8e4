/** `postcode archive`, `restore --until` and `revocations`, with encrypted files and the built command. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { type Attempt, runClient, type Scene } from "@postcode/drills/Clients"
import { type DataFolder, dataFolder } from "@postcode/drills/DataFolders"
import { importForClients, makePayers } from "@postcode/drills/Payers"
import { connectToFolder } from "@postcode/drills/postgres"
import { runProcess, start, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { findWrong, readLedger, unequalBalances } from "@postcode/drills/Verdict"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { randomNumbers } from "../../../../test/RandomNumbers.ts"

const env = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_ADDRESS_RATE_LIMIT: "1000000"
}

/** Made for this test. */
const recipient = "age1u9axk25fzqr6wx3yd3vcu9j78y6u569kafklvuqhqgulhmjv0s9qk497nq"
const identity = "AGE-SECRET-KEY-165P6LHU4EY583DE8JFUW5JYATZR2CE490PWQ9W9R7UVPQ2YH34MSMTCY8J"

const polling = { timeout: 60_000, interval: 50 }

/** Starts the archive of a data folder, and waits until it has something. */
const startArchive = async (data: string, folder: string) => {
  const child = start(["archive", "--data", data, "--folder", folder, "--recipient", recipient])
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve))
  await vi.waitFor(() => expect(stderr).toContain("the log is archived up to"), polling)
  return {
    stop: async () => {
      child.kill("SIGTERM")
      return await closed
    }
  }
}

const archivedAt = async (data: string): Promise<string> =>
  JSON.parse(await readFile(join(data, "archive.json"), "utf8")).at

describe("a data folder whose log is archived, after its disk is lost", () => {
  let backups: Awaited<ReturnType<typeof temporaryFolder>>
  let lost: DataFolder
  let file: string
  let keys: string
  const attempts: Array<Attempt> = []
  let moment: { readonly ms: number; readonly time: string }
  let revoked: string
  let archived: string

  beforeAll(async () => {
    backups = await temporaryFolder()
    lost = await dataFolder()
    keys = join(backups.path, "keys.txt")
    await writeFile(keys, `${identity}\n`)
    const data = lost.path
    const postcodes = await importForClients(join(backups.path, "nigeria"), { POSTCODE_DATA: data })
    const service = await startService(["--data", data], env)
    const archive = await startArchive(data, backups.path)
    const port = Number(new URL(service.url).port)
    const scene: Scene = { ports: [port], payers: await makePayers(port), postcodes }
    const abort = new AbortController()
    const clients = Array.from({ length: 6 }, (_, i) =>
      runClient(`c${i}`, scene, randomNumbers(i), abort.signal, (attempt) => void attempts.push(attempt))
    )
    const charged = () => attempts.filter((attempt) => attempt.charged > 0).length
    const untilMore = (count: number) => {
      const enough = charged() + count
      return vi.waitFor(() => expect(charged()).toBeGreaterThan(enough), polling)
    }
    await untilMore(100)
    const taken = await runProcess([
      "backup",
      "--data",
      data,
      "--folder",
      backups.path,
      "--recipient",
      recipient,
      "--json"
    ])
    file = JSON.parse(taken.stdout).file
    await untilMore(100)
    const manage = async (...args: ReadonlyArray<string>) =>
      JSON.parse((await runProcess([...args, "--json", "--data", data], { env })).stdout)
    const { id } = await manage("orgs", "create", "Example Ltd")
    revoked = (await manage("keys", "create", id, "--name", "lost")).id
    // Rounded up, so that it is after all that was answered.
    moment = { ms: performance.now(), time: new Date(Date.now() + 1).toISOString() }
    await untilMore(100)
    await manage("keys", "revoke", revoked)
    const after = new Date().toISOString()
    await vi.waitFor(async () => expect((await archivedAt(data)) > after).toBe(true), polling)
    abort.abort()
    await Promise.all(clients)
    archived = await archivedAt(data)
    await service.stop("SIGKILL")
    process.kill((await lost.postmaster()) as number, "SIGKILL")
    expect(await archive.stop()).toBe(0)
    await vi.waitFor(async () => expect(await lost.postmaster()).toBeUndefined(), polling)
    await rm(data, { recursive: true, force: true, maxRetries: 20 })
  })
  afterAll(async () => {
    await lost[Symbol.asyncDispose]()
    await backups[Symbol.asyncDispose]()
  })

  const restoring = (data: string, until: string, ...flags: ReadonlyArray<string>) =>
    runProcess(["restore", file, "--data", data, "--identity", keys, "--until", until, ...flags])

  const ledgerOf = async (data: string) => {
    await using _service = await startService(["--data", data], env)
    const client = await connectToFolder(data)
    const ledger = await readLedger(client)
    expect(await unequalBalances(client)).toEqual([])
    await client.end()
    return { ...ledger, charges: new Map(ledger.rows.map(({ amount, reference }) => [reference, -amount])) }
  }

  it("is restored to a moment: with each charge from before it, and none from after it", async () => {
    await using data = await dataFolder()
    expect(await restoring(data.path, moment.time)).toMatchObject({ code: 0 })
    const { balances, charges, rows } = await ledgerOf(data.path)
    const before = attempts.filter(({ answered_ms, charged }) => charged > 0 && answered_ms < moment.ms)
    expect(before.length).toBeGreaterThan(200)
    expect(before.filter(({ charged, request_id }) => charges.get(request_id) !== charged)).toEqual([])
    const after = attempts.filter(({ sent_ms }) => sent_ms > moment.ms + 5)
    expect(after.length).toBeGreaterThan(50)
    expect(after.filter(({ request_id }) => charges.has(request_id))).toEqual([])
    const known = attempts.filter(({ request_id }) => charges.has(request_id))
    for (const wrong of Object.values(findWrong(known, rows, balances))) expect(wrong).toEqual([])
  })

  it("is restored to the end of the archive: with all that was confirmed before that", async () => {
    await using data = await dataFolder()
    expect(await restoring(data.path, "latest")).toMatchObject({ code: 0 })
    const { charges } = await ledgerOf(data.path)
    const archived_ms = Date.parse(archived) - performance.timeOrigin - 50
    const before = attempts.filter(({ answered_ms, charged }) => charged > 0 && answered_ms < archived_ms)
    expect(before.length).toBeGreaterThan(300)
    expect(before.filter(({ charged, request_id }) => charges.get(request_id) !== charged)).toEqual([])
    // Its log is that of another copy from now on, and needs another folder.
    await using service = await startService(["--data", data.path], env)
    expect(service.url).toMatch(/^http/)
    await using other = await temporaryFolder()
    const archive = await startArchive(data.path, other.path)
    expect(await archive.stop()).toBe(0)
  })

  it("has keys revoked again that were revoked after the moment", async () => {
    await using data = await dataFolder()
    const saved = join(backups.path, "revocations.jsonl")
    expect(await readFile(saved, "utf8")).toContain(`"id":"${revoked}"`)
    expect(await restoring(data.path, moment.time)).toMatchObject({ code: 0 })
    const missing = `{"kind":"key","organization_id":"org_none","id":"key_none","revoked_at":"2026-01-01T00:00:00.000Z"}\n`
    await writeFile(saved, `${await readFile(saved, "utf8")}${missing}{"kind":"key`)
    const replay = async () =>
      JSON.parse((await runProcess(["revocations", "replay", saved, "--data", data.path, "--json"])).stdout)
    expect(await replay()).toEqual({ revoked: 1, repeated: 0, unknown: 1, unreadable: 1 })
    expect(await replay()).toEqual({ revoked: 0, repeated: 1, unknown: 1, unreadable: 1 })
    await using _service = await startService(["--data", data.path], env)
    const { stdout } = await runProcess(["audit", "--json", "--data", data.path, "--action", "key.revoked"], { env })
    expect(stdout).toContain(revoked)
  })

  it("is refused with a reason if the moment is not in the log, or a part of the log is missing or damaged", async () => {
    await using data = await dataFolder()
    expect(await restoring(data.path, "2036-01-01T00:00:00Z")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error: the archived log ends before 2036-01-01T00:00:00Z/)
    })
    expect(await restoring(data.path, "2026-01-01T00:00:00Z")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error: 2026-01-01T00:00:00Z is before the end of the backup/)
    })
    expect(await restoring(data.path, "yesterday")).toMatchObject({ code: 2 })
    expect(await restoring(data.path, "latest", "--wal", join(backups.path, "nowhere"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("holds no log after the backup")
    })
    const wal = join(backups.path, "wal")
    const pieces = (await readdir(wal)).filter((name) => name.endsWith(".age")).sort()
    const piece = join(wal, pieces.at(-1) as string)
    const content = await readFile(piece)
    await writeFile(piece, content.subarray(0, content.length - 5))
    expect(await restoring(data.path, "latest")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\.gz\.age cannot be used: it is damaged or incomplete/)
    })
    await writeFile(piece, content)
    expect(existsSync(join(data.path, "postgres"))).toBe(false)
  })

  it.skipIf(!existsSync("/usr/bin/age"))("is encrypted as the program age expects it", () => {
    const packed = execFileSync("/usr/bin/age", ["-d", "-i", keys, file], { maxBuffer: 1e9 })
    expect(packed.readUInt16BE(0)).toBe(0x1f8b)
  })
})
