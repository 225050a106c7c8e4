/**
 * The service behind the pages: the real gateway and the real platform, each on an origin of its own, over one store in
 * memory, with the reserved keys of the sandbox. It fails for real: its store is unavailable, its limits are used up, its keys
 * are revoked, its clock is moved.
 */

import { openSandbox } from "@postcode/demo/sandbox"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { Principal } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { type AnswerRecord, openGateway } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { Clock, Context, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { mapFiles } from "../../src/map/files.ts"
import { listen } from "../Listening.ts"
import { losable, type StorePart } from "./LosableStore.ts"
import { type Management, managementOf, operatorToken, type TestKey } from "./Management.ts"
import { testDirectory } from "./TestDirectory.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

export interface TestService extends Management {
  readonly gateway: string
  readonly platform: string
  /** Two postcodes that exist, and where the first one is. */
  readonly postcodes: readonly [string, string]
  readonly point: { readonly latitude: number; readonly longitude: number }
  /** The parts of the store that are unavailable now. */
  readonly unavailable: Set<StorePart>
  /** The origin of the page: reserved keys for local origins allow it, too, as its port is none of theirs. */
  page: string
  /** Happens to each request before the service sees it. */
  meanwhile: (url: URL) => unknown
  /** What pickers were answered, without preflights: `widget.session 200`. */
  readonly answers: Array<string>
  /** All that the service wrote. */
  readonly log: ReadonlyArray<string>
  /** Moves the clock of the service on. */
  readonly pass_s: (seconds: number) => void
  /** What was recorded as picked under a key, the last one first. */
  readonly recorded: (key: TestKey) => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** How many searches the browser's address has. */
export const searches_per_minute = 100

export const openTestService = async (): Promise<TestService> => {
  const { layer: directory, ...places } = makeDirectory()
  const unavailable = new Set<StorePart>()
  const answers: Array<string> = []
  const log: Array<string> = []
  // The service's day starts now, so that no test that moves the clock reaches the next day and its new limits.
  const moved = { ms: day_ms - (Date.now() % day_ms) }
  const store = Layer.merge(losable(Layer.merge(MemoryStore.layer, directory), unavailable), layerTestSecrets)
  const sandbox = Layer.effectContext(Effect.map(openSandbox(), (ports) => atTestPage(ports, () => service.page)))
  const runtime = ManagedRuntime.make(Layer.provideMerge(sandbox, Layer.provideMerge(store, surroundings(moved, log))))
  const ports = Layer.effectContext(runtime.contextEffect)
  const options = {
    operatorToken: Redacted.make(operatorToken),
    files: await mapFiles(),
    addressRateLimit_per_minute: searches_per_minute,
    onAnswer: (record: AnswerRecord) => {
      log.push(JSON.stringify(record))
      const isAsked = record.method !== "OPTIONS" && !record.operation.startsWith("management.")
      if (isAsked) answers.push(`${record.operation} ${record.status}`)
    }
  }
  const open = async (host: "gateway" | "platform") => {
    const { close, fetch, nodeHandler } = await openGateway({ ...options, host }, ports)
    const listening = await listen(async (req, res) => {
      if (req.method !== "OPTIONS") await service.meanwhile(new URL(req.url ?? "/", "http://service"))
      nodeHandler(req, res)
    })
    return { url: listening.url, fetch, close: () => listening.close().then(close) }
  }
  const [gateway, platform] = await Promise.all([open("gateway"), open("platform")])
  const service: TestService = {
    gateway: gateway.url,
    platform: platform.url,
    ...places,
    unavailable,
    page: "",
    meanwhile: () => undefined,
    answers,
    log,
    pass_s: (seconds) => {
      moved.ms += seconds * 1000
    },
    ...managementOf(gateway.fetch),
    recorded: ({ organization_id }) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const { items } = yield* (yield* Selections).list(organization_id, { limit: 100, cursor: undefined })
          return items.map(({ postcode }) => postcode)
        })
      ),
    close: async () => {
      await Promise.all([gateway.close(), platform.close()])
      await runtime.dispose()
    }
  }
  return service
}

const atTestPage = <Ports>(ports: Context.Context<ApiKeys | Ports>, pageOrigin: () => string) => {
  const keys = Context.get(ports, ApiKeys)
  const allow = <A extends Principal | undefined>(principal: A): A =>
    principal?.origins.includes("http://localhost:3000")
      ? { ...principal, origins: [...principal.origins, pageOrigin()] }
      : principal
  return Context.add(ports, ApiKeys, {
    ...keys,
    findByHash: (hash, now) => Effect.map(keys.findByHash(hash, now), allow),
    findById: (id, now) => Effect.map(keys.findById(id, now), allow)
  })
}

const makeDirectory = () => {
  const { attributes, directory } = testDirectory()
  const active = Array.from({ length: directory.size }, (_, id) => id).filter((id) => directory.isActive(id))
  const [first = 0, second = 0] = [active[active.length >> 1], active[active.length >> 2]]
  const { lat, lon } = directory.coordinateAt(first)
  return {
    layer: layerDirectory(directory, attributes),
    postcodes: [directory.postcodeAt(first), directory.postcodeAt(second)] as const,
    point: { latitude: lat, longitude: lon }
  }
}

const day_ms = 86_400_000

/** A clock that can be moved on, and a log that can be read. */
const surroundings = (moved: { readonly ms: number }, log: Array<string>): Layer.Layer<never> => {
  const clock = Effect.runSync(Clock.Clock)
  const now = () => clock.currentTimeMillisUnsafe() + moved.ms
  return Layer.merge(
    Layer.succeed(
      Clock.Clock,
      Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now)
      })
    ),
    Logger.layer([Logger.map(Logger.formatJson, (line) => void log.push(line))])
  )
}
