// Clients that three generators make from the interface description of a running service: they compile, and look up a
// postcode of a paid level.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { expect, it } from "vitest"
import { demoDirectory } from "../../packages/demo/src/index.ts"
import { listening, startExample, stopped } from "../examples/ExamplePrograms.ts"

const folder = join(import.meta.dirname, "openapi")
const operatorToken = "an-operator-token-for-generated-clients"

it("generated clients compile, and look up a postcode", { timeout: 400_000 }, async () => {
  const program = startExample("embed-node-http", { env: { PORT: "0", POSTCODE_OPERATOR_TOKEN: operatorToken } })
  try {
    const url = await listening(program)
    await node(join(folder, "generate.mjs"), `${url}/v1/openapi.json`)
    await node(join(folder, "node_modules", "typescript", "bin", "tsc"), "--project", folder)
    const script = join(folder, "generated", "use.mjs")
    await build({
      entryPoints: [join(folder, "use.ts")],
      bundle: true,
      format: "esm",
      platform: "node",
      outfile: script,
      logLevel: "error"
    })
    const { stdout } = await node(
      script,
      url,
      await newKey(url),
      demoDirectory({ units: 10_000 }).directory.postcodeAt(0)
    )
    expect(JSON.parse(stdout)).toEqual(["Abia", "Abia", "Abia"])
  } finally {
    await stopped(program)
  }
})

const node = (...args: ReadonlyArray<string>) => promisify(execFile)(process.execPath, args)

/** A test key of level 2. */
const newKey = async (url: string): Promise<string> => {
  const send = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" }
    const response = await fetch(`${url}/v1/admin/organizations${path}`, {
      method,
      headers,
      body: JSON.stringify(body)
    })
    return ((await response.json()) as { readonly data: { readonly id: string; readonly secret: string } }).data
  }
  const { id } = await send("POST", "", { name: "Shop" })
  await send("PATCH", `/${id}`, { granted_level: 2 })
  const key = { name: "generated", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 2 }
  return (await send("POST", `/${id}/keys`, key)).secret
}
