import { svelte } from "@sveltejs/vite-plugin-svelte"
import { defaultClientConditions, defineConfig } from "vite"

/** The address of the postcode service, by default that of the workspace's `npm start`. */
const gateway = process.env.GATEWAY ?? "http://127.0.0.1:3000"

export default defineConfig({
  plugins: [svelte()],
  define: { "import.meta.env.GATEWAY": JSON.stringify(gateway) },
  // The workspace's own sources, so that nothing has to be built before. Elsewhere leave this line out.
  resolve: { conditions: ["@postcode/source", ...defaultClientConditions] },
  build: { outDir: process.env.OUT_DIR ?? "dist", emptyOutDir: true }
})
