import { defineConfig } from "tsup"
import { library } from "../../config/tsup.base.ts"
import { pageBuiltIn } from "./pageBuiltIn.ts"

export default defineConfig({ ...library, esbuildPlugins: [...(library.esbuildPlugins ?? []), pageBuiltIn] })
