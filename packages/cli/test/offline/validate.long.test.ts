/** `postcode validate` on a file that is larger than the memory that the command may use. */
import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { start } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { expect, it } from "vitest"
import { addedColumns, validationDirectory } from "./ValidationDirectory.ts"

it("a file of any length is answered row by row in order, in memory that would not hold it", async () => {
  await using folder = await temporaryFolder()
  const directory = join(folder.path, "directory")
  await writeFiles(directory, validationDirectory)
  const kinds = [
    ["LA-12-A03-BG-07", "valid,LA-12-A03-BG-07,,,"],
    ["la12a03bg19", "retired,LA-12-A03-BG-19,the unit is retired,,LA-12-A03-BG-30"],
    ["LA-12-A03-BG-18", "not_found,LA-12-A03-BG-18,area LA-12-A03-BG has no unit 18,LA-12-A03-BG-08,"],
    ["LA-12-A03-BG-3O", "malformed,,unit: expected 2 digits at position 13,LA-12-A03-BG-30,"],
    ['"LA12A03BG08"', "valid,LA-12-A03-BG-08,,,"],
    ...new Array(5).fill(["LA-12-A03-BG-30", "valid,LA-12-A03-BG-30,,,"])
  ]
  const count = 200_000
  const note = "n".repeat(400)
  const row = (number: number) => `${number},${kinds[number % kinds.length]![0]},${note}`
  const file = join(folder.path, "long.csv")
  const stream = createWriteStream(file)
  stream.write("id,postcode,note\n")
  for (let number = 0; number < count; number += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => row(number + index))
    if (!stream.write(`${rows.join("\n")}\n`)) await once(stream, "drain")
  }
  await finished(stream.end())

  const command = start(["validate", file, "--directory", directory], {
    env: { NODE_OPTIONS: "--max-old-space-size=100" }
  })
  let rest = ""
  let next = -1
  let wrong = 0
  command.stdout.setEncoding("utf8").on("data", (piece: string) => {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() as string
    for (const line of lines) {
      const expected = next < 0 ? `id,postcode,note,${addedColumns}` : `${row(next)},${kinds[next % kinds.length]![1]}`
      if (line !== expected) wrong++
      next++
    }
  })
  let stderr = ""
  command.stderr.setEncoding("utf8").on("data", (piece: string) => {
    stderr += piece
  })
  const code = await new Promise((resolve) => command.once("close", resolve))
  expect(stderr).toContain("200,000 rows: 140,000 valid, 20,000 retired, 20,000 not_found, 20,000 malformed\n")
  expect({ code, next, rest, wrong }).toEqual({ code: 1, next: count, rest: "", wrong: 0 })
})
