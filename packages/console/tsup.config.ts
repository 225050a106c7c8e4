import { defineConfig } from "tsup"
import { library } from "../../tsup.base.ts"
import { consoleBuiltIn } from "./consoleBuiltIn.ts"

export default defineConfig({
  ...library,
  entry: ["src/hosting/*.ts"],
  outDir: "dist/hosting",
  esbuildPlugins: [...(library.esbuildPlugins ?? []), consoleBuiltIn]
})
