/** The service on a runtime with the interface of Node, through `gateway.fetch`. */
import { spawn } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { endpoints, type Operation } from "../../packages/conformance/src/wire/Contract.ts"
import { fixtureUnits, makeFixture, operatorToken } from "../../packages/conformance/src/wire/index.ts"
import { outcomeOf } from "../../packages/conformance/src/wire/Received.ts"
import { makeScene, sampleMessage } from "../../packages/conformance/src/wire/Samples.ts"
import { fromOwnPage, Operator } from "../../packages/conformance/src/world/Operator.ts"
import { TestClient } from "../../packages/conformance/src/world/TestClient.ts"
import { snapshotPieces } from "../../packages/core/src/directory/snapshot/Snapshot.ts"
import { root } from "../../scripts/workspace.mjs"
import { listening } from "../examples/ExamplePrograms.ts"
import { blocksIn } from "../markdown/MarkdownBlocks.ts"
import type { Place } from "./PackageExamples.ts"
import type { NodeLike } from "./Runtimes.ts"

/** Sends the valid request of every endpoint to a gateway that the runtime serves as docs/embedding.md says. */
export const gatewayOn = (
  { command: [program = "", ...args], hasPasswords, name, server }: NodeLike,
  place: () => Place
): void => {
  let running: ReturnType<typeof spawn> | undefined
  let client: TestClient
  let operator: Operator
  beforeAll(async () => {
    const { folder } = place().installed
    const { directory } = makeFixture()
    const attributes = fixtureUnits.map((unit) => [unit.postcode, unit.attributes])
    await writeFile(join(folder, "fixture.snapshot"), [...snapshotPieces(directory, { addresses: true })])
    await writeFile(join(folder, "attributes.json"), JSON.stringify(Object.fromEntries(attributes)))
    const embedding = blocksIn(await readFile(join(root, "docs", "embedding.md"), "utf8"))
    const serve = embedding.find(({ text }) => text.includes(server))?.text.replace("3000", "0") ?? ""
    const file = join(folder, `gateway-on-${name}.ts`)
    await writeFile(file, [gateway, serve, report].join("\n"))
    const started = spawn(program, [...args, file], { cwd: folder })
    running = started
    const port = Number(new URL(await listening(started)).port)
    let count = 0
    const nextAddress = () => `198.18.${count >> 8}.${count++ & 255}`
    client = new TestClient(port, nextAddress)
    operator = new Operator(client, operatorToken, nextAddress)
  })
  afterAll(() => {
    client?.close()
    running?.kill("SIGKILL")
  })

  const needsPassword = (operation: Operation) => /^(accounts?|passkeys)\./.test(operation)
  // They send mail, or need the token of one, and this gateway sends none.
  const needsMail = (operation: Operation) =>
    /^account\.(changeAddress|confirm|open|request|reset|undo)/.test(operation)
  const possible = endpoints.filter(
    ({ operation }) => !needsMail(operation) && (hasPasswords || !needsPassword(operation))
  )

  it.for(possible.map(({ operation, successStatus }) => [operation, successStatus] as const))(
    "%s answers %d within the contract's schema",
    async ([operation, successStatus]) => {
      client.newVisitor()
      const scene = await makeScene(operator, operation)
      expect(outcomeOf(await client.send(sampleMessage(operation, scene)))).toBe(String(successStatus))
    }
  )

  if (!hasPasswords) {
    it("no account can be created, because the runtime has no Argon2id", async () => {
      const { token } = await operator.invitation("operator")
      const body = { token, name: "Sample", password: "a sample of a password" }
      const accepted = await client.post("/v1/admin/account/accept", body, { headers: fromOwnPage })
      expect(outcomeOf(accepted)).toBe("500 internal_error")
    })
  }

  it("a body of more than 64 KiB is refused, and the next request is answered", async () => {
    client.newVisitor()
    const headers = { "content-type": "application/json" }
    const large = { method: "POST", target: "/v1/assembly/assemble", headers, body: `"${"x".repeat(70_000)}"` }
    expect(outcomeOf(await client.send(large))).toMatch(/^413 /)
    expect(outcomeOf(await client.get("/v1/health/live"))).toBe("200")
  })
}

/** The gateway of the suites, as a program of somebody who installed the packages. It sends no webhooks. */
const gateway = `
import { readFileSync } from "node:fs"
import { Directory } from "@postcode/core/Directory"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { openGateway } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Layer, Redacted } from "effect"

const directory = Directory.open(readFileSync("fixture.snapshot"))
const attributes = JSON.parse(readFileSync("attributes.json", "utf8"))
const gateway = await openGateway(
  { operatorToken: Redacted.make("${operatorToken}"), trustedProxies: ["127.0.0.1"] },
  Layer.mergeAll(
    MemoryStore.layer,
    layerDirectory(directory, (_, postcode) => attributes[postcode] ?? {}),
    layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }),
    layerSessionTokens([{ id: "first", secret: Redacted.make("a-signing-key-for-tests-and-nothing-else-1") }])
  )
)
`

const report = 'console.log("listening on http://127.0.0.1:" + (server.port ?? server.addr.port))\n'
