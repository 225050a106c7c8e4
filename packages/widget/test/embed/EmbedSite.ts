/** The service with its hosted page, and two sites of others: a shop, and one that pretends to be the shop. */
import type { IncomingMessage, RequestListener } from "node:http"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { type AnswerRecord, openGateway } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { embedFiles } from "../../src/embed/files.ts"
import { mapFiles } from "../../src/map/files.ts"
import { type Listening, listen } from "../Listening.ts"
import { managementOf, operatorToken } from "../service/Management.ts"
import { testDirectory } from "../service/TestDirectory.ts"
import { layerTestSecrets } from "../service/TestSecrets.ts"

export interface EmbedSite {
  /** Gateway and platform on one origin, with the page at `/v1/widget/embed`. */
  readonly service: string
  /** The platform alone, whose page finds the gateway on an origin of its own. */
  readonly platform: string
  /** Gateway and platform apart, behind a proxy that makes one origin of them. */
  readonly joined: string
  /** The service behind something that allows other origins every header they ask for, as much that does CORS. */
  readonly reflecting: string
  /** Origins of pages that hold what `html` says. */
  readonly shop: string
  readonly evil: string
  html: string
  /** A postcode that exists, and where it is. */
  readonly postcode: string
  readonly point: { readonly latitude: number; readonly longitude: number }
  /** What was answered to pickers, but for preflights: `widget.session 200`. */
  readonly answers: Array<string>
  /** A publishable key for these origins. */
  readonly newKey: (origins: ReadonlyArray<string>) => Promise<string>
  readonly close: () => Promise<void>
}

export const openEmbedSite = async (): Promise<EmbedSite> => {
  const { attributes, directory } = testDirectory()
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(MemoryStore.layer, layerDirectory(directory, attributes), layerTestSecrets)
  )
  const ports = Layer.effectContext(runtime.contextEffect)
  const answers: Array<string> = []
  const onAnswer = ({ method, operation, status }: AnswerRecord) => {
    if (method !== "OPTIONS" && /^(?:lookup|search|widget)/.test(operation)) answers.push(`${operation} ${status}`)
  }
  const settings = { operatorToken: Redacted.make(operatorToken), addressRateLimit_per_minute: 100_000, onAnswer }
  const ownFiles = [...(await embedFiles()), ...(await mapFiles()), style]
  const both = await openGateway({ ...settings, files: ownFiles, mapStyle: style.path }, ports)
  const service = await listen(both.nodeHandler)
  const files = await embedFiles({ gateway: service.url })
  const apart = await openGateway({ ...settings, host: "platform", files }, ports)
  const platform = await listen(apart.nodeHandler)
  let ofWidget = both.nodeHandler
  const isOfWidget = ({ url = "" }: IncomingMessage) => url.startsWith("/v1/widget/")
  const joined = await listen((req, res) => (isOfWidget(req) ? ofWidget : both.nodeHandler)(req, res))
  const joinedFiles = await embedFiles({ gateway: joined.url })
  const joinedPlatform = await openGateway({ ...settings, host: "platform", files: joinedFiles }, ports)
  ofWidget = joinedPlatform.nodeHandler
  const reflecting = await listen(reflectHeaders(both.nodeHandler))
  const pages = await Promise.all([1, 2].map(() => listenWith(() => site.html)))
  const [shop, evil] = pages as [Listening, Listening]
  const at = directory.coordinateAt(directory.size >> 1)
  const site: EmbedSite = {
    service: service.url,
    platform: platform.url,
    joined: joined.url,
    reflecting: reflecting.url,
    shop: shop.url,
    evil: evil.url,
    html: "",
    postcode: directory.postcodeAt(directory.size >> 1),
    point: { latitude: at.lat, longitude: at.lon },
    answers,
    newKey: async (origins) => (await managementOf(both.fetch).newKey({ max_level: 5, origins })).secret,
    close: async () => {
      await Promise.all([service, platform, joined, reflecting, ...pages].map(({ close }) => close()))
      await Promise.all([both, apart, joinedPlatform].map((gateway) => gateway.close()))
      await runtime.dispose()
    }
  }
  return site
}

/** The operator's streets: a green ground. */
const style = {
  path: "/style.json",
  contentType: "application/json",
  content: JSON.stringify({
    version: 8,
    sources: {},
    layers: [{ id: "ground", type: "background", paint: { "background-color": "#0a6b3d" } }]
  }),
  headers: {}
}

/** As `cors()` of npm does it unless told otherwise. */
const reflectHeaders =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    if (req.method !== "OPTIONS") return handler(req, res)
    res.writeHead(204, {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
      "access-control-allow-headers": req.headers["access-control-request-headers"] ?? ""
    })
    res.end()
  }

const listenWith = (html: () => string): Promise<Listening> =>
  listen((_, res) => {
    res.setHeader("content-type", "text/html; charset=utf-8")
    res.end(`<!doctype html><html lang="en"><head><title>Shop</title></head><body>${html()}</body></html>`)
  })
