import { join } from "node:path"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { addressDirectory } from "./AddressDirectory.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFiles(folder.path, addressDirectory)
})
afterAll(() => folder[Symbol.asyncDispose]())

const find = (...args: ReadonlyArray<string>) => run(["find", ...args, "--directory", folder.path])

describe("find on a directory in files", () => {
  it("shows the code, the confidence and the parts of the address; words need no quotes", async () => {
    expect(await find("12", "Alen", "Avenue,", "Ikeja")).toEqual({
      code: 0,
      stdout: [
        "code        LA-12-A03-BG-07",
        "label       12 Allen Avenue, Alausa, Ikeja, Lagos",
        "precision   unit",
        "confidence  high",
        "action      accept",
        "name        Allen Avenue",
        "locality    Alausa",
        "LGA         Ikeja",
        "state       Lagos",
        "message     one unit has this name in Alausa",
        ""
      ].join("\n"),
      stderr: ""
    })
  })

  it("shows the requested number of other candidates as a table", async () => {
    const { code, stderr, stdout } = await find("Allen Avenue Ikeja")
    const [answer = "", candidates = ""] = stdout.split("\n\n")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(answer).toContain("code        LA-12-A03-BG\n")
    expect(candidates.split("\n").slice(0, 3)).toEqual([
      "CODE             PRECISION  PROBABILITY  LABEL",
      expect.stringMatching(/^LA-12-A03-BG-07 {2}unit +0\.\d\d {2}12 Allen Avenue, Alausa, Ikeja, Lagos$/),
      expect.stringMatching(/^LA-12-A03-BG-08 /)
    ])
    const one = await find("Allen Avenue Ikeja", "--limit", "1")
    expect(one.stdout.split("\n\n")[1]?.split("\n")).toHaveLength(3)
  })

  it("reports on standard error that nothing was found, and succeeds", async () => {
    const [nothing, slip] = await Promise.all([find("zzzz"), find("LA-12-A03-BG-O7")])
    expect(nothing).toMatchObject({ code: 0, stdout: "" })
    expect(nothing.stderr).toMatch(/^no place was found.*\n$/)
    expect(slip.stderr).toMatch(/did you mean LA-12-A03-BG-07\?\n$/)
    expect(slip.stdout).toMatch(/^CODE.*\nLA-12-A03-BG-07 /)
  })

  it("answers the API's data with --json", async () => {
    const { stdout } = await find("--json", "13 Allen Avenue, Ikeja")
    expect(JSON.parse(stdout)).toMatchObject({
      code: "LA-12-A03-BG",
      precision: "area",
      action: "confirm",
      understood: { name: "Allen Avenue", lga: "Ikeja", relation: null, unmatched: ["13"] }
    })
  })

  it("finds states and LGAs in a snapshot without addresses, and says so", async () => {
    const snapshot = join(folder.path, "without.snapshot")
    expect(await run(["snapshot", "build", folder.path, "-o", snapshot])).toMatchObject({ code: 0 })
    const { code, stderr, stdout } = await run(["find", "12 Allen Avenue, Ikeja", "--directory", snapshot])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^code +LA-12\n/)
    expect(stderr).toBe(
      `${snapshot} has no addresses, so only states and LGAs are found: build it again with --addresses\n`
    )
  })
})

describe("find fails", () => {
  it.each([
    [[], "TEXT is missing"],
    [[" "], "TEXT: expected 1 to 200 characters, found nothing"],
    [["a".repeat(120), "b".repeat(90)], "TEXT: expected 1 to 200 characters, found 211"],
    [["Ikeja", "--limit", "21"], '--limit: expected a whole number from 1 to 20, not "21"']
  ])("%j", async (args, says) => {
    expect(await run(["find", ...args])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${says}\nsee postcode find --help\n`
    })
  })

  it("with a directory and a service together", async () => {
    const { code, stderr } = await find("Ikeja", "--url", "http://127.0.0.1:1")
    expect({ code, stderr }).toEqual({ code: 2, stderr: "error: choose --url or --directory\n" })
  })

  it("with a service that is unreachable", async () => {
    const { code, stderr } = await run(["find", "Ikeja", "--url", "http://127.0.0.1:1"])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: could not reach http:\/\/127\.0\.0\.1:1: /)
  })
})
