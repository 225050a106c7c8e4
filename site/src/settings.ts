/** What is said of a build from outside: `SITE_SOURCE`, and the flags `--base` and `--site` of Astro. */
import type { AstroConfig } from "astro"

/** The address at which the files of the repository are found, as `https://git.example/postcode/blob/main`. */
export const sourceAddress: string | undefined = process.env.SITE_SOURCE || undefined

/** The path under which the site will stand, with a slash at the end. */
export const basePath = ({ base }: Pick<AstroConfig, "base">): string => (base.endsWith("/") ? base : `${base}/`)
