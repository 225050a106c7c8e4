/** Requests as commands for a shell: a shell takes them as they are meant, whatever is in them. */
import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { curlOf } from "../../src/client/curl.ts"

/** The arguments that a shell hands to curl. */
const argumentsOf = (command: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    encoding: "utf8",
    env: { POSTCODE_KEY: "svc_test_1" }
  })
    .split("\0")
    .slice(0, -1)

describe("a command", () => {
  it("reads the key from the environment, and contains none", () => {
    const command = curlOf({ method: "GET", url: "https://api.example/v1/lookup?code=a&level=2", headers: {} })
    expect(command).not.toContain("svc_")
    expect(argumentsOf(command)).toEqual([
      "https://api.example/v1/lookup?code=a&level=2",
      "-H",
      "X-API-Key: svc_test_1"
    ])
  })

  it("sends a body by POST, with quotes, dollars and backslashes as they are", () => {
    const body = JSON.stringify({ state: `'$(touch /tmp/x)" \\ \`id\`` })
    const headers = { "Content-Type": "application/json" }
    expect(argumentsOf(curlOf({ method: "POST", url: "https://api.example/x", headers, body }))).toEqual([
      "https://api.example/x",
      "-H",
      "X-API-Key: svc_test_1",
      "-H",
      "Content-Type: application/json",
      "-d",
      body
    ])
  })
})
