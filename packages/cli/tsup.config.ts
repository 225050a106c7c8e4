import { defineConfig } from "tsup"
import { program } from "../../config/tsup.base.ts"
import { thirdPartyLicences } from "../../config/tsup.licences.ts"
import { consoleBuiltIn } from "../console/consoleBuiltIn.ts"
import { librariesBuiltIn } from "../console/librariesBuiltIn.ts"
import { pageBuiltIn } from "../demo/pageBuiltIn.ts"
import { tokensBuiltIn } from "../http/tokensBuiltIn.ts"
import { demonstrationBuiltIn } from "../server/bundleDemonstration.ts"
import { embedBuiltIn } from "../widget/bundleEmbed.ts"
import { mapBuiltIn, mapLibraries } from "../widget/bundleMap.ts"

export default defineConfig({
  ...program([]),
  esbuildPlugins: [
    consoleBuiltIn,
    embedBuiltIn,
    mapBuiltIn,
    tokensBuiltIn,
    pageBuiltIn,
    demonstrationBuiltIn,
    thirdPartyLicences([...librariesBuiltIn, ...mapLibraries()])
  ],
  // By name, so that all lie in one folder with their chunks: a worker is started from whichever of these has the code.
  entry: {
    main: "src/main.ts",
    serveWorker: "../server/src/workers/serveWorker.ts",
    importWorker: "../server/src/imports/importWorker.ts",
    directoryWorker: "../node/src/directoryWorker.ts"
  }
})
