/** For builds: the design tokens are outside of this package. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Plugin } from "../../config/tsup.base.ts"

/** Replaces the module that reads the tokens by one that has them. */
export const tokensBuiltIn: Plugin = {
  name: "tokens-built-in",
  setup: ({ esbuild, onLoad }) => {
    onLoad({ filter: /[/\\]documents[/\\]designTokens\.ts$/ }, async ({ path }) => {
      const file = join(dirname(path), "..", "..", "..", "..", "config", "tokens.css")
      const { code } = await esbuild.transform(await readFile(file, "utf8"), { loader: "css", minify: true })
      return { contents: `export const designTokens = async () => ${JSON.stringify(code)}`, loader: "js" }
    })
  }
}
