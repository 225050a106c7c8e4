/** Files that every gateway under test answers, so that whatever holds for documents is shown for them as well. */
import type { HostedFile } from "../../documents/HostedFile.ts"

/** A text that says how it is cached and what its page may do, and bytes that no compression makes smaller. */
export const hostedFiles: ReadonlyArray<HostedFile> = [
  {
    path: "/pages/one.html",
    contentType: "text/html; charset=utf-8",
    content: `<!doctype html><title>Ìwé</title>${"<p>The same again, so that it is worth compressing.</p>".repeat(20)}`,
    headers: { "content-security-policy": "default-src 'none'", "cache-control": "public, max-age=60" }
  },
  { path: "/pages/dot.bin", contentType: "application/octet-stream", content: Uint8Array.of(0, 255, 1, 254, 2) }
]
