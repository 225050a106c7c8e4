/**
 * The installed packages on Bun, Deno and workerd: the examples in READMEs, searches of a snapshot compared with those on
 * Node, and every endpoint of the service through `gateway.fetch`. docs/embedding.md says what each runtime can do.
 */
import { once } from "node:events"
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { snapshotPieces } from "../../packages/core/src/directory/snapshot/Snapshot.ts"
import { demoDirectory } from "../../packages/demo/src/index.ts"
import { readJson, root } from "../../scripts/workspace.mjs"
import { answerOfWorker } from "./answerOfWorker.ts"
import { gatewayOn } from "./gatewayOn.ts"
import { bundleExample, examplesOf, expectAnswers, type Place, ran, runExample } from "./PackageExamples.ts"
import { nodeLike } from "./Runtimes.ts"

export const onRuntimes = (place: () => Place): void => {
  it("docs/embedding.md names the versions of Bun and Deno that are tested", async () => {
    const { devDependencies } = readJson(join(root, "package.json"))
    const embedding = await readFile(join(root, "docs", "embedding.md"), "utf8")
    for (const [name, version] of Object.entries({ Bun: devDependencies.bun, Deno: devDependencies.deno }))
      expect(embedding).toContain(`| ${name} ${version.replace(/\.\d+$/, "")} `)
  })

  describe.for(nodeLike)("on $name", (runtime) => {
    it.for(["@postcode/core", "@postcode/client", "@postcode/http", "@postcode/postgres"])(
      "the examples in the README of %s answer what it says",
      (name) =>
        expectAnswers(
          examplesOf(place().installed.of(name)).filter(({ language }) => language === "ts"),
          (example) => runExample(example, place(), runtime.command)
        )
    )

    it("every search of a snapshot finds what it finds on Node", async () => {
      const file = await searchProgram(place())
      const found = await ran([...runtime.command, file], place())
      expect(JSON.parse(found)).toEqual(JSON.parse(await ran([process.execPath, file], place())))
    })

    it("webhooks are posted to public addresses only, and a thread merges changes, as on Node", async () => {
      const receiver = createServer((_, response) => response.end()).listen(0, "127.0.0.1")
      await once(receiver, "listening")
      const env = { RECEIVER: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks` }
      const file = join(place().installed.folder, "background.ts")
      await writeFile(file, background)
      try {
        const onNode = JSON.parse(await ran([process.execPath, file], place(), env))
        expect(onNode).toMatchObject({ allowed: { status: 200 }, refused: { fault: "it has no public address" } })
        expect(JSON.parse(await ran([...runtime.command, file], place(), env))).toEqual(onNode)
      } finally {
        receiver.close()
      }
    })

    describe("gateway.fetch", () => gatewayOn(runtime, place))
  })

  describe("on workerd", () => {
    it.for(["@postcode/core", "@postcode/client"])("the examples in the README of %s answer what it says", (name) =>
      expectAnswers(
        examplesOf(place().installed.of(name)).filter(({ language }) => language === "ts"),
        async ({ code }) => answerOfWorker(place(), await bundleExample(asWorker(code), place()))
      )
    )

    it("every search of a snapshot finds what it finds on Node", async () => {
      const file = await searchProgram(place())
      const { outputFiles } = await build({
        stdin: { contents: searchWorker, resolveDir: place().installed.folder, loader: "ts" },
        bundle: true,
        format: "esm",
        target: "es2023",
        external: ["*.snapshot"],
        write: false
      })
      const texts = await readFile(join(place().installed.folder, "texts.json"), "utf8")
      const found = await answerOfWorker(place(), outputFiles[0]?.text ?? "", texts)
      expect(JSON.parse(found)).toEqual(JSON.parse(await ran([process.execPath, file], place())))
    })
  })
}

/** A program that searches a snapshot for the texts of a file, by `search.ts` of the example offline-search. */
const searchProgram = async ({ installed: { folder } }: Place): Promise<string> => {
  const { attributes, directory } = demoDirectory({ units: 20_000, addresses: true })
  const texts = Array.from({ length: 400 }, (_, i) => {
    const id = (i * 49_999) % directory.size
    const postcode = directory.postcodeAt(id)
    const { lat, lon } = directory.coordinateAt(id)
    const { lga_name = "" } = directory.placeNames(postcode)
    const address = `${attributes(id).recent_address ?? ""} ${lga_name}`
    return [postcode, postcode.slice(0, i % 15), `${lat + 0.0001},${lon}`, lga_name.slice(0, 4), address]
  })
  await writeFile(join(folder, "directory.snapshot"), [...snapshotPieces(directory, { addresses: true })])
  await writeFile(join(folder, "texts.json"), JSON.stringify(texts.flat()))
  await copyFile(join(root, "examples", "offline-search", "search.ts"), join(folder, "search.ts"))
  const file = join(folder, "searches.ts")
  await writeFile(file, searches)
  return file
}

const searches = `
import { readFileSync } from "node:fs"
import { Directory } from "@postcode/core/Directory"
import { search } from "./search.ts"

const directory = Directory.open(readFileSync("directory.snapshot"))
const texts = JSON.parse(readFileSync("texts.json", "utf8"))
console.log(JSON.stringify(texts.map((text) => search(directory, text))))
`

const searchWorker = `
import { Directory } from "@postcode/core/Directory"
import { search } from "./search.ts"
import snapshot from "./directory.snapshot"

const directory = Directory.open(snapshot)
export default {
  async fetch(request) {
    const texts = await request.json()
    return Response.json(texts.map((text) => search(directory, text)))
  }
}
`

/** What a gateway does besides responding. */
const background = `
import { LiveDirectory } from "@postcode/core/LiveDirectory"
import { WebhooksMayBePrivate } from "@postcode/gateway/webhooks/Webhook"
import { WebhookTransport } from "@postcode/gateway/webhooks/WebhookTransport"
import { demoDirectory } from "@postcode/demo"
import { mergeInWorker } from "@postcode/node"
import { layerWebhookTransport } from "@postcode/node/webhooks"
import { Effect, Layer } from "effect"

const post = (mayBePrivate) =>
  Effect.flatMap(WebhookTransport, (transport) =>
    transport.post({ url: process.env.RECEIVER, headers: { "content-type": "application/json" }, body: "{}" })
  ).pipe(
    Effect.provide(Layer.provide(layerWebhookTransport(), Layer.succeed(WebhooksMayBePrivate, mayBePrivate))),
    Effect.runPromise
  )
const { directory } = demoDirectory({ units: 5_000 })
const live = new LiveDirectory(directory)
live.apply([{ change: "retire", postcode: directory.postcodeAt(3) }])
const merged = await mergeInWorker(live.current)
console.log(JSON.stringify({ allowed: await post(true), refused: await post(false), merged }))
`

/** A program as the handler of a Worker, which responds with what the program writes. */
const asWorker = (code: string): string => {
  const lines = code.split("\n")
  return [
    ...lines.filter((line) => line.startsWith("import ")),
    "export default { async fetch() {",
    "const lines = []",
    'const console = { log: (...values) => lines.push(values.join(" ")) }',
    ...lines.filter((line) => !line.startsWith("import ")),
    'return new Response(lines.join("\\n"))',
    "} }"
  ].join("\n")
}
