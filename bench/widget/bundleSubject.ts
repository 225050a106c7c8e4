/** Bundles a picker's scripts, in the same way for each. */
import { basename } from "node:path"
import { gzipSync } from "node:zlib"
import { build, type Metafile } from "esbuild"
import { bundleOptions } from "../../packages/widget/bundleOptions.ts"
import type { Subject } from "./Subject.ts"

export interface Script {
  /** `page.js` for the entry. */
  readonly name: string
  readonly gzipped: Buffer
  /** Its source files. */
  readonly sources: ReadonlyArray<string>
  /** Whether it is loaded initially, not on demand. */
  readonly isInitial: boolean
}

export const firstScript = "page.js"

export const bundleSubject = async ({ folder, script }: Subject): Promise<ReadonlyArray<Script>> => {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: folder,
    stdin: { contents: script, resolveDir: folder, sourcefile: firstScript },
    entryNames: "page",
    // Shims for packages that also run in Node.
    define: { "process.env.NODE_ENV": '"production"' },
    outdir: "bundle",
    // Errors are thrown.
    logLevel: "silent",
    metafile: true,
    write: false
  })
  const initial = initialScripts(metafile)
  return outputFiles.map(({ contents, path }) => {
    const name = basename(path)
    const [, output] = Object.entries(metafile.outputs).find(([made]) => basename(made) === name) ?? []
    return {
      name,
      gzipped: gzipSync(contents, { level: 9 }),
      sources: Object.keys(output?.inputs ?? {}),
      isInitial: initial.has(name)
    }
  })
}

/** The entry and all its static imports. */
const initialScripts = ({ outputs }: Metafile): ReadonlySet<string> => {
  const initial = new Set([`bundle/${firstScript}`])
  // Iterating over a set includes added items.
  for (const path of initial) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") initial.add(imported)
    }
  }
  return new Set([...initial].map((path) => basename(path)))
}
