import { defaultClientConditions, defineConfig } from "vite"

/** Where the postcode service is; that of the workspace's `npm start` unless told. */
const gateway = process.env.GATEWAY ?? "http://127.0.0.1:3000"

export default defineConfig({
  define: { "import.meta.env.GATEWAY": JSON.stringify(gateway) },
  // The workspace's own sources, so that nothing has to be built before. Elsewhere leave this line out.
  resolve: { conditions: ["@postcode/source", ...defaultClientConditions] },
  build: { outDir: process.env.OUT_DIR ?? "dist", emptyOutDir: true }
})
