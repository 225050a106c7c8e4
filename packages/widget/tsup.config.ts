import { defineConfig } from "tsup"
import { library } from "../../tsup.base.ts"
import { writeBundle } from "./bundle.ts"
import { embedBuiltIn } from "./bundleEmbed.ts"

export default defineConfig({
  ...library,
  esbuildPlugins: [...(library.esbuildPlugins ?? []), embedBuiltIn],
  onSuccess: async () => {
    await writeBundle("dist/bundle")
  }
})
