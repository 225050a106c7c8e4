/**
 * Scripts of the frame that draws streets: MapLibre GL with what the frame adds, and its worker. The caller passes
 * esbuild, so that a build of another package can make them, too.
 */
import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { build, Plugin } from "esbuild"
import { assetsOf, bundleOptions } from "./bundleOptions.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** @param folder of this package */
export const bundleMap = async (
  esbuild: { readonly build: typeof build },
  folder: string
): Promise<ReadonlyArray<PageAsset>> => {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    splitting: false,
    absWorkingDir: folder,
    entryPoints: { map: "src/map/main.ts" },
    outdir: "dist",
    write: false
  })
  const worker = createRequire(join(folder, "package.json")).resolve("maplibre-gl/dist/maplibre-gl-worker.mjs")
  const content = (await readFile(worker, "utf8")).replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n")
  return [...assetsOf(outputFiles), { name: "worker.js", content }]
}

/** For builds of what serves the frame: puts the made files in the place of the modules that would make them. */
export const mapBuiltIn: Plugin = {
  name: "map-built-in",
  setup: ({ esbuild, onLoad }) => {
    let made: ReturnType<typeof bundleMap> | undefined
    const make = (path: string) => {
      made ??= bundleMap(esbuild, join(dirname(path), "..", ".."))
      return made
    }
    onLoad({ filter: /[/\\]map[/\\]mapAssets\.ts$/ }, async ({ path }) => ({
      contents: `export const mapAssets = async () => ${JSON.stringify(await make(path))}`,
      loader: "js"
    }))
    onLoad({ filter: /[/\\]map[/\\]mapDigest\.ts$/ }, async ({ path }) => {
      const hash = createHash("sha256")
      for (const { content } of await make(path)) hash.update(content)
      return { contents: `export const mapDigest = async () => "${hash.digest("hex").slice(0, 16)}"`, loader: "js" }
    })
  }
}

/** The libraries in these files, as folders; their licences go where the files go. */
export const mapLibraries = (): ReadonlyArray<string> => {
  // Builds run in the folder of their package. The libraries are dependencies of the workspace, since the command needs
  // them where nothing else is installed.
  const installed = join("..", "..", "node_modules")
  const pmtiles = realpathSync(join(installed, "pmtiles"))
  return [realpathSync(join(installed, "maplibre-gl")), pmtiles, realpathSync(join(dirname(pmtiles), "fflate"))]
}
