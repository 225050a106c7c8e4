/** Packages that bring no other one: each installed by npm in an empty folder. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { run, tool } from "../../scripts/child.mjs"
import { root } from "../../scripts/workspace.mjs"
import type { AlonePackage, InstalledPackages } from "./InstalledPackages.ts"
import { compilerSettings } from "./types.ts"

/** What needs types that its user brings. */
const withPeers = ["@postcode/widget/react"]

export const alone = (installed: () => InstalledPackages): void => {
  describe.for(["@postcode/client", "@postcode/widget"])("%s, installed alone", (name) => {
    let place: Promise<AlonePackage> | undefined
    const installedAlone = () => {
      place ??= installed().alone(name)
      return place
    }
    const imports = (): string =>
      installed()
        .of(name)
        .entries.filter((entry) => !withPeers.includes(entry))
        .map((entry, i) => `import * as entry${i} from "${entry}"\nvoid entry${i}\n`)
        .join("")

    it("brings no other package", async () => {
      expect((await installedAlone()).installed).toEqual([`node_modules/${name}`])
    })

    it("can be imported on Node", async () => {
      const { folder } = await installedAlone()
      await writeFile(join(folder, "main.mjs"), imports())
      expect(await run(process.execPath, ["main.mjs"], { cwd: folder })).toMatchObject({ code: 0, output: "" })
    })

    it.for(compilerSettings)("has types that compile under %s, without those of Node", async ([kind, module]) => {
      const { folder } = await installedAlone()
      await mkdir(join(folder, kind))
      await writeFile(join(folder, kind, "main.ts"), imports() + uses[name])
      const around = { target: "es2023", lib: ["es2023", "dom"], types: [], module, moduleResolution: kind }
      const compilerOptions = { ...around, strict: true, skipLibCheck: false, noEmit: true }
      await writeFile(join(folder, kind, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
      expect((await run(process.execPath, [tool("typescript", "tsc"), "-p", join(folder, kind)])).output).toBe("")
    })

    it.for(commonJsSettings)(
      "can be required by CommonJS in TypeScript %s, with its types, under %s",
      async ([, moduleResolution, module]) => {
        const { folder } = await installedAlone()
        const place = join(folder, `commonjs-${moduleResolution}`)
        await mkdir(place)
        await writeFile(join(place, "package.json"), `{ "type": "commonjs" }`)
        await writeFile(join(place, "main.ts"), requires[name] ?? "")
        const around = { target: "es2022", lib: ["es2022", "dom"], types: [], module, moduleResolution }
        const compilerOptions = { ...around, strict: true, skipLibCheck: false, ignoreDeprecations: "5.0" }
        await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
        const tsc = join(root, "test", "documents", "openapi", "node_modules", "typescript", "bin", "tsc")
        expect((await run(process.execPath, [tsc, "-p", place])).output).toBe("")
        expect(await readFile(join(place, "main.js"), "utf8")).toMatch(/\brequire\(/)
        expect(await run(process.execPath, [join(place, "main.js")])).toMatchObject({ code: 0, output: "function\n" })
      }
    )
  })
}

/** Of programs that are CommonJS: TypeScript's version, module resolution and module format. */
const commonJsSettings = [
  ["5.9", "node10", "commonjs"],
  ["5.9", "nodenext", "nodenext"]
] as const

const requires: Readonly<Record<string, string>> = {
  "@postcode/client": `
import { createPostcodeClient } from "@postcode/client"
export const find = async (): Promise<string> => {
  const { data } = await createPostcodeClient({ baseUrl: "https://gateway.example" }).lookup({ code: "la11b03pd01" })
  // @ts-expect-error no such field
  data.nothing
  return data.postcode
}
console.log(typeof createPostcodeClient)
`,
  "@postcode/widget": `
import { definePicker, type PostcodeSelection } from "@postcode/widget"
import { createPicker } from "@postcode/widget/define"
// @ts-expect-error no such level
export const level: PostcodeSelection["level"] = 6
export const make = () => createPicker({ onSelect: ({ formatted }) => formatted.length })
console.log(typeof definePicker)
`
}

/** What is known of a package's types: that none of them is `any` because a declaration is missing. */
const uses: Readonly<Record<string, string>> = {
  "@postcode/client": `
import { createPostcodeClient } from "@postcode/client"
const { data } = await createPostcodeClient({ baseUrl: "https://gateway.example" }).lookup({ code: "la11b03pd01" })
const postcode: string = data.postcode
// @ts-expect-error no such field
data.nothing
export { postcode }
`,
  "@postcode/widget": `
import { createPicker, type PostcodeSelection } from "@postcode/widget"
createPicker({ onSelect: ({ formatted, level }: PostcodeSelection) => [formatted.length, level === 5] })
// @ts-expect-error no such level
const level: PostcodeSelection["level"] = 6
// @ts-expect-error no such source
const source: PostcodeSelection["source"] = "guess"
export { level, source }
`
}
