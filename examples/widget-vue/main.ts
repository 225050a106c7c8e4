/**
 * Builds the page with Vite and serves what came of it, until Vite ends the program at SIGTERM. While you work on a page,
 * `npx vite` shows each change at once.
 */
import { build, preview } from "vite"

const options = { root: import.meta.dirname, logLevel: "error" } as const
await build(options)
const server = await preview({ ...options, preview: { host: "127.0.0.1", port: Number(process.env.PORT ?? 8080) } })
console.log(`listening on ${server.resolvedUrls?.local[0]?.replace(/\/$/, "")}`)

// Vite ends with the signal's own exit code unless there is one: to be told to stop is no failure.
process.once("SIGTERM", () => {
  process.exitCode = 0
})
