/** The package as others get it: what it needs, its types without any other package, and a real browser. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { createContext, runInContext } from "node:vm"
import { type BuildOptions, build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run, tool } from "../../../scripts/child.mjs"
import { readJson, root } from "../../../scripts/workspace.mjs"
import { launchBrowser } from "../../widget/test/Browser.ts"
import { listen } from "../../widget/test/Listening.ts"
import { thrownBy } from "./failureOf.ts"
import { openTestGateway } from "./TestGateway.ts"

const folder = join(import.meta.dirname, "..")

/** All of it in one file, as small as can be. */
const bundle = async (options: BuildOptions = { format: "esm" }): Promise<string> => {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [join(folder, "src", "index.ts")],
    bundle: true,
    minify: true,
    target: "es2023",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

describe("the bundle", () => {
  it("imports nothing", async () => {
    expect(await bundle()).not.toMatch(/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|\beval\b/)
  })

  it("keeps the names of its errors when it is minified", async () => {
    const made = `data:text/javascript,${encodeURIComponent(await bundle())}`
    const { createPostcodeClient } = (await import(made)) as typeof import("../src/index.ts")
    const failure = await thrownBy(createPostcodeClient({ baseUrl: "http://127.0.0.1:1", retries: 0 }).states())
    expect(inspect(failure)).toMatch(/^PostcodeError: the service cannot be reached\n/)
  })

  it("uses only globals that all runtimes have", async () => {
    const { clearTimeout, crypto, fetch, performance, setTimeout } = globalThis
    const { AbortController, Headers, Request, URL, URLSearchParams } = globalThis
    const values = { clearTimeout, crypto, fetch, performance, setTimeout }
    const runtime = createContext({ ...values, AbortController, Headers, Request, URL, URLSearchParams })
    runInContext(await bundle({ format: "iife", globalName: "client" }), runtime)
    let asked = 0
    runtime.answer = async (request: Request) =>
      asked++ === 0
        ? new Response("", { status: 503, headers: { "retry-after": "0" } })
        : Response.json({ data: [request.method, new URL(request.url).search, await request.text()] })
    const { data, meta } = await runInContext(
      `client.createPostcodeClient({ baseUrl: "https://gateway.example", fetch: answer, apiKey: "key" })
        .request("PUT /v1/admin/organizations/:id/name", { params: { id: "x" }, query: { a: 1 }, body: { name: "é" } })`,
      runtime
    )
    expect([data, meta.attempts]).toEqual([["PUT", "?a=1", `{"name":"é"}`], 2])
  })

  it("needs no package at run time", () => {
    const { dependencies, peerDependencies, sideEffects } = readJson(join(folder, "package.json"))
    expect([dependencies, peerDependencies, sideEffects]).toEqual([undefined, undefined, false])
  })
})

describe("the types", () => {
  let user: string
  beforeAll(async () => {
    user = await mkdtemp(join(tmpdir(), "user-"))
    const installed = join(user, "node_modules", "@postcode", "client")
    await mkdir(installed, { recursive: true })
    await cp(join(folder, "package.json"), join(installed, "package.json"))
    await compile("-p", folder, "--outDir", join(installed, "dist"), "--tsBuildInfoFile", join(user, "buildinfo"))
    await cp(join(import.meta.dirname, "use.ts"), join(user, "use.ts"))
    await writeFile(join(user, "package.json"), `{ "type": "module" }`)
  })
  afterAll(() => rm(user, { recursive: true, force: true }))

  const settings = [
    ["nodenext with the types of Node", { module: "nodenext", lib: ["es2023"], types: ["node"] }],
    [
      "a bundler with the types of browsers",
      { module: "esnext", moduleResolution: "bundler", lib: ["es2023", "dom"], types: [] }
    ]
  ] as const

  it.for(settings)("hold under %s, with no other package installed", async ([, options]) => {
    const typeRoots = [join(root, "node_modules", "@types")]
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true }
    const config = { compilerOptions: { ...strict, ...options, typeRoots }, files: ["use.ts"] }
    await writeFile(join(user, "tsconfig.json"), JSON.stringify(config))
    expect(await compile("-p", user)).toBe("")
  })
})

describe("a real browser", () => {
  it("calls a service on another origin, reads its headers, repeats failed calls, and cancels", async () => {
    const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
      "/": ["text/html", "<!doctype html><title>A page</title>"],
      "/client.js": ["text/javascript", await bundle()]
    }
    const gateway = await openTestGateway()
    const site = await listen(({ url = "" }, response) => {
      const [type, text] = files[url] ?? ["text/plain", ""]
      response.writeHead(200, { "content-type": type }).end(text)
    })
    const { secret } = await gateway.newKey({ kind: "publishable", origins: [site.url] })
    let lookups = 0
    const service = await listen((request, response) => {
      // A proxy that lets no page read its answers.
      if (request.method === "GET" && lookups++ === 0) response.writeHead(502).end()
      else gateway.nodeHandler(request, response)
    })
    await using browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(site.url)
      expect(await page.evaluate(inPage(service.url, secret, gateway.postcode))).toEqual({
        valid: true,
        request_id: expect.stringMatching(/^[a-p]{24}$/),
        attempts: 2,
        level: 2,
        credits: undefined,
        failure: { name: "PostcodeError", code: "invalid_parameter", status: 400 },
        reason: "the user left"
      })
    } finally {
      await Promise.all([site.close(), service.close(), gateway.close()])
    }
  })
})

/** What the page does, as text: nothing of this file is there. */
const inPage = (baseUrl: string, apiKey: string, code: string): string => `(async () => {
  const { createPostcodeClient } = await import("/client.js")
  const client = createPostcodeClient(${JSON.stringify({ baseUrl, apiKey })})
  const { data, meta } = await client.lookup({ code: "${code}", level: 2 })
  const thrownBy = (call) => call.catch((error) => error)
  const { name, code, status } = await thrownBy(client.reverse({ lat: 95, lng: 3 }))
  const controller = new AbortController()
  const cancelled = thrownBy(client.autocomplete({}, { signal: controller.signal }))
  controller.abort("the user left")
  const { attempts, credits, level, request_id } = meta
  return { valid: data.valid, request_id, attempts, level, credits, failure: { name, code, status }, reason: await cancelled }
})()`

/** What the compiler says; nothing if all is well. */
const compile = async (...options: ReadonlyArray<string>): Promise<string> => {
  const { output } = await run(process.execPath, [tool("typescript", "tsc"), ...options])
  return output
}
