/** `postcode backup` and `postcode restore`, with the built command. */
import { readFile, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { type Attempt, lookUpOnce, runClient, type Scene } from "@postcode/drills/Clients"
import { type DataFolder, dataFolder } from "@postcode/drills/DataFolders"
import { importForClients, makePayers } from "@postcode/drills/Payers"
import { connectToFolder } from "@postcode/drills/postgres"
import { runProcess, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { findWrong, readLedger, unequalBalances } from "@postcode/drills/Verdict"
import { beforeAll, describe, expect, it } from "vitest"
import { randomNumbers } from "../../../../test/RandomNumbers.ts"

const env = {
  POSTCODE_OPERATOR_TOKEN: operatorToken,
  POSTCODE_KEY_RATE_LIMIT: "1000000",
  POSTCODE_ADDRESS_RATE_LIMIT: "1000000"
}

it("a backup under load contains every charge that was confirmed before it, and is consistent", async () => {
  await using folder = await temporaryFolder()
  await using data = await dataFolder()
  await using restored = await dataFolder()
  const file = join(folder.path, "backup")
  const postcodes = await importForClients(join(folder.path, "nigeria"), { POSTCODE_DATA: data.path })
  const attempts: Array<Attempt> = []
  const record = (attempt: Attempt): void => void attempts.push(attempt)
  let began_ms = 0
  let scene: Scene
  {
    await using service = await startService(["--data", data.path], env)
    const port = Number(new URL(service.url).port)
    scene = { ports: [port], payers: await makePayers(port), postcodes }
    const abort = new AbortController()
    const clients = Array.from({ length: 12 }, (_, i) =>
      runClient(`c${i}`, scene, randomNumbers(i), abort.signal, record)
    )
    const charged = () => attempts.filter((attempt) => attempt.charged > 0).length
    await expect.poll(charged).toBeGreaterThan(300)
    began_ms = performance.now()
    const { code, stdout } = await runProcess(["backup", "--data", data.path, "-o", file, "--json"])
    expect(code).toBe(0)
    const { size, mode } = await stat(file)
    expect(JSON.parse(stdout)).toMatchObject({ file, bytes: size })
    expect(mode & 0o777).toBe(0o600)
    const before = charged()
    await expect.poll(charged).toBeGreaterThan(before + 100)
    abort.abort()
    await Promise.all(clients)
  }
  const answered = attempts.filter((attempt) => attempt.charged > 0 && attempt.answered_ms < began_ms)
  expect(answered.length).toBeGreaterThan(300)

  expect((await runProcess(["restore", file, "--data", restored.path])).code).toBe(0)
  await using service = await startService(["--data", restored.path], env)
  const client = await connectToFolder(restored.path)
  const { balances, rows } = await readLedger(client)
  const charges = new Map(rows.map(({ amount, reference }) => [reference, -amount]))
  expect(answered.filter(({ charged, request_id }) => charges.get(request_id) !== charged)).toEqual([])
  // What was answered later may be there or not, but nothing is there twice or half.
  const known = attempts.filter(({ request_id }) => charges.has(request_id))
  expect(charges.size).toBeLessThan(attempts.filter((attempt) => attempt.charged > 0).length)
  for (const wrong of Object.values(findWrong(known, rows, balances))) expect(wrong).toEqual([])
  expect(await unequalBalances(client)).toEqual([])
  await client.end()
  const again = { ...scene, ports: [Number(new URL(service.url).port)] }
  expect(await lookUpOnce("after", again, scene.payers[0] as Scene["payers"][number], record)).toBe(200)
})

describe("a backup of a folder whose service does not run", () => {
  let data: DataFolder
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let file: string
  beforeAll(async () => {
    data = await dataFolder()
    folder = await temporaryFolder()
    file = join(folder.path, "backup")
    await writeFiles(folder.path, smallDirectory)
    await runProcess(["import", folder.path, "--data", data.path])
    await runProcess(["backup", "--data", data.path, "--output", file])
    return async () => {
      await folder[Symbol.asyncDispose]()
      await data[Symbol.asyncDispose]()
    }
  })

  it("is replaced only with --force", async () => {
    const args = ["backup", "--data", data.path, "-o", file]
    const { mtimeMs } = await stat(file)
    expect(await runProcess(args)).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") })
    expect((await stat(file)).mtimeMs).toBe(mtimeMs)
    expect((await runProcess([...args, "--force"])).code).toBe(0)
    expect((await stat(file)).mtimeMs).not.toBe(mtimeMs)
  })

  it("is restored with its secrets, and only into a folder without data", async () => {
    await using other = await dataFolder()
    expect((await runProcess(["restore", file, "--data", other.path])).code).toBe(0)
    const secrets = [data.path, other.path].map((path) => readFile(join(path, "secrets.env"), "utf8"))
    expect(await secrets[1]).toBe(await secrets[0])
    expect((await stat(join(other.path, "secrets.env"))).mode & 0o777).toBe(0o600)
    await using service = await startService(["--data", other.path])
    expect(service.stderr()).toContain("1 unit, 1 of them active")
    expect(await runProcess(["restore", file, "--data", other.path])).toMatchObject({
      code: 1,
      stderr: `error: ${other.path} holds data already: restore into another folder, and serve that\n`
    })
  })

  it("is refused if any byte was altered or cut off, and the folder stays empty", async () => {
    const whole = await readFile(file)
    const damaged = join(folder.path, "damaged")
    const random = randomNumbers(1)
    for (let i = 0; i < 12; i++) {
      await using other = await dataFolder()
      const position = Math.floor(random() * whole.length)
      if (i % 2 === 0) {
        await writeFile(damaged, whole)
        await truncate(damaged, position)
      } else {
        const altered = Buffer.from(whole)
        altered[position] = (altered[position] as number) ^ (1 << Math.floor(8 * random()))
        await writeFile(damaged, altered)
      }
      const { code, stderr } = await runProcess(["restore", damaged, "--data", other.path])
      expect({ i, position, code, stderr }).toMatchObject({
        code: 1,
        // On a busy machine it takes long enough to report progress first.
        stderr: expect.stringMatching(
          /^(restoring .*\n)*error: .*damaged was not restored: it is (damaged or incomplete|not a backup)\n$/
        )
      })
      await expect(stat(join(other.path, "postgres"))).rejects.toThrow("ENOENT")
    }
  })

  it("leaves no file if it is interrupted or cannot be written", async () => {
    const nowhere = await runProcess(["backup", "--data", data.path, "-o", join(folder.path, "nowhere", "file")])
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: .*file was not written: /) })
    await using empty = await dataFolder()
    const nothing = await runProcess(["backup", "--data", empty.path, "-o", join(folder.path, "file")])
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining("holds no data") })
  })
})
