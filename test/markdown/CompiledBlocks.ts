/** Programs in Markdown, compiled with the types of the packages as a program that installs them sees them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { API } from "typescript/unstable/sync"
import { root } from "../../scripts/workspace.mjs"
import type { Block } from "./MarkdownBlocks.ts"

/** What is wrong with the programs, a line each: by their names, and as the compiler says it. */
export const compile = (programs: ReadonlyArray<Block & { readonly name: string }>): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "blocks-"))
  const api = new API({ cwd: folder })
  try {
    prepare(folder)
    const files = new Map(programs.map((program, i) => [`block-${i}.${program.language}`, program]))
    for (const [file, { text }] of files) writeFileSync(join(folder, file), `${text}\nexport {}\n`)
    const config = join(folder, "tsconfig.json")
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error("the compiler does not know the blocks")
    return [...files].flatMap(([file, { language, name }]) => {
      const diagnostics = [
        ...project.program.getSyntacticDiagnostics(join(folder, file)),
        ...project.program.getSemanticDiagnostics(join(folder, file))
      ]
      return diagnostics
        .filter(({ code }) => !(language.startsWith("js") && leftOut.has(code)))
        .map(({ text, code }) => `${name}: ${text} (${code})`)
    })
  } finally {
    api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** JavaScript may be a part of a program: names that are not there, and types that nothing says, are left to the reader. */
const leftOut = new Set([2304, 2552, 2868, 7005, 7006, 7016, 7031, 7034, 18_004, 18_046, 18_047, 2531])

/** A folder where packages are installed as a reader has them, and where packages for other platforms have any type. */
const prepare = (folder: string): void => {
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@postcode"), { recursive: true })
  mkdirSync(join(modules, "@types"))
  for (const name of readdirSync(join(root, "packages")))
    symlinkSync(join(root, "packages", name), join(modules, "@postcode", name))
  symlinkSync(join(root, "node_modules/effect"), join(modules, "effect"))
  symlinkSync(join(root, "node_modules/@types/node"), join(modules, "@types/node"))
  for (const name of ["react", "react-dom"])
    symlinkSync(join(root, "examples/widget-react/node_modules/@types", name), join(modules, "@types", name))
  writeFileSync(join(folder, "elsewhere.d.ts"), `declare module "react-native-webview"\n`)
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`)
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "es2024",
        module: "nodenext",
        lib: ["es2024", "dom", "dom.iterable"],
        types: ["node", "react"],
        customConditions: ["@postcode/source"],
        jsx: "preserve",
        strict: true,
        checkJs: true,
        allowJs: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        preserveSymlinks: false
      },
      include: ["*"]
    })
  )
}
