// What is published otherwise than it stands in the workspace, and what packing and releasing ask for. That the packages work as they
// are published is in packages.long.test.ts.
import { join, relative } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { run } from "../../scripts/child.mjs"
import { publishedManifest, repositoryVariable } from "../../scripts/publishedManifest.mjs"
import { packages, readJson, root } from "../../scripts/workspace.mjs"

describe("a published manifest", () => {
  const core = () => readJson(join(root, "packages", "core", "package.json"))

  it("names the repository of the release, and the folder of the package", () => {
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

  it("names no repository by default", () => {
    vi.stubEnv(repositoryVariable, undefined)
    expect(publishedManifest(core())).not.toHaveProperty("repository")
  })

  it.for(["cli", "console"])("of a bundle has no dependencies: @postcode/%s", (name) => {
    const manifest = readJson(join(root, "packages", name, "package.json"))
    expect(Object.keys(manifest.dependencies)).not.toEqual([])
    expect(publishedManifest(manifest)).not.toHaveProperty("dependencies")
    expect(publishedManifest(manifest)).not.toHaveProperty("peerDependencies")
  })

  it("has effect as a peer dependency, up to the next major version", () => {
    const { dependencies, peerDependencies } = publishedManifest(core())
    expect(dependencies).not.toHaveProperty("effect")
    expect(peerDependencies).toEqual({ effect: `^${core().dependencies.effect}` })
  })
})

describe("a release", () => {
  it.for(["pack", "release"])("npm run %s requires a folder", async (task) => {
    const { code, output } = await run(process.execPath, [join(root, "scripts", `${task}.mjs`)])
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^Name the folder /) })
  })
})
