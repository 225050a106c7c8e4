/** The demonstration that a built command keeps between calls. */
import { copyFile, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { runProcess } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { run } from "../RunCommand.ts"

describe("the demonstration of a built command", () => {
  let cache: string
  const folder = () => join(cache, "postcode", "demonstration")
  const file = async () => join(folder(), (await readdir(folder()))[0] ?? "")
  const reverse = () => runProcess(["reverse", "6.59838", "3.33979", "--json"], { env: { XDG_CACHE_HOME: cache } })
  const unit = expect.objectContaining({ postcode: "LA-11-B03-PD-01", address: expect.any(String) })

  beforeEach(async () => {
    const temporary = await temporaryFolder()
    cache = temporary.path
    onTestFinished(() => temporary[Symbol.asyncDispose]())
  })

  it("is cached in one file, and the next call has the same results", async () => {
    const first = await reverse()
    expect(JSON.parse(first.stdout)).toMatchObject({ found: true, unit })
    expect(await readdir(folder())).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.snapshot$/)])
    const written = await readFile(await file())
    expect(await reverse()).toEqual({ ...first, stderr: "" })
    expect((await readFile(await file())).equals(written)).toBe(true)
  })

  it("is read from the cached file", async () => {
    await reverse()
    const [data, snapshot] = [join(cache, "data"), join(cache, "small.snapshot")]
    await writeFiles(data, smallDirectory)
    expect(await run(["snapshot", "build", data, "-o", snapshot])).toMatchObject({ code: 0 })
    await copyFile(snapshot, await file())
    expect(JSON.parse((await reverse()).stdout)).toMatchObject({ found: false })
  })

  it("is built again if the cached file is damaged", async () => {
    const { stdout } = await reverse()
    const written = await readFile(await file())
    const flipped = Buffer.from(written)
    flipped.writeUInt8(flipped.readUInt8(flipped.length >> 1) ^ 1, flipped.length >> 1)
    for (const damaged of [flipped, written.subarray(0, 1_000)]) {
      await writeFile(await file(), damaged)
      expect(await reverse()).toMatchObject({ code: 0, stdout })
      expect((await readFile(await file())).equals(written)).toBe(true)
    }
  })

  it("is built for each call if it cannot be cached", async () => {
    await mkdir(join(cache, "postcode"))
    await writeFile(folder(), "a file, so that no folder can be made here")
    expect(await reverse()).toMatchObject({ code: 0, stdout: expect.stringContaining("LA-11-B03-PD-01") })
  })

  it("the cached file of another build is removed after a month", async () => {
    await mkdir(folder(), { recursive: true })
    const month_s = Date.now() / 1000 - 31 * 86_400
    for (const name of ["old.snapshot", "new.snapshot"]) await writeFile(join(folder(), name), "")
    await utimes(join(folder(), "old.snapshot"), month_s, month_s)
    await reverse()
    expect(await readdir(folder())).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.snapshot$/), "new.snapshot"])
  })
})
