// Generates clients from an interface description with three generators: node generate.mjs URL
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createClient } from "@hey-api/openapi-ts"
import openapiTypescript, { astToString } from "openapi-typescript"
import { generateApi } from "swagger-typescript-api"

const [url = ""] = process.argv.slice(2)
const spec = await (await fetch(url)).json()
const folder = join(import.meta.dirname, "generated")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

// Each gets its own copy, because generators change what they are given.
writeFileSync(join(folder, "openapi-typescript.ts"), astToString(await openapiTypescript(structuredClone(spec))))
await createClient({
  input: structuredClone(spec),
  output: join(folder, "hey-api"),
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
})
await generateApi({ spec: structuredClone(spec), output: folder, fileName: "swagger-typescript-api.ts" })
