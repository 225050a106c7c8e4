import { defineConfig } from "tsup"
import { aloneLibrary } from "../../config/tsup.base.ts"
import { writeBundle, writeScript } from "./bundle.ts"
import { embedBuiltIn } from "./bundleEmbed.ts"
import { mapBuiltIn } from "./bundleMap.ts"

const library = aloneLibrary(/^@postcode\/core\//)

export default defineConfig({
  ...library,
  esbuildPlugins: [...(library.esbuildPlugins ?? []), embedBuiltIn, mapBuiltIn],
  onSuccess: async () => {
    await writeBundle("dist/bundle")
    await writeScript("dist")
  }
})
