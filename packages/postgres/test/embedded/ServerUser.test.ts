/** The user that PostgreSQL runs as when root starts it. */
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { unprivilegedUser } from "../../src/embedded/ServerUser.ts"

/** A folder with programs in place of the system's, and the accounts that they know: lines of name and id. */
let folder: string
let accounts: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcode-user-"))
  accounts = join(folder, "accounts")
  await writeFile(accounts, "nobody 65534\n")
  await addProgram(
    "id",
    `while read -r name id; do test "$name" = "$2" && echo "$id" && exit; done < ${accounts}; exit 1`
  )
  vi.stubEnv("PATH", folder)
  vi.spyOn(process, "getuid").mockReturnValue(0)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const addProgram = async (name: string, script: string) => {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}

it("is postcode, then postgres, and never nobody: postcode is created and reported", async () => {
  await addProgram("useradd", `echo "$@" >> ${folder}/created; echo "postcode 990" >> ${accounts}`)
  await appendFile(accounts, "postgres 101\n")
  expect(await unprivilegedUser()).toEqual({ uid: 101, gid: 101 })
  await writeFile(accounts, "nobody 65534\n")
  const events: Array<string> = []
  expect(await unprivilegedUser((event) => events.push(event))).toEqual({ uid: 990, gid: 990 })
  expect(events).toEqual(["created the user postcode, as which PostgreSQL runs"])
  expect(await readFile(join(folder, "created"), "utf8")).toMatch(/^--system .* postcode\n$/)
  await appendFile(accounts, "postgres 101\n")
  expect(await unprivilegedUser()).toEqual({ uid: 990, gid: 990 })
})

it("is demanded, with the command that creates it, where it cannot be created", async () => {
  await expect(unprivilegedUser()).rejects.toThrow(
    /needs a user of its own: create one with useradd --system .* postcode/
  )
})
