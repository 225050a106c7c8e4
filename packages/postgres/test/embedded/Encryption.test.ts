import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { encrypting, isEncrypted, readIdentities, temporaryKey } from "../../src/embedded/backup/Encryption.ts"
import { readBackup } from "../../src/embedded/backup/readBackup.ts"
import { about, clusterEntry, writeBackup } from "./BackupFile.ts"

const signal = new AbortController().signal

let folder: string
let file: string
let key: Awaited<ReturnType<typeof temporaryKey>>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcode-encryption-"))
  file = join(folder, "backup")
  key = await temporaryKey()
  // Several chunks of 64 KiB, also when it is compressed.
  const noise = Buffer.concat(Array.from({ length: 6_000 }, (_, i) => createHash("sha256").update(`${i}`).digest()))
  await writeBackup(file, [about, clusterEntry("PG_VERSION", "18\n"), clusterEntry("noise", noise)])
  await writeFile(file, await encrypted([key.recipient]))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const encrypted = async (recipients: ReadonlyArray<string>): Promise<Buffer> => {
  const plain = await readFile(file)
  const source = async function* () {
    yield plain
  }
  return await buffer(encrypting(recipients)(source()))
}

const reading = (...identities: ReadonlyArray<string>) => readBackup(file, { signal, identities })

describe("an encrypted backup", () => {
  it("is read with its key, and with one of several", async () => {
    expect(await isEncrypted(file)).toBe(true)
    expect(await reading(key.identity)).toMatchObject({ at: "2026-01-31T12:00:00.000Z" })
    const other = await temporaryKey()
    expect(await reading(other.identity, key.identity)).toMatchObject({ at: "2026-01-31T12:00:00.000Z" })
  })

  it("is not read without a key, or with another one", async () => {
    await expect(reading()).rejects.toThrow(/^it is encrypted: name the file of its key with --identity$/)
    const { identity } = await temporaryKey()
    await expect(reading(identity)).rejects.toThrow(/^it is encrypted to another recipient than that of --identity$/)
  })

  it("is refused if it was altered or cut off anywhere", async () => {
    const whole = await readFile(file)
    expect(whole.length).toBeGreaterThan(150_000)
    const positions = [25, 100, 250, 1_000, 70_000, whole.length - 40, whole.length - 1]
    for (const position of positions) {
      const altered = Buffer.from(whole)
      altered[position] = (altered[position] as number) ^ 1
      for (const content of [altered, whole.subarray(0, position)]) {
        await writeFile(file, content)
        await expect(reading(key.identity), `${position}`).rejects.toThrow(
          /^it is (damaged or incomplete|encrypted to another recipient than that of --identity)$/
        )
      }
    }
  })
})

it("a recipient with a mistake is refused before anything is encrypted", async () => {
  const wrong = key.recipient.replace(/.$/, (last) => (last === "q" ? "p" : "q"))
  await expect(encrypted([wrong])).rejects.toThrow(`${wrong} is not a recipient of age`)
})

describe("a file of keys", () => {
  const keys = join(tmpdir(), `postcode-keys-${process.pid}`)
  afterEach(() => rm(keys, { force: true }))

  it("may have comments and several keys, as age-keygen writes them", async () => {
    const { identity } = await temporaryKey()
    await writeFile(
      keys,
      `# created: 2026-01-31T12:00:00Z\n# public key: ${key.recipient}\n${key.identity}\n\n${identity}\n`
    )
    expect(await readIdentities(keys)).toEqual([key.identity, identity])
  })

  it("is refused with a message that repeats none of it", async () => {
    await expect(readIdentities(keys)).rejects.toThrow(`${keys} cannot be read: ENOENT`)
    const mistaken = key.identity.replace(/.$/, (last) => (last === "Q" ? "P" : "Q"))
    for (const content of ["", `${key.recipient}\n`, `${key.identity} \n`, `${mistaken}\n`]) {
      await writeFile(keys, content)
      await expect(readIdentities(keys)).rejects.toThrow(
        /^\S+ is not a key file: (expected a line that begins with AGE-SECRET-KEY-1|its key has a mistake)$/
      )
    }
  })
})
