import { PassThrough, Writable } from "node:stream"
import { replaceHost } from "@postcode/server/process/Host"
import { expect, it } from "vitest"
import { askLine } from "../../src/terminal/askLine.ts"

const never = new AbortController().signal

const ignored = () => new Writable({ write: (_chunk, _encoding, done) => done() })

it("reads one line for each question, from any chunks of input", async () => {
  const stdin = new PassThrough()
  using _host = replaceHost({ env: {}, stdin, stdout: ignored(), stderr: ignored() })
  stdin.write("Keep\r\nye")
  expect(await askLine("first? ", never)).toBe("keep")
  const second = askLine("second? ", never)
  stdin.write("s\n")
  expect(await second).toBe("yes")
  const third = askLine("third? ", never)
  stdin.end("no")
  expect(await third).toBe("no")
})

it("rejects with the reason of an interruption, and stops reading", async () => {
  const stdin = new PassThrough()
  using _host = replaceHost({ env: {}, stdin, stdout: ignored(), stderr: ignored() })
  const interruption = new AbortController()
  const asked = askLine("well? ", interruption.signal)
  interruption.abort(new Error("interrupted"))
  await expect(asked).rejects.toThrow("interrupted")
  expect(stdin.listenerCount("data")).toBe(0)
})
