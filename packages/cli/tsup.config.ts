import { defineConfig } from "tsup"
import { program } from "../../tsup.base.ts"

export default defineConfig(program(["src/main.ts"]))
