/** A picker's scripts as a page loads them, made in the same way for each. */
import { basename } from "node:path"
import { gzipSync } from "node:zlib"
import { build, type Metafile } from "esbuild"
import { bundleOptions } from "../../packages/widget/bundleOptions.ts"
import type { Subject } from "./Subject.ts"

export interface Script {
  /** `page.js` for the first one. */
  readonly name: string
  readonly gzipped: Buffer
  /** The files that it is made of. */
  readonly sources: ReadonlyArray<string>
  /** Whether the page loads it at once, and not on demand. */
  readonly isInitial: boolean
}

export const firstScript = "page.js"

export const bundleSubject = async ({ folder, script }: Subject): Promise<ReadonlyArray<Script>> => {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    absWorkingDir: folder,
    stdin: { contents: script, resolveDir: folder, sourcefile: firstScript },
    entryNames: "page",
    // What packages ask for that run in Node, too.
    define: { "process.env.NODE_ENV": '"production"' },
    outdir: "bundle",
    // What is wrong is thrown.
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

/** The first script, and all that its imports lead to. */
const initialScripts = ({ outputs }: Metafile): ReadonlySet<string> => {
  const initial = new Set([`bundle/${firstScript}`])
  // A set that grows is walked to its new end.
  for (const path of initial) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") initial.add(imported)
    }
  }
  return new Set([...initial].map((path) => basename(path)))
}
