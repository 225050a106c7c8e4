/** `--postgres-bin`: a data folder on a PostgreSQL of the machine. npm brings one in another version. */
import { chmod, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { dataFolder } from "@postcode/drills/DataFolders"
import { fetchPrograms } from "@postcode/drills/FetchPrograms"
import { connectToFolder } from "@postcode/drills/postgres"
import { runProcess, startService } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { expect, it } from "vitest"

it("a PostgreSQL of the machine serves a data folder and its backups, and no other programs do", async () => {
  await using folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  await using data = await dataFolder()
  await using restored = await dataFolder()
  const programs = join(folder.path, "programs")
  await fetchPrograms("16.14.0-beta.17", programs)
  const bin = join(programs, "bin")
  const file = join(folder.path, "backup")
  await writeFiles(folder.path, smallDirectory)
  const imported = await runProcess(["import", folder.path, "--data", data.path, "--postgres-bin", bin])
  expect(imported).toMatchObject({ code: 0 })
  {
    await using _service = await startService(["--data", data.path, "--postgres-bin", bin])
    const client = await connectToFolder(data.path)
    const { rows } = await client.query("SHOW server_version")
    await client.end()
    expect(rows[0].server_version).toMatch(/^16\.14/)
    expect(await readdir(data.path)).not.toContain("programs")
    expect(await runProcess(["backup", "--data", data.path, "-o", file])).toMatchObject({ code: 0 })
  }
  expect(await runProcess(["serve", "--data", data.path])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: \S+ holds data of PostgreSQL 16, and these programs are of PostgreSQL 18\.\d+: name the folder .* with --postgres-bin/
    )
  })
  expect(await runProcess(["restore", file, "--data", restored.path])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "was not restored: it is of PostgreSQL 16.14, and these programs are of PostgreSQL 18."
    )
  })
  const env = { POSTCODE_POSTGRES_BIN: bin }
  expect(await runProcess(["restore", file, "--data", restored.path], { env })).toMatchObject({ code: 0 })
  expect(await runProcess(["find", "1 Bank Road, Alausa", "--data", restored.path], { env })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("LA-12-A03-BG-07")
  })
})

it("a PostgreSQL that is too old, not released or missing is refused", async () => {
  await using folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const program = join(folder.path, "postgres")
  const refusal = async () => {
    await using data = await dataFolder()
    const { code, stderr } = await runProcess(["serve", "--data", data.path, "--postgres-bin", folder.path])
    expect(code).toBe(1)
    return stderr
  }
  expect(await refusal()).toMatch(/^error: the PostgreSQL in \S+ cannot be used: .*ENOENT/)
  for (const [reported, reason] of [
    ["postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", "it is of version 15.18, and 16 or later is needed"],
    ["postgres (PostgreSQL) 19beta1", "it is no release, but postgres (PostgreSQL) 19beta1"],
    ["postgres (PostgreSQL) 17.10", "the program initdb is missing"]
  ]) {
    await writeFile(program, `#!/bin/sh\necho '${reported}'\n`)
    await chmod(program, 0o755)
    expect(await refusal()).toContain(`error: the PostgreSQL in ${folder.path} cannot be used: ${reason}`)
  }
})
