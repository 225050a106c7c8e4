import vue from "@vitejs/plugin-vue"
import { defaultClientConditions, defineConfig } from "vite"

/** The address of the postcode service, by default that of the workspace's `npm start`. */
const gateway = process.env.GATEWAY ?? "http://127.0.0.1:3000"

/** Vue looks for a component of every other name with a hyphen. */
const isCustomElement = (tag: string): boolean => tag === "postcode-picker"

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  define: { "import.meta.env.GATEWAY": JSON.stringify(gateway) },
  // The workspace's own sources, so that nothing has to be built before. Elsewhere leave this line out.
  resolve: { conditions: ["@postcode/source", ...defaultClientConditions] },
  build: { outDir: process.env.OUT_DIR ?? "dist", emptyOutDir: true }
})
