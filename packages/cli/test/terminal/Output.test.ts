import { PassThrough, Readable } from "node:stream"
import { type HostOutput, replaceHost } from "@postcode/server/process/Host"
import { printable, supportsColours } from "@postcode/server/process/Output"
import { describe, expect, it } from "vitest"

const terminal: HostOutput = Object.assign(new PassThrough(), { isTTY: true, hasColors: () => true })
const file: HostOutput = new PassThrough()

describe("colours", () => {
  it.each<readonly [env: NodeJS.ProcessEnv, onTerminal: boolean, inFile: boolean]>([
    [{}, true, false],
    [{ NO_COLOR: "" }, true, false],
    [{ NO_COLOR: "1" }, false, false],
    [{ FORCE_COLOR: "1" }, true, true],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, true, true],
    [{ FORCE_COLOR: "0" }, false, false],
    [{ FORCE_COLOR: "false" }, false, false]
  ])("with %j", (env, onTerminal, inFile) => {
    using _host = replaceHost({ env, stdin: Readable.from([]), stdout: file, stderr: terminal })
    expect([supportsColours(terminal), supportsColours(file)]).toEqual([onTerminal, inFile])
  })
})

describe("foreign text on a terminal", () => {
  it.each([
    ["reversed text", "Bank\u202elif", "Banklif"],
    ["zero-width spaces", "a\u200bb\u200b", "ab"],
    ["isolates and marks", "\u2066a\u2069\u200f\ufeff", "a"],
    ["escape sequences", "\u001b[31mred", "\ufffd[31mred"],
    [
      "letters with marks, joiners between letters, emoji",
      "\u1ecc\u0300p\u00e1 \u06a9\u200c\u0645 \u2764\ufe0f",
      "\u1ecc\u0300p\u00e1 \u06a9\u200c\u0645 \u2764\ufe0f"
    ]
  ])("%s", (_, text, shown) => expect(printable(text)).toBe(shown))
})
