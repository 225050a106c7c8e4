// What every package of the workspace has in common, so that a new one cannot leave a part of it out.
import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fingerprint, packages, readJson, root, sourceFiles, withDependencies } from "../../scripts/workspace.mjs"

type Manifest = {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly type?: string
  readonly exports?: Record<string, unknown>
  readonly bin?: Record<string, string>
  readonly files?: ReadonlyArray<string>
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly scripts?: Record<string, string>
}

const manifest = (folder: string): Manifest => readJson(join(folder, "package.json"))
const all = [...packages().values()].map((one) => ({ ...one, manifest: manifest(one.folder) }))
const published = all.filter((one) => one.manifest.private !== true)

describe("the workspace", () => {
  it("has one exact version of every dependency", () => {
    const versions = new Map<string, Set<string>>()
    for (const one of [...all.map((each) => each.manifest), manifest(root)]) {
      const wanted = { ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies }
      // Generators of clients need the compiler's JavaScript interface, which TypeScript 7 does not have.
      if (one.name === "@postcode/openapi-clients") delete wanted.typescript
      for (const [name, version] of Object.entries(wanted))
        versions.set(name, (versions.get(name) ?? new Set()).add(version))
    }
    const loose = [...versions].filter(([, found]) => found.size !== 1 || ![...found].every(isExact))
    expect(loose.map(([name, found]) => `${name}: ${[...found].join(", ")}`)).toEqual([])
  })

  it("needs no POSIX shell for its scripts: each is programs with arguments", () => {
    const scripts = [...all.map((each) => each.manifest), manifest(root)].flatMap((one) =>
      Object.values(one.scripts ?? {})
    )
    expect(scripts.length).toBeGreaterThan(20)
    expect(
      scripts.filter(
        (script) =>
          !/^((node|tsup|biome|tsc|knip|textlint|changeset|npm|npx)( [\w./:=@-]+| "[\w./*{},-]+")*( && |$))+$/.test(
            script
          )
      )
    ).toEqual([])
  })

  it("starts Node once a script: a shell would go on with the one that it found before the installation", () => {
    const starts = (script: string) => script.split(" && ").filter((program) => program.startsWith("node ")).length
    expect(Object.entries(manifest(root).scripts ?? {}).filter(([, script]) => starts(script) > 1)).toEqual([])
  })

  it("has its tests outside of what is published, except the conformance suites", () => {
    const runners = ["@effect/vitest", "@postcode/conformance", "node:test", "vitest"]
    const imported = (file: string): boolean => {
      const source = readFileSync(file, "utf8")
      return runners.some((name) => source.includes(`from "${name}"`) || source.includes(`from "${name}/`))
    }
    const asks = ({ dependencies, optionalDependencies, peerDependencies }: Manifest): boolean =>
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).some((name) =>
        runners.includes(name)
      )
    const found = published.flatMap((one) => [
      ...(asks(one.manifest) ? [one.name] : []),
      ...sourceFiles(join(one.folder, "src"))
        .filter(imported)
        .map(() => one.name)
    ])
    expect([...new Set(found)]).toEqual(["@postcode/conformance"])
  })

  it.for(["tests", "browser"])("checks %s against the declarations of every package", (name) => {
    const { references } = readJson(join(root, "config", `tsconfig.${name}.json`)) as {
      references: ReadonlyArray<{ path: string }>
    }
    const folders = all.map(({ folder }) => relative(root, folder)).filter((folder) => folder.startsWith("packages/"))
    expect(references.map(({ path }) => path.replace("../", "")).sort()).toEqual(folders.sort())
  })
})

describe.for(published)("$name", ({ folder, manifest: one, uses }) => {
  it("is an ES module under the workspace's licence, and is built", () => {
    expect(one).toMatchObject({ type: "module", license: manifest(root).license })
    expect(existsSync(join(folder, "tsup.config.ts"))).toBe(true)
  })

  it("publishes its built files, without the stamps of builds", () => {
    expect(one.files).toEqual(expect.arrayContaining(["dist", "!dist/.*"]))
    const { compilerOptions } = readJson(join(root, "tsconfig.base.json"))
    expect(basename(compilerOptions.tsBuildInfoFile)).toMatch(/^\./)
  })

  it("has exports with types, or a command", () => {
    const open = Object.values(one.exports ?? {}).filter((entry) => entry !== null)
    expect(open.length + Object.keys(one.bin ?? {}).length).toBeGreaterThan(0)
    for (const entry of open) {
      const conditions = entry as Record<string, string>
      expect(Object.keys(conditions)).toEqual(["@postcode/source", "types", "default"])
      expect(conditions.types).toMatch(/^\.\/dist\/.*\.d\.ts$/)
    }
  })

  it("is compiled after the packages it depends on", () => {
    const { references = [] } = readJson(join(folder, "tsconfig.json")) as {
      references?: ReadonlyArray<{ path: string }>
    }
    const needed = Object.keys(one.dependencies ?? {}).filter((name) => uses.includes(name))
    const folders = needed.map((name) => relative(folder, packages().get(name)?.folder ?? ""))
    expect(references.map(({ path }) => path).sort()).toEqual(folders.sort())
  })
})

describe("the inputs of a build", () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "package-"))
    await mkdir(join(folder, "src", "internal"), { recursive: true })
    for (const name of ["test", "dist", "node_modules"]) await mkdir(join(folder, name))
    for (const name of [
      "src/index.ts",
      "src/internal/part.ts",
      "test/x.ts",
      "dist/x.js",
      "node_modules/x",
      ".hidden",
      "tsup.config.bundled_x.mjs"
    ])
      await writeFile(join(folder, name), name)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("are sources, without tests and built, installed or hidden files", () => {
    const found = sourceFiles(folder).map((file) => relative(folder, file))
    expect(found.sort()).toEqual(["src/index.ts", "src/internal/part.ts"])
  })

  it("count with contents and names, not with dates", async () => {
    const file = join(folder, "src/index.ts")
    const before = fingerprint(sourceFiles(folder))
    await utimes(file, 0, 0)
    expect(fingerprint(sourceFiles(folder))).toBe(before)
    await writeFile(file, "changed")
    expect(fingerprint(sourceFiles(folder))).not.toBe(before)
  })

  it("include the sources of dependencies", () => {
    const names = withDependencies("@postcode/http").map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["@postcode/http", "@postcode/api", "@postcode/core"]))
  })

  it("refuse a package that does not exist", () => {
    expect(() => withDependencies("@postcode/none")).toThrow("No package of this workspace is called @postcode/none.")
  })
})

const isExact = (version: string) =>
  version === "workspace:*" || /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
