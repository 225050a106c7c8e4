import { defineConfig } from "tsup"
import { library } from "../../config/tsup.base.ts"
import { vectorsBuiltIn } from "./vectorsBuiltIn.ts"

export default defineConfig({ ...library, esbuildPlugins: [...(library.esbuildPlugins ?? []), vectorsBuiltIn] })
