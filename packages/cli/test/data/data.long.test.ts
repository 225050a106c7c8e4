/** `--data`: an embedded database from its first start to its last, with the built command. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { sandboxKeys, sandboxUnits } from "@postcode/demo/sandbox"
import { type DataFolder, dataFolder } from "@postcode/drills/DataFolders"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { runProcess, start, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { beforeAll, describe, expect, it } from "vitest"

const manage = async (data: DataFolder, ...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await runProcess([...args, "--json", "--data", data.path])
  if (code !== 0) throw new Error(`postcode ${args.join(" ")} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** The only unit of the small directory. */
const unit = "LA-12-A03-BG-07"

const importSmall = async (data: DataFolder, ...flags: ReadonlyArray<string>) => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, smallDirectory)
  return await manage(data, "import", folder.path, ...flags)
}

describe("a service on a data folder", () => {
  it("has no key of the sandbox after a start with it, nor does a service on a database", async () => {
    await using data = await dataFolder()
    await importSmall(data)
    const database = await makeTestDatabase()
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, smallDirectory)
    const secrets = {
      POSTCODE_OPERATOR_TOKEN: "an-operator-token-for-tests-alone",
      POSTCODE_IDENTIFIER_PEPPER: "a-pepper-for-tests-that-is-long-enough",
      POSTCODE_SESSION_KEYS: "first:a-signing-key-for-tests-that-is-long-enough"
    }
    for (const { env, flags } of [
      { flags: ["--data", data.path], env: {} },
      { flags: ["--database-url", database.url, "--directory", folder.path], env: secrets }
    ]) {
      for (const sandbox of [["--sandbox"], []]) {
        const service = await startService([...flags, ...sandbox], env)
        for (const { key } of Object.values(sandboxKeys)) {
          const headers = { "x-api-key": key }
          const [real, reserved] = await Promise.all(
            [unit, sandboxUnits.complete.postcode].map((code) =>
              fetch(`${service.url}/v1/lookup?code=${code}&level=5`, { headers })
            )
          )
          if (sandbox.length === 0) expect([real?.status, reserved?.status], key).toEqual([401, 401])
          else expect(await real?.text(), key).not.toMatch(/"valid":true|Bank Road/)
        }
        await service.stop()
      }
    }
    await database.drop()
  })

  it("keeps its data after a restart, allows no second service, and is managed without a token", async () => {
    await using data = await dataFolder()
    expect(await importSmall(data)).toMatchObject({ outcome: "imported", units: 1 })
    expect(await data.postmaster()).toBeUndefined()
    expect((await stat(join(data.path, "secrets.env"))).mode & 0o777).toBe(0o600)

    const first = await startService(["--data", data.path])
    expect(first.stderr()).toContain(`storage        ${data.path}: an embedded PostgreSQL`)
    expect(first.stderr()).toContain("1 unit, 1 of them active")
    const { id } = await manage(data, "orgs", "create", "Example Ltd")
    const [second, imported] = await Promise.all([
      runProcess(["serve", "--port", "0", "--data", data.path]),
      importSmall(data, "--force")
    ])
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        `^error: ${data.path} is in use by postcode serve, process ${first.process.pid} on `
      )
    })
    expect(imported).toMatchObject({ outcome: "imported", edition: 2 })

    const env = { POSTCODE_DATA: data.path }
    const [looked, found] = [
      ["lookup", unit],
      ["find", "1 Bank Road, Alausa"]
    ].map((args) => runProcess(args, { env }))
    expect(await looked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^status +valid$/m) })
    expect(await found).toMatchObject({ code: 0, stdout: expect.stringContaining(unit) })

    const secrets = await readFile(join(data.path, "secrets.env"), "utf8")
    const postmaster = (await data.postmaster()) as number
    await first.stop("SIGKILL")
    expect(await data.postmaster()).toBe(postmaster)
    const third = await startService(["--data", data.path])
    expect(await data.postmaster()).not.toBe(postmaster)
    expect(await manage(data, "orgs", "show", id)).toMatchObject({ id, name: "Example Ltd" })
    expect(await readFile(join(data.path, "secrets.env"), "utf8")).toBe(secrets)
    expect(await third.stop()).toBe(0)
    expect(await data.postmaster()).toBeUndefined()
    expect(await runProcess(["complete", "LA-12-A03-BG", "--data", data.path])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(unit)
    })
    expect(await data.postmaster()).toBeUndefined()
    const lookup = await runProcess(["lookup", unit, "--data", data.path])
    expect(lookup).toMatchObject({ code: 1, stderr: expect.stringContaining("no service runs on") })
    const missing = await runProcess(["find", "1 Bank Road", "--data", `${data.path}-missing`])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no folder") })
    const unmanaged = await runProcess(["orgs", "list", "--data", data.path])
    expect(unmanaged).toMatchObject({ code: 1, stderr: expect.stringContaining("no service runs on") })
  })

  it("restarts PostgreSQL after a SIGKILL or SIGINT", async () => {
    await using data = await dataFolder()
    await importSmall(data)
    await using service = await startService(["--data", data.path])
    const { id } = await manage(data, "orgs", "create", "Example Ltd")
    for (const signal of ["SIGKILL", "SIGINT"] as const) {
      const postmaster = (await data.postmaster()) as number
      process.kill(postmaster, signal)
      await expect.poll(() => data.postmaster()).not.toBe(postmaster)
      await expect.poll(async () => (await runProcess(["orgs", "show", id, "--data", data.path])).code).toBe(0)
    }
    expect(service.stderr().match(/runs again"/g)).toHaveLength(2)
  })

  it("imports the demonstration into a new folder, and reports it", async () => {
    await using data = await dataFolder()
    await using service = await startService(["--data", data.path])
    expect(service.stderr()).toContain("no directory yet: importing the demonstration, whose units are invented")
    expect(service.stderr()).toContain("250,000 units")
    expect(service.stderr()).toMatch(/the demonstration: real states .*\n +without --data, it has keys and a page/)
    expect(service.stderr()).toMatch(/# Your directory, in place of the demonstration\n {2}postcode import PATH$/m)
  })

  it("starts once if two services start on a new folder at the same time", async () => {
    await using data = await dataFolder()
    const children = [1, 2].map(() => start(["serve", "--port", "0", "--data", data.path]))
    const outcomes = await Promise.all(
      children.map(
        (child) =>
          new Promise<string>((resolve) => {
            let stderr = ""
            child.stderr.setEncoding("utf8").on("data", (text: string) => {
              stderr += text
              if (/^ready /m.test(stderr)) resolve("ready")
            })
            child.once("close", () => resolve(stderr))
          })
      )
    )
    expect(outcomes.sort()).toEqual([expect.stringMatching(/is in use by postcode serve, process \d+/), "ready"])
    await Promise.all(children.map((child) => child.exitCode ?? end(child)))
  })
})

const end = (child: ReturnType<typeof start>): Promise<unknown> => {
  const ended = new Promise((resolve) => child.once("close", resolve))
  child.kill("SIGTERM")
  return ended
}

describe("a folder whose data cannot be served", () => {
  let data: DataFolder
  beforeAll(async () => {
    data = await dataFolder()
    await importSmall(data)
    return () => data[Symbol.asyncDispose]()
  })
  const serve = (env: Readonly<Record<string, string>> = {}) =>
    runProcess(["serve", "--port", "0", "--data", data.path], { env })

  it("is refused if the pepper is missing or different", async () => {
    const file = join(data.path, "secrets.env")
    const secrets = await readFile(file, "utf8")
    await rm(file)
    const pepper = "another-pepper-for-tests-and-nothing-else"
    expect((await serve()).stderr).toMatch(/^error: .*secrets.env has no POSTCODE_IDENTIFIER_PEPPER/m)
    await writeFile(file, secrets)
    const other = await serve({ POSTCODE_IDENTIFIER_PEPPER: pepper })
    expect(other.stderr).toMatch(/^error: POSTCODE_IDENTIFIER_PEPPER is another one than in .*secrets\.env/m)
    const kept = /PEPPER=1:(.*)/.exec(secrets)?.[1]
    await using _ = await startService(["--data", data.path], { POSTCODE_IDENTIFIER_PEPPER: `2:${pepper},1:${kept}` })
  })

  it("is refused with data of another major version", async () => {
    const file = join(data.path, "postgres", "PG_VERSION")
    await writeFile(file, "17\n")
    expect(await serve()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: \S+ holds data of PostgreSQL 17, and these programs are of PostgreSQL 18\.\d+: name the folder of the right programs with --postgres-bin \(POSTCODE_POSTGRES_BIN\), or use the version of postcode that wrote it\n$/
      )
    })
    await writeFile(file, "18\n")
  })

  it("is reported with the reason if PostgreSQL does not start", async () => {
    const file = join(data.path, "postgres", "global", "pg_control")
    const control = await readFile(file)
    await writeFile(file, control.subarray(0, 100))
    const { code, stderr } = await serve()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: PostgreSQL in .* does not start: .*pg_control.*; .*postgres\.log has more$/m)
    await writeFile(file, control)
  })
})

it("starts although another program has the process id of a server that was killed with its machine", async () => {
  await using data = await dataFolder()
  await importSmall(data)
  // As after the restart of a container: the ids are given anew.
  const lines = [process.pid, join(data.path, "postgres"), 1_700_000_000, 5432, join(data.path, "socket"), "", "1 1"]
  const file = join(data.path, "postgres", "postmaster.pid")
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  const other = start(["serve", "--port", "0"])
  const owned = `${other.pid}\n${lines.slice(1).join("\n")}\n`
  await writeFile(file, owned)
  if (process.getuid?.() === 0) await chmod(file, 0o644)
  expect(await importSmall(data, "--force")).toMatchObject({ edition: 2 })
  await end(other)
})

describe("a folder that cannot be used", () => {
  it("is refused if it holds something else, or its path is too long", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "letter.txt"), "")
    const { code, stderr } = await runProcess(["serve", "--data", folder.path])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${folder.path} holds something else, such as letter.txt: name an empty folder, or one that is missing\n`
    })
    const long = join(folder.path, "a".repeat(100))
    await mkdir(long)
    expect((await runProcess(["serve", "--data", long])).stderr).toMatch(/^error: the path .* is too long for a socket/)
  })
})
