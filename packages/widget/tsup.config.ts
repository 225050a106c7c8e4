import { defineConfig } from "tsup"
import { library } from "../../tsup.base.ts"
import { writeBundle } from "./bundle.ts"

export default defineConfig({
  ...library,
  onSuccess: async () => {
    await writeBundle("dist/bundle")
  }
})
