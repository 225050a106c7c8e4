/** The example offline-worker as a program: its Worker, run by workerd, compared with the service on the same directory. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createPostcodeClient, type PostcodeClient } from "../../packages/client/src/index.ts"
import { snapshotPieces } from "../../packages/core/src/directory/snapshot/Snapshot.ts"
import { demoDirectory } from "../../packages/demo/src/index.ts"
import { createGateway, type EmbeddedGateway } from "../../packages/http/src/index.ts"
import { memoryStore } from "../../packages/memory/src/index.ts"
import { ended, listening, startExample, stopped } from "./ExamplePrograms.ts"

const { directory } = demoDirectory({ units: 20_000 })

let folder: string
let program: ReturnType<typeof startExample>
let url: string
let gateway: EmbeddedGateway
let worker: PostcodeClient
let service: PostcodeClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "offline-worker-"))
  const snapshot = join(folder, "nigeria.snapshot")
  await writeFile(snapshot, [...snapshotPieces(directory)])
  program = startExample("offline-worker", { args: [snapshot], env: { PORT: "0" } })
  url = await listening(program)
  gateway = await createGateway({
    operatorToken: "an-operator-token-for-comparing-only",
    directory,
    store: memoryStore(),
    addressRateLimit_per_minute: 100_000
  })
  worker = createPostcodeClient({ baseUrl: url })
  service = createPostcodeClient({ baseUrl: "https://gateway.test", fetch: gateway.fetch })
})
afterAll(async () => {
  program?.kill("SIGTERM")
  await gateway?.close()
  await rm(folder, { recursive: true, force: true })
})

it("has the service's completions and corrections", async () => {
  const { length } = directory.postcodeAt(0)
  const texts = Array.from({ length: 60 }, (_, i) => directory.postcodeAt(i * 331).slice(0, i % (length + 1)))
  for (const q of [...texts, "la ike", "Ikeja, Lagos", "LA-11-B03-PD-0I", "zz", "", "ọ̀yọ́"])
    expect((await worker.autocomplete({ q, limit: 7 })).data, q).toEqual(
      (await service.autocomplete({ q, limit: 7 })).data
    )
})

it("finds the same units near a point as the service", async () => {
  for (let id = 0; id < directory.size; id += 331) {
    const { lat, lon: lng } = directory.coordinateAt(id)
    const near = { lat: lat + 0.001, lng, radius: 1_500, limit: 9 }
    // The Worker has no keys, so no caller could see more.
    const units = (await service.nearby(near)).data.map(({ limited_to: _, ...unit }) => unit)
    expect((await worker.nearby(near)).data).toEqual(units)
  }
})

it("refuses other requests with the status and code of the service", async () => {
  const refused = [
    "/",
    "/v1/search/nearby?lat=91&lng=3",
    "/v1/search/nearby?lat=6&lng=3&radius=-1",
    "/v1/search/nearby"
  ]
  for (const path of [...refused, "/v1/search/autocomplete?limit=0", "/v1/search/autocomplete?limit=x"]) {
    const other = await gateway.fetch(new Request(`https://gateway.test${path}`))
    expect(await outcomeOf(await fetch(url + path)), path).toEqual(await outcomeOf(other))
  }
  expect((await fetch(`${url}/v1/search/nearby`, { method: "POST" })).status).toBe(405)
})

it("shows how it is used, and ends at SIGTERM", async () => {
  expect(await ended(startExample("offline-worker"))).toMatchObject({
    code: 2,
    stderr: "usage: npm start -- SNAPSHOT\n"
  })
  expect(await stopped(program)).toBe(0)
})

const outcomeOf = async (response: Response) => {
  const { error } = (await response.json()) as { readonly error: { readonly code: string } }
  return [response.status, error.code]
}
