/**
 * Static documents: the interface description, its browsable page, and an operator's files. They are rendered and
 * compressed once and served from memory.
 */

import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip, gzipSync } from "node:zlib"
import { Api } from "@postcode/api"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { dataPolicy } from "../pipeline/SecurityHeaders.ts"
import type { HostedFile } from "./HostedFile.ts"
import { type PageLink, renderInterfacePage } from "./interfacePage.ts"

/** A document that does not change while the service runs. */
export interface Document {
  readonly _tag: "Document"
  readonly path: string
  readonly contentType: string
  readonly plain: Uint8Array
  /** Undefined if gzip does not make it smaller, such as an image. */
  readonly gzipped: Uint8Array | undefined
  /** Of the plain content, for the entity tag. */
  readonly digest: string
  /** Additional response headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** A document that is made at the first request for it. */
export interface LazyDocument extends Pick<Document, "_tag" | "path"> {
  readonly load: () => Promise<Document>
}

export const isDocument = (target: object): target is Document | LazyDocument =>
  "_tag" in target && target._tag === "Document"

/**
 * `/v1/openapi.json` and `/v1/docs`. They depend only on the contract and on the pages that the host has, so a process
 * renders them once.
 */
export const contractDocuments = (hostPaths: ReadonlySet<string>): Effect.Effect<ReadonlyArray<Document>> =>
  Effect.promise(() => {
    const links = otherPages.filter(({ path }) => hostPaths.has(path))
    const key = links.map(({ path }) => path).join()
    const documents = rendered.get(key) ?? renderDocuments(links)
    rendered.set(key, documents)
    return documents
  })

const rendered = new Map<string, Promise<ReadonlyArray<Document>>>()

/** The pages that the interface page leads back to, where the host has them. */
const otherPages: ReadonlyArray<PageLink> = [
  { path: "/", title: "Demonstration" },
  { path: "/console/", title: "Console" },
  { path: "/docs/", title: "Guides" }
]

/** Takes a quarter of a second. */
export const renderDocuments = async (links: ReadonlyArray<PageLink> = []): Promise<ReadonlyArray<Document>> => {
  const page = await renderInterfacePage(links)
  return [
    document("/v1/openapi.json", "application/json; charset=utf-8", JSON.stringify(OpenApi.fromApi(Api)), {
      "content-security-policy": dataPolicy
    }),
    document("/v1/docs", "text/html; charset=utf-8", page, pageHeaders(page))
  ]
}

/** An operator's file. */
export const documentOf = ({ content, contentType, headers = {}, path }: HostedFile): Document | LazyDocument =>
  typeof content === "function"
    ? { _tag: "Document", path, load: loadOnce(path, contentType, content, headers) }
    : document(path, contentType, content, headers)

/** Requests that arrive meanwhile wait for the same content. After a failure, the next request tries again. */
const loadOnce = (
  path: string,
  contentType: string,
  content: () => Promise<string | Uint8Array>,
  headers: Document["headers"]
): LazyDocument["load"] => {
  let loading: Promise<Document> | undefined
  const load = async (): Promise<Document> => {
    const plain = bytesOf(await content())
    // Other requests are answered meanwhile. What is not a text is requested in ranges, which are not compressed.
    const gzipped = contentType.includes("charset=") ? await compress(plain) : undefined
    return { _tag: "Document", path, contentType, plain, gzipped, digest: digestOf(plain), headers }
  }
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

const compress = promisify(gzip)

/**
 * The page contains all its scripts, so it may run only these, by hash, and call only this service. The scripts create
 * inline styles, which are therefore allowed.
 */
const pageHeaders = (page: string) => ({
  "content-security-policy":
    `default-src 'none'; script-src ${scriptsOf(page).map(hashSource).join(" ")}; style-src 'unsafe-inline'; ` +
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer"
})

const scriptsOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<script>(.*?)<\/script/gs)].map(([, script = ""]) => script)

const hashSource = (script: string): string => `'sha256-${createHash("sha256").update(script).digest("base64")}'`

const document = (
  path: string,
  contentType: string,
  content: string | Uint8Array,
  headers: Document["headers"]
): Document => {
  const plain = bytesOf(content)
  const gzipped = gzipSync(plain)
  return {
    _tag: "Document",
    path,
    contentType,
    plain,
    gzipped: gzipped.byteLength < plain.byteLength ? gzipped : undefined,
    digest: digestOf(plain),
    headers
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? Buffer.from(content) : content

const digestOf = (plain: Uint8Array): string => createHash("sha256").update(plain).digest("base64url").slice(0, 22)
