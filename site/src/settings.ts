/** What a build takes from outside: `SITE_SOURCE`, the flags `--base` and `--site` of Astro, and the widget's hash. */
import type { AstroConfig } from "astro"
import { makeScript } from "../../packages/widget/bundle.ts"

/** The address at which the files of the repository are found, as `https://git.example/postcode/blob/main`. */
export const sourceAddress: string | undefined = process.env.SITE_SOURCE || undefined

/** The path under which the site will stand, with a slash at the end. */
export const basePath = ({ base }: Pick<AstroConfig, "base">): string => (base.endsWith("/") ? base : `${base}/`)

/** The hash of the widget's script, as it is published from these sources. */
export const widgetIntegrity = async (): Promise<string> => (await makeScript()).integrity
