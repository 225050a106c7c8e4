// What is published otherwise than it stands in the workspace, and what a release refuses. That the packages work as they
// are published is in packages.long.test.ts.
import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { run } from "../scripts/child.mjs"
import { publishedManifest, repositoryVariable } from "../scripts/publishedManifest.mjs"
import { packages, readJson, root } from "../scripts/workspace.mjs"

describe("a published manifest", () => {
  const core = () => readJson(join(root, "packages", "core", "package.json"))

  it("names the repository that the release is made in, and the folder of the package", () => {
    vi.stubEnv(repositoryVariable, "https://git.example/owner/name")
    for (const { folder, name } of packages().values()) {
      if (!folder.startsWith(join(root, "packages"))) continue
      expect(publishedManifest({ name })).toMatchObject({
        homepage: `https://git.example/owner/name/tree/HEAD/${relative(root, folder)}#readme`,
        bugs: "https://git.example/owner/name/issues",
        repository: { type: "git", url: "git+https://git.example/owner/name.git", directory: relative(root, folder) }
      })
    }
  })

  it("names no repository where nothing says which one", () => {
    vi.stubEnv(repositoryVariable, undefined)
    expect(publishedManifest(core())).not.toHaveProperty("repository")
  })

  it.for(["cli", "console"])("of what is one bundle needs no package: @postcode/%s", (name) => {
    const manifest = readJson(join(root, "packages", name, "package.json"))
    expect(Object.keys(manifest.dependencies)).not.toEqual([])
    expect(publishedManifest(manifest)).not.toHaveProperty("dependencies")
    expect(publishedManifest(manifest)).not.toHaveProperty("peerDependencies")
  })

  it("asks for effect as a peer, up to the next major version", () => {
    const { dependencies, peerDependencies } = publishedManifest(core())
    expect(dependencies).not.toHaveProperty("effect")
    expect(peerDependencies).toEqual({ "@effect/vitest": expect.any(String), effect: `^${core().dependencies.effect}` })
  })
})

describe("a release", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "release-"))
    await mkdir(join(folder, "package"))
    await writeFile(join(folder, "package", "package.json"), `{ "name": "@postcode/core", "version": "0.0.0" }`)
    execFileSync("tar", ["-czf", "postcode-core-0.0.0.tgz", "package"], { cwd: folder })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("of packages that name no repository is refused, before anything is published", async () => {
    const { code, output } = await run(process.execPath, [join(root, "scripts", "run.mjs"), "release", folder])
    expect(code).toBe(1)
    expect(output).toMatch(
      /^No repository is named by @postcode\/core\. .*: set REPOSITORY_URL to the repository's page/
    )
  })

  it.for(["pack", "release"])("npm run %s asks for a folder", async (task) => {
    const { code, output } = await run(process.execPath, [join(root, "scripts", "run.mjs"), task])
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^Name the folder /) })
  })
})
