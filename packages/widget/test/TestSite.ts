/**
 * A page under a strict policy, and what is behind it: the real gateway on an origin of its own, and on a third one a
 * stand-in for the widget endpoints that speaks the wire contract. Both fail as they are told to.
 */
import { readFileSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { json } from "node:stream/consumers"
import { demoDirectory } from "@postcode/demo"
import { layerNodeSecrets, openGateway } from "@postcode/http"
import { layerDirectory, MemoryStore } from "@postcode/memory"
import { Layer, Redacted } from "effect"
import { writeBundle } from "../bundle.ts"

const key = "svc_pk_for_the_tests"
export const knownIdentifier = "ada@example.com"

/** What a server answers in the place of its own answer. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly retryAfter_s?: number
}

export interface Call {
  readonly path: string
  readonly body: unknown
  readonly authorization: string | undefined
}

export interface TestSite {
  /** The origins of the page, of the gateway, of the widget endpoints. */
  readonly origin: string
  readonly gateway: string
  readonly platform: string
  /** What the page's body holds, from the next load on. */
  body: string
  /** How the gateway and each widget endpoint fail, while they do. */
  gatewayFailure: Failure | undefined
  readonly platformFailures: Map<string, Failure>
  /** How long the gateway's answer to a request takes. */
  delay_ms: (url: URL) => number
  /** The calls of the widget endpoints, in their order. */
  readonly calls: Array<Call>
  /** Tokens given so far are refused from now on. */
  readonly expireTokens: () => void
  /** Two postcodes that exist, and where the first one is. */
  readonly postcodes: readonly [string, string]
  readonly point: { readonly latitude: number; readonly longitude: number }
  readonly reset: () => void
  readonly close: () => Promise<void>
}

export const openTestSite = async (): Promise<TestSite> => {
  const { attributes, directory } = demoDirectory({ units: 20_000 })
  const active = Array.from({ length: directory.size }, (_, id) => id).filter((id) => directory.isActive(id))
  const [first = 0, second = 0] = [active[active.length >> 1], active[active.length >> 2]]
  const at = directory.coordinateAt(first)
  const postcodes = [directory.postcodeAt(first), directory.postcodeAt(second)] as const
  const embedded = await openGateway(
    { operatorToken: Redacted.make("an-operator-token-for-tests"), addressRateLimit_per_minute: 100_000 },
    Layer.mergeAll(
      MemoryStore.layer,
      layerDirectory(directory, attributes),
      layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests") })
    )
  )
  const state = { generation: 0 }
  const gateway = await listen((req, res) => answerGateway(site, embedded.nodeHandler, req, res))
  const platform = await listen((req, res) => void answerPlatform(site, state, req, res))
  const folder = await mkdtemp(join(tmpdir(), "widget-"))
  await writeBundle(folder)
  const page = await listen((req, res) => void answerPage(site, folder, req, res))
  const site: TestSite = {
    origin: page.url,
    gateway: gateway.url,
    platform: platform.url,
    body: "",
    gatewayFailure: undefined,
    platformFailures: new Map(),
    delay_ms: () => 0,
    calls: [],
    expireTokens: () => {
      state.generation++
    },
    postcodes,
    point: { latitude: at.lat, longitude: at.lon },
    reset: () => {
      site.body = pickerHtml(site)
      site.gatewayFailure = undefined
      site.platformFailures.clear()
      site.delay_ms = () => 0
      site.calls.length = 0
    },
    close: async () => {
      await Promise.all([gateway.close(), platform.close(), page.close(), embedded.close()])
      await rm(folder, { recursive: true })
    }
  }
  site.reset()
  return site
}

/** A picker with these attributes beside those of every test. */
export const pickerHtml = (site: TestSite, attributes = "", session = true): string => {
  const identified = session ? `publishable-key="${key}" platform="${site.platform}"` : ""
  return `<postcode-picker gateway="${site.gateway}" ${identified} ${attributes}></postcode-picker>`
}

const policy = (site: TestSite): string =>
  `default-src 'none'; script-src 'self'; connect-src ${site.gateway} ${site.platform}; ` +
  `require-trusted-types-for 'script'; trusted-types 'none'`

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8")

const answerPage = async (site: TestSite, folder: string, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const { pathname } = new URL(req.url ?? "/", site.origin)
  res.setHeader("content-security-policy", policy(site))
  if (pathname === "/" || pathname === "/with-axe") {
    const script = pathname === "/" ? "" : `<script src="/axe.js"></script>`
    res.setHeader("content-type", "text/html; charset=utf-8")
    res.end(`<!doctype html><html lang="en"><head><title>Picker</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${script}<script type="module" src="/postcode-picker.js"></script></head>
<body><main><h1>Delivery</h1>${site.body}</main></body></html>`)
    return
  }
  res.setHeader("content-type", "text/javascript; charset=utf-8")
  const code = pathname === "/axe.js" ? axe : await readFile(join(folder, basename(pathname))).catch(() => undefined)
  res.statusCode = code === undefined ? 404 : 200
  res.end(code)
}

const answerGateway = (site: TestSite, handle: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
  const failure = site.gatewayFailure
  if (failure) sendFailure(req, res, failure)
  else setTimeout(() => handle(req, res), site.delay_ms(new URL(req.url ?? "/", site.gateway)))
}

/** Contract, section 4. */
const answerPlatform = async (
  site: TestSite,
  state: { readonly generation: number },
  req: IncomingMessage,
  res: ServerResponse
): Promise<void> => {
  if (req.method === "OPTIONS") return send(req, res, 204)
  const path = req.url ?? ""
  const { authorization } = req.headers
  const body: unknown = req.method === "POST" ? await json(req) : undefined
  site.calls.push({ path, body, authorization })
  const failure = site.platformFailures.get(path)
  if (failure) return sendFailure(req, res, failure)
  if (path === "/v1/widget/session") {
    if (req.headers["x-api-key"] !== key) return sendFailure(req, res, { status: 401, code: "invalid_api_key" })
    const { identifier } = body as { identifier: string }
    const token = `${state.generation}.${identifier === knownIdentifier ? "known" : "unknown"}`
    return send(req, res, 200, { data: { token, expires_in: 900 } })
  }
  const [generation, who] = authorization?.replace("Bearer ", "").split(".") ?? []
  if (generation !== String(state.generation)) return sendFailure(req, res, { status: 401, code: "invalid_token" })
  if (path === "/v1/widget/selected") return send(req, res, 200, { data: { recorded: true } })
  const [home, work] = site.postcodes
  const bookmarks = [
    { postcode: home, label: "Home" },
    { postcode: work, label: "Grandmother’s house behind the market" }
  ]
  return send(req, res, 200, { data: { bookmarks: who === "known" ? bookmarks : [] } })
}

const sendFailure = (req: IncomingMessage, res: ServerResponse, { code, retryAfter_s, status }: Failure): void => {
  if (retryAfter_s !== undefined) res.setHeader("retry-after", String(retryAfter_s))
  send(req, res, status, { error: { code, message: `told to fail with ${code}` } })
}

const send = (req: IncomingMessage, res: ServerResponse, status: number, body?: unknown): void => {
  res.writeHead(status, {
    "access-control-allow-origin": req.headers.origin ?? "*",
    "access-control-allow-headers": "authorization, content-type, x-api-key",
    "access-control-expose-headers": "retry-after",
    "content-type": "application/json; charset=utf-8"
  })
  res.end(body === undefined ? undefined : JSON.stringify(body))
}

const listen = async (listener: RequestListener) => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
