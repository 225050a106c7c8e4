/** What is done with the pages when Astro has built them: a policy in each, their text for programs, and a check. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { AstroIntegration } from "astro"
import { root } from "../../scripts/workspace.mjs"
import { faultsOf } from "./faults.ts"
import { plainTexts } from "./plainTexts.ts"
import { withPolicy } from "./policy.ts"
import { basePath, sourceAddress } from "./settings.ts"

/** The last one of all integrations: it sees what the others have written. Faults end the build. */
export const finish = (): AstroIntegration => {
  let path = "/"
  let address = "/"
  return {
    name: "finish",
    hooks: {
      "astro:config:setup": ({ injectScript }) =>
        injectScript("page", `import "/src/keyboard.ts"; import "/src/navigation.ts"`),
      "astro:config:done": ({ config }) => {
        path = basePath(config)
        address = config.site === undefined ? path : new URL(path, config.site).href
      },
      "astro:build:done": ({ dir }) => {
        const folder = fileURLToPath(dir)
        for (const page of globSync("**/*.html", { cwd: folder })) addPolicy(join(folder, page))
        for (const [file, text] of plainTexts({ root, base: address, source: sourceAddress })) {
          writeFileSync(join(folder, file), text)
        }
        const faults = faultsOf(folder, path)
        if (faults.length > 0) throw new Error(`The site has faults.\n${faults.join("\n")}`)
      }
    }
  }
}

const addPolicy = (file: string): void => writeFileSync(file, withPolicy(readFileSync(file, "utf8")))
