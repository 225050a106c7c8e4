import { PassThrough, Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { type HostOutput, replaceHost } from "../../src/Host.ts"
import { supportsColours } from "../../src/terminal/Output.ts"

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
