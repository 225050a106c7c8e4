#!/usr/bin/env node
/** The program. It imports everything else once Node caches compiled code, which is most of the time of a start. */
import module from "node:module"
import { join } from "node:path"
import { cacheFolder } from "@postcode/server/process/UserFolders"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`postcode needs Node 22.19 or later. This is Node ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  // Only in the user's own folder: Node runs what it finds in the cache.
  const folder = cacheFolder()
  if (folder !== undefined) module.enableCompileCache(join(folder, "compiled"))
  const { start } = await import("./start.ts")
  start(process.argv.slice(2))
}
