import { ended, start } from "@postcode/drills/StartCommand"
import { smallDirectory, temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

describe("parse", () => {
  // It makes the demonstration, which a slow machine reports as progress.
  beforeAll(() => run(["parse", "7"]))

  it("writes each code in its canonical form, a line each", async () => {
    expect(await run(["parse", "la12a03bg07", " LA 12 A03 BG 08 "])).toEqual({
      code: 0,
      stdout: "LA-12-A03-BG-07\nLA-12-A03-BG-08\n",
      stderr: ""
    })
  })

  it("explains a malformed code by segment, place and what belongs there, and fails", async () => {
    expect(await run(["parse", "LA-1X-A03-BG-07", "LA-12-A03-BG-07"])).toEqual({
      code: 1,
      stdout: "LA-12-A03-BG-07\n",
      stderr: "LA-1X-A03-BG-07: lga: expected 2 digits at position 3\nerror: 1 code is malformed\n"
    })
  })

  it("reads codes from standard input in place of a dash, and names the line of a malformed one", async () => {
    const stdin = "LA12A03BG07\r\n\nLA12\nKN01B02CD09"
    expect(await run(["parse", "LA12A03BG01", "-"], { stdin })).toEqual({
      code: 1,
      stdout: "LA-12-A03-BG-01\nLA-12-A03-BG-07\nKN-01-B02-CD-09\n",
      stderr: "line 3: LA12: district: expected 3 letters or digits at position 4\nerror: 1 code is malformed\n"
    })
  })

  it("answers one JSON value with all codes in their order", async () => {
    const { code, stderr, stdout } = await run(["parse", "--json", "LA12A03BG07", "7"])
    expect({ code, stderr }).toEqual({ code: 1, stderr: "error: 1 code is malformed\n" })
    expect(JSON.parse(stdout)).toEqual({
      results: [
        { code: "LA12A03BG07", postcode: "LA-12-A03-BG-07", display: "LA 12 A03 BG 07", compact: "LA12A03BG07" },
        {
          code: "7",
          error: {
            segment: "state",
            position: 0,
            expected: "2 letters",
            message: "state: expected 2 letters at position 0"
          }
        }
      ]
    })
  })

  it("explains the first 20 malformed codes of many and counts all", async () => {
    const { code, stderr } = await run(["parse", "-"], { stdin: "x\n".repeat(5_000) })
    expect(code).toBe(1)
    expect(stderr.split("\n").slice(19)).toEqual([
      "line 20: x: state: expected 2 letters at position 0",
      "more malformed codes are only counted",
      "error: 5000 codes are malformed",
      ""
    ])
  })

  it("--lenient accepts mixed separators, changes look-alikes and says how many", async () => {
    expect(await run(["parse", "--lenient", " ek-01 a03fk 01 ", "EK-OI-A03-FK-0S", "ek01a038k01"])).toEqual({
      code: 0,
      stdout: "EK-01-A03-FK-01\nEK-01-A03-FK-05\nEK-01-A03-BK-01\n",
      stderr: "changed 4 characters in 2 codes\n"
    })
    const { code, stderr, stdout } = await run(["parse", "--lenient", "--json", "EK-O1-A03-FK-01", "EK-XX-A03-FK-01"])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "changed 1 character in 1 code\nerror: 1 code is malformed\n"
    })
    expect(JSON.parse(stdout).results).toMatchObject([
      { code: "EK-O1-A03-FK-01", postcode: "EK-01-A03-FK-01", changed: 1 },
      { code: "EK-XX-A03-FK-01", error: { segment: "lga", position: 3 } }
    ])
  })

  it("ends without a message when the reader of its output ends", async () => {
    const command = start(["parse", "-"])
    command.stdin.on("error", () => {
      // It goes away while there is more to read: that is the point.
    })
    command.stdin.write("LA12A03BG07\n".repeat(100_000))
    command.stdout.once("data", () => command.stdout.destroy())
    const closed = new Promise((resolve) => command.once("close", resolve))
    let stderr = ""
    command.stderr.on("data", (chunk) => {
      stderr += chunk
    })
    expect(await closed).toBe(0)
    expect(stderr).toBe("")
  })
})

