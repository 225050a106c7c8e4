/** The design tokens, as CSS. */
import { readFile } from "node:fs/promises"

/** Replaced in a build by a module with the text: see `tokensBuiltIn.ts`. */
export const designTokens = (): Promise<string> =>
  readFile(new URL("../../../../config/tokens.css", import.meta.url), "utf8")
