import { defineConfig } from "tsup"
import { library } from "../../config/tsup.base.ts"
import { tokensBuiltIn } from "./tokensBuiltIn.ts"

export default defineConfig({ ...library, esbuildPlugins: [...(library.esbuildPlugins ?? []), tokensBuiltIn] })