describe("search on a directory in files", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  const search = (...args: ReadonlyArray<string>) => run([...args, "--directory", folder.path])

  beforeAll(async () => {
    folder = await temporaryFolder()
    await writeFiles(folder.path, {
      "places.csv": `${smallDirectory["places.csv"]}LA-14,Lekki,\n`,
      "units.csv": [
        smallDirectory["units.csv"],
        "LA-12-A03-BG-08,6.6001,3.35,active,,,,,,\n",
        "LA-12-A03-BG-09,6.6,3.3501,retired,,,,,,\n",
        "LA-14-C01-AA-01,-4.5,-3.25,active,,,,,,\n"
      ].join("")
    })
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  it("complete lists what continues a text", async () => {
    const [codes, nothing] = await Promise.all([search("complete", "LA"), search("complete", "ZZ")])
    expect(codes).toEqual({
      code: 0,
      stdout: "LGA    NAME   IN\nLA-12  Ikeja  Lagos\nLA-14  Lekki  Lagos\n",
      stderr: ""
    })
    expect(nothing).toEqual({ code: 0, stdout: "", stderr: "nothing in the directory continues this text\n" })
  })

  it("parse and complete suggest the postcode that was probably meant, and do not use it", async () => {
    const [parsed, completed] = await Promise.all([
      search("parse", "LA-12-A03-BG-O7", "LA-12-A03-BG-7", "LA-12-A03-XX-O7"),
      search("complete", "LA-12-A03-BGG-07")
    ])
    expect(parsed).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "LA-12-A03-BG-O7: unit: expected 2 digits at position 13; did you mean LA-12-A03-BG-07?\n" +
        "LA-12-A03-BG-7: unit: expected 2 digits at position 13; did you mean LA-12-A03-BG-07?\n" +
        "LA-12-A03-XX-O7: unit: expected 2 digits at position 13\n" +
        "error: 3 codes are malformed\n"
    })
    expect(completed).toEqual({
      code: 0,
      stdout: "",
      stderr: "nothing in the directory continues this text; did you mean LA-12-A03-BG-07?\n"
    })
    const forPrograms = await Promise.all([
      search("parse", "LA-12-A03-BG-O7", "--json"),
      search("complete", "LA-12-A03-BG-O7", "--json")
    ])
    const did_you_mean = "LA-12-A03-BG-07"
    const [results, completion] = forPrograms.map(({ stdout }) => JSON.parse(stdout))
    expect(results).toMatchObject({ results: [{ code: "LA-12-A03-BG-O7", error: { segment: "unit" }, did_you_mean }] })
    expect(completion).toEqual({ segment: "unit", suggestions: [], did_you_mean })
  })

  it("parse opens a directory only for a malformed code", async () => {
    const absent = ["--directory", "/no/such/directory"]
    expect(await run(["parse", "LA12A03BG07", ...absent])).toMatchObject({ code: 0, stdout: "LA-12-A03-BG-07\n" })
    const failed = await run(["parse", "LA12", ...absent])
    expect(failed).toMatchObject({ code: 1, stdout: "" })
    expect(failed.stderr).toContain("/no/such/directory")
  })

  it("complete answers the API's data with --json", async () => {
    const { code, stderr, stdout } = await search("complete", "LA ike", "--json")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(JSON.parse(stdout)).toEqual({
      segment: "lga",
      suggestions: [{ code: "12", label: "Ikeja", prefix: "LA-12", within: "Lagos" }]
    })
  })

  it("reverse shows the nearest active unit, with what is known of it", async () => {
    expect(await search("reverse", "6.6", "3.35")).toEqual({
      code: 0,
      stdout: [
        "postcode    LA-12-A03-BG-07",
        "distance    0.0 m",
        "confidence  high",
        "address     1 Bank Road, Alausa",
        "locality    Alausa",
        "LGA         Ikeja",
        "state       Lagos",
        ""
      ].join("\n"),
      stderr: ""
    })
  })

  it("reverse takes negative coordinates as they are written", async () => {
    const { code, stdout } = await search("reverse", "-4.5", "-3.25", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      found: true,
      coordinate: [-3.25, -4.5],
      unit: { postcode: "LA-14-C01-AA-01", distance_m: 0, lga_name: "Lekki" },
      area: "LA-14-C01-AA"
    })
  })

  it("reverse reports on standard error that no unit is near, and succeeds", async () => {
    expect(await search("reverse", "0", "0", "--radius-m", "9999")).toEqual({
      code: 0,
      stdout: "",
      stderr: "no active unit lies within 250 m\n"
    })
  })

  it("nearby lists units, nearest first, also with a flag directly before the coordinate", async () => {
    const [forPeople, forPrograms] = await Promise.all([
      search("nearby", "6.6", "3.35"),
      search("nearby", "--json", "1", "1")
    ])
    expect(forPeople.stdout.split("\n").map((line) => line.slice(0, 25))).toEqual([
      "POSTCODE         DISTANCE",
      "LA-12-A03-BG-07     0.0 m",
      "LA-12-A03-BG-08    11.1 m",
      ""
    ])
    expect(JSON.parse(forPrograms.stdout)).toEqual([])
  })
})

it("search without a directory uses the demonstration, and prints at most that it is being made", async () => {
  const command = start(["complete", "lag", "--json"])
  command.stdin.end()
  const { code, stderr, stdout } = await ended(command)
  expect(code).toBe(0)
  expect(stderr).toMatch(/^(making the demonstration directory: .*\n)*$/)
  expect(JSON.parse(stdout)).toEqual({ segment: "state", suggestions: [{ code: "LA", label: "Lagos", prefix: "LA" }] })
})
