/** What the compiler makes of the installed packages. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { run, tool, withTools } from "../../scripts/child.mjs"
import type { InstalledPackages } from "./InstalledPackages.ts"
import { examplesOf } from "./PackageExamples.ts"

/** Module resolution and module format of users. */
export const compilerSettings = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"]
] as const

export const types = (installed: () => InstalledPackages): void => {
  describe("the types", () => {
    it.for(compilerSettings)(
      "of every export and example compile under %s, with the types of libraries",
      async ([kind, module]) => {
        const { all } = installed()
        const entries = all.flatMap((one) => one.entries)
        const imports = entries.map((entry, i) => `import * as entry${i} from "${entry}"\nvoid entry${i}\n`)
        const examples = all.flatMap((one) => examplesOf(one).filter(({ language }) => language === "ts"))
        const sources = [imports.join(""), ...examples.map(({ code }) => code)]
        const folder = join(installed().folder, kind)
        await mkdir(folder)
        await Promise.all(sources.map((source, i) => writeFile(join(folder, `${i}.ts`), source)))
        // Effect's own types need those of browsers.
        const around = { target: "es2023", lib: ["es2023", "dom"], types: ["node"], module, moduleResolution: kind }
        const compilerOptions = { ...around, strict: true, skipLibCheck: false, noEmit: true }
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
        expect(entries.length).toBeGreaterThan(100)
        expect((await run(process.execPath, [tool("typescript", "tsc"), "-p", folder])).output).toBe("")
      }
    )

    it.for(["17.0.92", "18.3.32", "19.3.0"])(
      "of the component compile with those of React %s, and refuse a wrong property",
      async (version) => {
        const folder = join(installed().folder, `react-${version}`)
        await mkdir(folder)
        await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
        const npm = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel", "error"]
        const added = await run(
          "npm",
          [...npm, installed().of("@postcode/widget").tarball, `@types/react@${version}`],
          { cwd: folder, env: withTools() }
        )
        expect(added.output).not.toMatch(/ERR!/)
        await writeFile(join(folder, "main.tsx"), component)
        const around = {
          target: "es2022",
          lib: ["es2022", "dom"],
          types: [],
          module: "esnext",
          moduleResolution: "bundler"
        }
        const compilerOptions = { ...around, jsx: "react-jsx", strict: true, skipLibCheck: false, noEmit: true }
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.tsx"] }))
        expect((await run(process.execPath, [tool("typescript", "tsc"), "-p", folder])).output).toBe("")
      }
    )
  })
}

const component = `
import { createRef } from "react"
import { PostcodePicker, type PostcodePickerElement } from "@postcode/widget/react"
const ref = createRef<PostcodePickerElement>()
export const right = <PostcodePicker ref={ref} name="postcode" required onSelect={({ formatted }) => formatted.length} />
export const read = (): string | undefined => ref.current?.value
// @ts-expect-error no such segment
export const wrong = <PostcodePicker until="town" />
// @ts-expect-error no such property
export const misspelled = <PostcodePicker gatway="https://gateway.example" />
`
