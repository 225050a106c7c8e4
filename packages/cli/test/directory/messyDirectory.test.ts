// A clean directory has hardly any warning, and one with wrong rows at known lines has them reported.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { expect, it } from "vitest"
import { shellOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

type Move = (lat: number, lon: number) => readonly [lat: number, lon: number]

const moves: Readonly<Record<string, Move>> = {
  "at 0,0": () => [0, 0],
  "close to 0,0": () => [0.0003, -0.0005],
  exchanged: (lat, lon) => [lon, lat],
  "3 degrees to the north": (lat, lon) => [lat + 3, lon],
  "3 degrees to the west": (lat, lon) => [lat, lon - 3],
  "half a degree to the north": (lat, lon) => [lat + 0.5, lon],
  "5 km to the north": (lat, lon) => [lat + 0.05, lon],
  "without its sign": (lat, lon) => [-lat, lon],
  "with a sign": (lat, lon) => [lat, -lon],
  "with the point at another place": (lat, lon) => [lat / 10, lon]
}

it("finds 95 % of wrong locations, and 0.5 % of a clean directory", async () => {
  await using folder = await temporaryFolder()
  const [data, report] = [join(folder.path, "data"), join(folder.path, "report.csv")]
  expect(await run(["demo", data, "--units", "20000"])).toMatchObject({ code: 0 })
  const reported = async () => {
    const output = join(folder.path, "out.snapshot")
    expect(await run(["snapshot", "build", data, "-o", output, "--force", "--report", report])).toMatchObject({
      code: 0
    })
    const lines = (await readFile(report, "utf8")).trimEnd().split("\n").slice(1)
    return new Set(lines.map((line) => Number(line.split(",")[0])))
  }
  expect((await reported()).size).toBeLessThan(20_000 * 0.005)

  const rows = (await readFile(join(data, "units.csv"), "utf8")).split("\n")
  const wrong = new Map<number, string>()
  for (const [kind, [name, move]] of Object.entries(moves).entries()) {
    for (let at = 37 + kind * 3; at < 20_000; at += 997) {
      const [postcode, lat, lon, ...rest] = (rows[at] as string).split(",")
      rows[at] = [postcode, ...move(Number(lat), Number(lon)), ...rest].join(",")
      wrong.set(at + 1, name)
    }
  }
  await writeFiles(data, { "units.csv": rows.join("\n") })
  const found = await reported()
  const missed = [...wrong].filter(([line]) => !found.has(line)).map(([, name]) => name)
  expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(wrong.size * 0.05)
  expect([...found].filter((line) => !wrong.has(line)).length).toBeLessThan(20_000 * 0.005)
})

it("a service that reads such files has the warnings, and postcode directory shows them", async () => {
  await using folder = await temporaryFolder()
  expect(await run(["demo", folder.path, "--units", "2000"])).toMatchObject({ code: 0 })
  const rows = (await readFile(join(folder.path, "units.csv"), "utf8")).split("\n")
  for (let at = 1; at <= 25; at++) {
    const [postcode, , , ...rest] = (rows[at * 70] as string).split(",")
    rows[at * 70] = [postcode, 0, 0, ...rest].join(",")
  }
  await writeFiles(folder.path, { "units.csv": rows.join("\n") })
  const service = await startService(["--directory", folder.path], { POSTCODE_OPERATOR_TOKEN: operatorToken })
  try {
    const { answer, postcode } = shellOf(() => service)
    const { warnings } = await answer("directory")
    expect(warnings).toContainEqual({
      kind: "null_island",
      meaning: "at latitude 0 and longitude 0",
      count: 25,
      first: expect.arrayContaining([{ line: 71, postcode: rows[70]?.split(",")[0], detail: expect.any(String) }])
    })
    const { stdout } = await postcode("directory")
    expect(stdout).toMatch(/\nwarnings +\d+\n/)
    expect(stdout).toMatch(
      /\n25 null_island: at latitude 0 and longitude 0\n( {2}line [\d]+ {2}.+\n){20} {2}and 5 more\n/
    )
  } finally {
    expect(await service.stop()).toBe(0)
  }
})
