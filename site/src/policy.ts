/** What a page may load and run, said in the page itself, since it is not known who will serve it. */
import { createHash } from "node:crypto"

/**
 * The page with a policy as the first thing in its head: scripts of the site, and those that stand in the page, by their
 * hashes. Search is WebAssembly. Colours of code are attributes, which have no hashes.
 *
 * @param html a page without one
 */
export const withPolicy = (html: string): string => {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)]
  const hashes = new Set(
    inline.map(([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`)
  )
  const policy = [
    "default-src 'self'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")
  return html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
}
