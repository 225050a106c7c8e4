import { defineConfig } from "tsup"
import { library } from "../../config/tsup.base.ts"

export default defineConfig(library)
