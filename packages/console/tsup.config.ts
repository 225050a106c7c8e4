import { defineConfig } from "tsup"
import { library } from "../../config/tsup.base.ts"
import { thirdPartyLicences } from "../../config/tsup.licences.ts"
import { consoleBuiltIn } from "./consoleBuiltIn.ts"
import { librariesBuiltIn } from "./librariesBuiltIn.ts"

export default defineConfig({
  ...library,
  entry: ["src/hosting/*.ts"],
  outDir: "dist/hosting",
  esbuildPlugins: [...(library.esbuildPlugins ?? []), consoleBuiltIn, thirdPartyLicences(librariesBuiltIn)]
})
