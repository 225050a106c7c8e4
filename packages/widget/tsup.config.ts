import { defineConfig } from "tsup"
import { aloneLibrary } from "../../config/tsup.base.ts"
import { writeBundle, writeScript } from "./bundle.ts"
import { embedBuiltIn } from "./bundleEmbed.ts"

const library = aloneLibrary(/^@postcode\/core\//)

export default defineConfig({
  ...library,
  esbuildPlugins: [...(library.esbuildPlugins ?? []), embedBuiltIn],
  onSuccess: async () => {
    await writeBundle("dist/bundle")
    await writeScript("dist")
  }
})
