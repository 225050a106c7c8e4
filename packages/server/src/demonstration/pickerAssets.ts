/** The bundle of `@postcode/widget` for the demonstration page. */
import type { PageAsset } from "@postcode/demo/page"

/**
 * The widget's script, `postcode-picker.js`, and its lazy chunks. Replaced in a build by a module with the built files:
 * see `bundleDemonstration.ts`.
 */
export const pickerAssets = async (): Promise<ReadonlyArray<PageAsset>> => {
  // Not a literal, so that bundlers do not include the bundler.
  const bundler = new URL("../../../widget/bundle.ts", import.meta.url).href
  const { makePickerAssets } = (await import(bundler)) as Bundler
  return makePickerAssets()
}

interface Bundler {
  readonly makePickerAssets: () => Promise<ReadonlyArray<PageAsset>>
}
