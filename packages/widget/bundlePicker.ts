/**
 * The picker's script and its chunks, as data. The caller passes esbuild, so that a build of another package can
 * make it, too.
 */
import type { build } from "esbuild"
import { assetsOf, bundleOptions } from "./bundleOptions.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** @param folder of this package */
export const bundlePicker = async (
  esbuild: { readonly build: typeof build },
  folder: string
): Promise<ReadonlyArray<PageAsset>> => {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    absWorkingDir: folder,
    entryPoints: { "postcode-picker": "src/define.ts" },
    outdir: "dist",
    write: false
  })
  return assetsOf(outputFiles)
}
