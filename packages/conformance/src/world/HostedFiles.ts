/** Files that every gateway under test serves, so that the tests of documents also cover them. */
import type { HostedFile } from "@postcode/http"

/** A text with its own caching and security headers, and bytes that compression does not make smaller. */
export const hostedFiles: ReadonlyArray<HostedFile> = [
  {
    path: "/pages/one.html",
    contentType: "text/html; charset=utf-8",
    content: `<!doctype html><title>Ìwé</title>${"<p>The same again, so that it is worth compressing.</p>".repeat(20)}`,
    headers: { "content-security-policy": "default-src 'none'", "cache-control": "public, max-age=60" }
  },
  { path: "/pages/dot.bin", contentType: "application/octet-stream", content: Uint8Array.of(0, 255, 1, 254, 2) }
]
