#!/usr/bin/env node
/** The program. It imports everything else once Node caches compiled code, which is most of the time of a start. */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { cacheFolder } from "./UserFolders.ts"

// Only in the user's own folder: Node runs what it finds in the cache.
const folder = cacheFolder()
if (folder !== undefined) enableCompileCache(join(folder, "compiled"))
const { start } = await import("./start.ts")
start(process.argv.slice(2))
