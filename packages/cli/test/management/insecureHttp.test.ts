/** Keys and tokens are not sent over plain HTTP to another machine. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { allowsInsecure } from "../../src/management/insecureHttp.ts"
import { run } from "../RunCommand.ts"

const url = "http://postcodes.invalid:3000"
const env = { POSTCODE_OPERATOR_TOKEN: "token", POSTCODE_KEY: "key", XDG_CONFIG_HOME: "/nowhere" }

const commands: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ["orgs", "list"],
  ["webhooks", "list", "org_1"],
  ["whoami"],
  ["status"],
  ["lookup", "LA12A03BG07"],
  ["find", "Allen Avenue"],
  ["mcp"],
  ["login"]
]

describe.for(commands)("%s %s", (command) => {
  it("refuses http to another machine before it sends anything", async () => {
    const { code, stderr } = await run([...command, "--url", url], { env, stdin: "secret" })
    expect(stderr).toContain(`${url} is not encrypted`)
    expect(stderr).toContain("--insecure-http")
    expect(code).toBe(2)
  })
})

describe.for([["whoami"], ["lookup", "LA-11-B03-PD-01"]])("%s", (command) => {
  it("sends over http if the user allows it, or the address is of this machine", async () => {
    const allowed = [
      { args: ["--url", url, "--insecure-http"], more: {} },
      { args: ["--url", url], more: { POSTCODE_INSECURE_HTTP: "true" } },
      ...["127.0.0.1", "127.1.2.3", "localhost", "gateway.localhost", "[::1]", "0.0.0.0"].map((host) => ({
        args: ["--url", `http://${host}:1`],
        more: {}
      }))
    ]
    for (const { args, more } of allowed) {
      const { stderr } = await run([...command, ...args], { env: { ...env, ...more }, stdin: "secret" })
      expect(stderr).not.toContain("is not encrypted")
    }
  })
})

it.each([
  "http://127.0.0.1.example",
  "http://localhost.example",
  "http://10.0.0.1",
  "http://notlocalhost",
  "http://[::2]"
])("%s is another machine", async (other) => {
  expect((await run(["whoami", "--url", other], { env })).stderr).toContain("is not encrypted")
})

it("the address in a data folder is of this machine, whatever it is; one that is given beside the folder is not", async () => {
  const flags = { data: "./data", url: undefined, profile: undefined, insecureHttp: false }
  const allows = (other: object) => Effect.runPromise(allowsInsecure({ ...flags, ...other }))
  expect(await allows({})).toBe(true)
  expect(await allows({ url: "http://10.0.0.1" })).toBe(false)
  expect(await allows({ profile: "other" })).toBe(false)
  expect(await allows({ data: undefined })).toBe(false)
})
