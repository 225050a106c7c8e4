/** Files that every gateway under test serves, so that the tests of documents also cover them. */
import type { HostedFile } from "@postcode/http"

/** Bytes of a file that is made at the first request. */
export const archive = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251)

/**
 * A text with its own caching and security headers, bytes that compression does not make smaller, and files that are
 * made at the first request.
 */
export const hostedFiles: ReadonlyArray<HostedFile> = [
  {
    path: "/pages/one.html",
    contentType: "text/html; charset=utf-8",
    content: `<!doctype html><title>Ìwé</title>${"<p>The same again, so that it is worth compressing.</p>".repeat(20)}`,
    headers: { "content-security-policy": "default-src 'none'", "cache-control": "public, max-age=60" }
  },
  { path: "/pages/dot.bin", contentType: "application/octet-stream", content: Uint8Array.of(0, 255, 1, 254, 2) },
  { path: "/pages/later.css", contentType: "text/css; charset=utf-8", content: async () => "/* Ìwé */".repeat(50) },
  { path: "/pages/archive", contentType: "application/octet-stream", content: async () => archive }
]
