/** The size of code in a web page: bundled with its dependencies, tree-shaken, minified and gzipped. */
import { gzipSync } from "node:zlib"
import { build } from "vite"

export interface Bundle {
  readonly code: string
  readonly gzip_bytes: number
}

/**
 * Bundles a module given as text, such as `export { isValid } from "@postcode/core/Postcode"`.
 *
 * @param installed a folder of installed packages to import instead of the workspace's sources
 */
export const bundle = async (source: string, installed?: string): Promise<Bundle> => {
  const entry = "\0entry"
  const output = await build({
    root: installed ?? import.meta.dirname,
    configFile: false,
    logLevel: "error",
    resolve: installed === undefined ? { conditions: ["@postcode/source"] } : {},
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? entry : undefined),
        load: (id) => (id === entry ? source : undefined)
      }
    ],
    build: {
      write: false,
      target: "es2023",
      minify: "oxc",
      rolldownOptions: { input: "entry", preserveEntrySignatures: "strict", output: { format: "es", minify: true } }
    }
  })
  const code = chunks(output).join("\n")
  return { code, gzip_bytes: gzipSync(code, { level: 9 }).length }
}

const chunks = (output: Awaited<ReturnType<typeof build>>): ReadonlyArray<string> => {
  if (!Array.isArray(output) && !("output" in output)) throw new Error("vite watches instead of building")
  return [output].flat().flatMap((part) => part.output.flatMap((file) => (file.type === "chunk" ? [file.code] : [])))
}
