/** The built command over standard input and output, offline and on a real service, with the SDK's client. */
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { builtCommand, ended, processEnvironment, runProcess, start, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { describe, expect, it } from "vitest"
import { type Agent, connectAgent } from "./Agent.ts"
import { mcpFiles } from "./McpDirectory.ts"

interface StartedAgent extends Agent {
  /** Everything that the command wrote to standard error so far. */
  readonly stderr: () => string
}

type Era = "auto" | "legacy"

const startAgent = async (
  args: ReadonlyArray<string>,
  { env = {}, era = "legacy" }: { readonly env?: Readonly<Record<string, string>>; readonly era?: Era } = {}
): Promise<StartedAgent> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCommand(), "mcp", ...args],
    env: { ...processEnvironment(), ...env },
    stderr: "pipe"
  })
  let stderr = ""
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk))
  const agent = await connectAgent(transport, { versionNegotiation: { mode: era } })
  return { ...agent, stderr: () => stderr }
}

const lookup = { code: "LA-12-A03-BG-07", level: 2 }

describe("the built command", () => {
  it.each<Era>(["legacy", "auto"])("serves the demonstration to clients of each protocol: %s", async (era) => {
    await using agent = await startAgent([], { era })
    expect(agent.client.getServerVersion()?.name).toBe("postcode")
    expect(agent.client.getInstructions()).toContain("made up")
    expect(await agent.call("validate", { code: "la11b03pd01" })).toMatchObject({ output: { data: { valid: true } } })
    expect(await agent.call("find", { q: "12 Allen Avenue, Ikeja" })).toMatchObject({
      output: { data: { code: "LA-11-B03-QD-10" } }
    })
    expect(await agent.call("lookup", { code: "la11b03pd01", level: 5 })).toMatchObject({
      output: { data: { point_geometry: { type: "Point" } } }
    })
    expect(agent.stderr()).toMatch(/^ready: validate, .*; all calls are free$/m)
  })

  it("serves a snapshot with names, coordinates and, if it has them, addresses", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, mcpFiles)
    const snapshot = join(folder.path, "ikeja.snapshot")
    expect(await runProcess(["snapshot", "build", folder.path, "-o", snapshot, "--addresses"])).toMatchObject({
      code: 0
    })
    await using agent = await startAgent(["--directory", snapshot])
    expect(await agent.call("find", { q: "12 Allen Avenue, Ikeja" })).toMatchObject({
      output: { data: { code: lookup.code } }
    })
    expect(await agent.call("lookup", { ...lookup, level: 5 })).toMatchObject({
      output: {
        data: { administrative_address: { lga_name: "Ikeja" }, point_geometry: { coordinates: [3.35, 6.6] } }
      }
    })
  })

  it("writes only the protocol to standard output and no text of the client to standard error, and ends with its input", async () => {
    const child = start(["mcp"])
    const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "old", version: "1" } }
    const messages = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "Chidinma's private note",
      { note: "Chidinma's private note" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "Chidinma's tool" } },
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "find", arguments: { q: "Chidinma's house" } } }
    ]
    const answered = new Promise<void>((resolve) => {
      let seen = ""
      child.stdout.on("data", (chunk: Buffer) => {
        seen += chunk
        if ([1, 2, 3].every((id) => seen.includes(`"id":${id}`))) resolve()
      })
    })
    for (const one of messages) child.stdin.write(`${typeof one === "string" ? one : JSON.stringify(one)}\n`)
    await answered
    const closed = new Promise((resolve) => child.once("close", resolve))
    child.stdin.end()
    expect(await closed).toBe(0)
    const lines = (await stdout)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ id, jsonrpc }) => [id, jsonrpc])).toEqual([1, 2, 3].map((id) => [id, "2.0"]))
    expect(lines[0]).toMatchObject({ result: { protocolVersion: "2025-06-18" } })
    expect(await stderr).toContain("a message of the client could not be read")
    expect(await stderr).not.toContain("Chidinma")
  })

  it("ends well at SIGTERM", async () => {
    const child = start(["mcp"])
    await new Promise<void>((resolve) => {
      let seen = ""
      child.stderr.on("data", (chunk: Buffer) => {
        seen += chunk
        if (seen.includes("ready:")) resolve()
      })
    })
    child.kill("SIGTERM")
    expect(await ended(child)).toMatchObject({ code: 0, stdout: "" })
  })
})

describe("on a real service", () => {
  it("spends no more than its budget, and the ledger agrees", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, mcpFiles)
    const operator = { POSTCODE_OPERATOR_TOKEN: "an-operator-token-for-tests-alone" }
    await using service = await startService(["--directory", folder.path], operator)
    const postcode = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await runProcess([...args, "--url", service.url, "--json"], { env: operator })
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return JSON.parse(stdout)
    }
    const { id } = await postcode("orgs", "create", "Shop")
    await postcode("orgs", "update", id, "--granted-level", "2")
    const { secret } = await postcode(
      "keys",
      "create",
      id,
      "--name",
      "agent",
      "--scopes",
      "lookup,search",
      "--max-level",
      "2"
    )
    const env = { POSTCODE_KEY: secret }
    {
      await using agent = await startAgent(["--url", service.url], { env })
      expect(await agent.toolNames()).toEqual(["validate", "complete", "reverse", "nearby"])
    }
    await using agent = await startAgent(["--url", service.url, "--budget", "3"], { env })
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => agent.call("lookup", lookup)))
    expect(outcomes.filter(({ isError }) => isError).map(({ text }) => text.split(":")[0])).toEqual(
      Array.from({ length: 3 }, () => "session_budget")
    )
    expect(outcomes[0]).toMatchObject({ output: { credits: { charged: 1, remaining: 999, budget_left: 2 } } })
    expect(await postcode("credits", "show", id)).toMatchObject({ balance: 997 })
    expect(agent.stderr()).not.toContain(secret)
  })

  it("reports an unknown key with the message of the service", async () => {
    await using service = await startService([])
    await using agent = await startAgent(["--url", service.url], { env: { POSTCODE_KEY: "pk_test_unknown" } })
    expect(await agent.call("validate", { code: lookup.code })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^invalid_api_key: /)
    })
  })
})
