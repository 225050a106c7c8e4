/** An operator's files, which the service serves in addition to its endpoints, and their checks at start. */
import type { Host } from "@postcode/api"

/**
 * A file that does not change while the service runs. It is plain data, which can be sent to another thread, unless its
 * content is a function.
 */
export interface HostedFile {
  /** The full path: `/`, `/v1/widget/embed`, `/console/`. */
  readonly path: string
  /** With the charset of a text: `text/html; charset=utf-8`. */
  readonly contentType: string
  /** A text is sent in UTF-8. A function is called at the first request, and its result is kept. */
  readonly content: string | Uint8Array | (() => Promise<string | Uint8Array>)
  /** Additional response headers, with names in lower case. `cache-control` is `no-cache` by default. */
  readonly headers?: Readonly<Record<string, string>>
  /** The host that serves it; both by default. */
  readonly host?: Exclude<Host, "both">
}

/**
 * @param isTaken whether the service has an endpoint or document at a path
 * @throws Error that names the invalid file and the expected value
 */
export const assertFiles = (files: ReadonlyArray<HostedFile>, isTaken: (path: string) => boolean): void => {
  if (!Array.isArray(files as unknown)) throw new Error("files: expected a list of files, [...(await embedFiles())]")
  const seen = new Set<string>()
  for (const [i, { content, contentType, headers = {}, host, path }] of files.entries()) {
    if (!pathPattern.test(path)) {
      throw new Error(`files, ${i}: expected a path of steps of A-Za-z0-9._~- such as /pages/one.html`)
    }
    if (isTaken(path)) throw new Error(`files, ${path}: the service answers there itself, choose another path`)
    // Paths are unique across both hosts, because one service may serve both.
    if (seen.has(path)) throw new Error(`files, ${path}: expected each path once`)
    seen.add(path)
    if (!contentTypePattern.test(contentType)) {
      throw new Error(`files, ${path}: expected a contentType such as text/html; charset=utf-8`)
    }
    if (typeof content !== "string" && typeof content !== "function" && !(content instanceof Uint8Array)) {
      throw new Error(
        `files, ${path}: expected a content: a text, bytes in a Uint8Array, or a function that returns one`
      )
    }
    if (host !== undefined && host !== "gateway" && host !== "platform") {
      throw new Error(`files, ${path}: expected the host gateway or platform, or none for both`)
    }
    for (const [name, value] of Object.entries(headers)) assertHeader(path, name, value)
  }
}

/** Whether a host serves a file. */
export const isOnHost = (file: HostedFile, host: Host): boolean =>
  host === "both" || file.host === undefined || file.host === host

/** No step is `.` or `..`: clients remove these from a URL. */
const pathPattern = /^(?!.*\/\.{1,2}(?:\/|$))\/(?:[\w.~-]+\/)*(?:[\w.~-]+)?$/
const contentTypePattern = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/

const assertHeader = (path: string, name: string, value: string): void => {
  if (!/^[a-z][a-z0-9-]*$/.test(name) || isOfService(name)) {
    throw new Error(
      `files, ${path}: headers, ${name.slice(0, 40)}: expected a name in lower case that the service does not set itself`
    )
  }
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
    throw new Error(`files, ${path}: headers, ${name}: expected printable ASCII`)
  }
}

/**
 * Headers of the transport and of the conventions, which the service sets itself, and cookies, which files may not set.
 */
const isOfService = (name: string): boolean =>
  /^(?:access-control-|x-ratelimit-|x-credits-|x-data-)/.test(name) || serviceHeaders.has(name)

const serviceHeaders: ReadonlySet<string> = new Set([
  "accept-ranges",
  "allow",
  "connection",
  "content-encoding",
  "content-length",
  "content-range",
  "content-type",
  "date",
  "etag",
  "expect",
  "keep-alive",
  "retry-after",
  "set-cookie",
  "trailer",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
  "x-lookup-level",
  "x-request-id"
])
