import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { LogOutput } from "../../src/log/LogOutput.ts"

it("logs that are not read stop growing, and report the number of dropped lines when they are read again", () => {
  const stream = new PassThrough({ highWaterMark: 1 })
  const output = new LogOutput(() => stream)
  const line = `${"x".repeat(1_023)}\n`
  for (let i = 0; i < 100_000; i++) output.write(line, 1)
  expect(stream.writableLength + stream.readableLength).toBeLessThan(5 * 1024 * 1024)
  const { dropped } = output
  expect(dropped).toBeGreaterThan(95_000)

  let read = ""
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    read += chunk
  })
  stream.resume()
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    output.write("one\n", 1)
    output.write("two\n", 1)
    stream.end()
    const [gap, ...rest] = read.split("\n").filter((text) => text !== "" && !text.startsWith("x"))
    expect(JSON.parse(gap as string)).toEqual({
      at: expect.any(String),
      level: "warn",
      message: `${dropped} lines of the log are missing: no process read standard error`
    })
    expect(rest).toEqual(["one", "two"])
    expect(read.match(/^x+$/gm)).toHaveLength(100_000 - dropped)
  })
})
