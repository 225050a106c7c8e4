import { defineConfig } from "tsup"
import { program } from "../../tsup.base.ts"

export default defineConfig({
  ...program([]),
  // By name, so that both lie in one folder with their chunks: a worker is started from whichever of these has the code.
  entry: { main: "src/main.ts", serveWorker: "src/workers/serveWorker.ts" }
})
