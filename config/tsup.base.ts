import { dirname, sep } from "node:path"
import type { Options } from "tsup"

export type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * Leaves every import an import; one of a neighbouring source file then names the module that is made of it.
 *
 * @param inlined packages of the workspace whose code becomes a part of the modules that import it
 */
const importsKept = (inlined: RegExp = /^$/): Plugin => ({
  name: "imports-kept",
  setup: (build) => {
    build.onResolve({ filter: /./ }, ({ importer, kind, path }) => {
      const isInlined = inlined.test(path) || isOfNeighbour(importer)
      if (kind === "entry-point" || path.endsWith(".json") || isInlined) return undefined
      return { path: path.replace(/^(\..*)\.ts$/, "$1.js"), external: true }
    })
  }
})

/** tsup runs in the folder of the package that it builds. */
const isOfNeighbour = (file: string): boolean =>
  file.startsWith(dirname(process.cwd()) + sep) && !file.startsWith(process.cwd() + sep)

/** A build begins without what the last one made. Declarations stay: `tsc -b` writes only those that change. */
const clean = ["!**/*.d.ts", "!**/*.d.ts.map"]

/**
 * How a library is built: one module for each source file, so that a program that imports one part of it loads that part and
 * what it needs, and no chunk besides. Declarations are made by `tsc -b`.
 */
export const library: Options = {
  entry: ["src/**/*.ts", "!src/**/*.d.ts"],
  format: ["esm"],
  target: "es2023",
  platform: "neutral",
  clean,
  splitting: false,
  dts: false,
  sourcemap: true,
  esbuildOptions: (options) => {
    // The sources are published, too: maps name them and need no copy.
    options.sourcesContent = false
  },
  esbuildPlugins: [importsKept()]
}

/**
 * How a library is built that is installed alone: it holds what it uses of these packages of the workspace.
 *
 * @param inlined such as `/^@postcode\/core\//`
 */
export const aloneLibrary = (inlined: RegExp): Options => ({
  ...library,
  noExternal: [inlined],
  esbuildOptions: (options) => {
    options.conditions = ["@postcode/source"]
    // The sources of neighbours are not published with this package.
    options.sourcesContent = true
  },
  esbuildPlugins: [importsKept(inlined)]
})

/**
 * How a program is built: from the sources of the whole workspace, with everything it depends on, into one file and a
 * chunk for each part that is loaded on demand. It starts several times faster than from some hundred modules.
 * Dependencies that still call `require` for Node's own modules get one.
 */
export const program = (entry: ReadonlyArray<string>): Options => ({
  entry: [...entry],
  format: ["esm"],
  target: "node22",
  platform: "node",
  clean,
  splitting: true,
  dts: false,
  noExternal: [/./],
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)'
  },
  esbuildOptions: (options) => {
    options.conditions = ["@postcode/source", "module"]
  }
})
