/** The two React screens, bundled by Vite with the console's settings except its chunk grouping. */
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Rolldown } from "vite"
import type { ConsoleFile } from "../../packages/console/src/hosting/files.ts"

/** Their path in the service. */
export const reactPath = "/react/"

/** @param own the console's files, whose headers the React files get */
export const bundleReact = async (own: ReadonlyArray<ConsoleFile>): Promise<ReadonlyArray<ConsoleFile>> => {
  const made = (await build({
    root: fileURLToPath(new URL("./react/", import.meta.url)),
    base: reactPath,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    resolve: { conditions: ["@postcode/source", "module", "browser", "production"] },
    oxc: { jsx: { runtime: "automatic", importSource: "react", development: false } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      target: "es2023",
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false
    }
  })) as Rolldown.RolldownOutput
  return made.output.map((file) => ({
    ...alike(own, file.fileName),
    path: reactPath + (file.fileName === "index.html" ? "" : file.fileName),
    content: file.type === "chunk" ? file.code : textOf(file.source)
  }))
}

/** A file of the console of the same kind. */
const alike = (own: ReadonlyArray<ConsoleFile>, name: string): ConsoleFile => {
  const found = own.find(({ path }) => (name === "index.html" ? path === "/console/" : path.endsWith(extname(name))))
  if (found === undefined) throw new Error(`${name}: the console has no file of this kind to take the headers from`)
  return found
}

const textOf = (source: string | Uint8Array): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source)
