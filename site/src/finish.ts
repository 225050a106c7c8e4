/** What is done with the pages when Astro has built them: a policy in each, and their text for programs. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AstroIntegration } from "astro"
import { root } from "../../scripts/workspace.mjs"
import { plainTexts } from "./plainTexts.ts"
import { withPolicy } from "./policy.ts"
import { basePath, sourceAddress, widgetIntegrity } from "./settings.ts"

/** The last one of all integrations: it sees what the others have written. */
export const finish = (): AstroIntegration => {
  let address = "/"
  return {
    name: "finish",
    hooks: {
      "astro:config:setup": ({ injectScript }) =>
        injectScript("page", `import "/src/keyboard.ts"; import "/src/navigation.ts"; import "/src/search.ts"`),
      "astro:config:done": ({ config }) => {
        const path = basePath(config)
        address = config.site === undefined ? path : new URL(path, config.site).href
      },
      "astro:build:done": async ({ dir }) => {
        const folder = fileURLToPath(dir)
        for (const page of globSync("**/*.html", { cwd: folder })) addPolicy(join(folder, page))
        const integrity = await widgetIntegrity()
        for (const [file, text] of plainTexts({ root, base: address, source: sourceAddress, integrity })) {
          writeFileSync(join(folder, file), text)
        }
      }
    }
  }
}

const addPolicy = (file: string): void => writeFileSync(file, withPolicy(readFileSync(file, "utf8")))
