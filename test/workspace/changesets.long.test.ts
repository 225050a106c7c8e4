// Whether a release can be made of the changes that wait for one: tried on a copy of the workspace.
import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { tool } from "../../scripts/child.mjs"
import { packages, readJson, root } from "../../scripts/workspace.mjs"
import { makeCopy, runNode } from "./WorkspaceCopy.ts"

const all = [...packages().values()].map(({ folder, name }) => ({ name, folder: relative(root, folder) }))
const isPrivate = (folder: string): boolean => readJson(join(root, folder, "package.json")).private === true
const versionIn = (workspace: string, folder: string): string | undefined =>
  readJson(join(workspace, folder, "package.json")).version
const published = all.filter(({ folder }) => !isPrivate(folder))

let copy: string
let output: string
beforeAll(async () => {
  copy = await makeCopy([])
  await cp(join(root, ".changeset"), join(copy, ".changeset"), { recursive: true })
  // One at least waits, also right behind a release.
  await writeFile(join(copy, ".changeset", "of-this-test.md"), `---\n"@postcode/core": patch\n---\n\nA change.\n`)
  const ended = await runNode([tool("@changesets/cli", "changeset"), "version"], copy)
  output = `exit code ${ended.code}\n${ended.output}`
})
afterAll(() => rm(copy, { recursive: true, force: true }))

describe("the next release", () => {
  it("can be made", () => {
    expect(output).toMatch(/^exit code 0\n/)
  })

  it("gives all packages that have a version the same one, and the published ones have it", () => {
    const [next] = published.map(({ folder }) => versionIn(copy, folder))
    expect(next).toMatch(/^[1-9]\d*\.\d+\.\d+$|^0\.[1-9]\d*\.\d+$/)
    const expected = all.map(({ folder }) => [folder, isPrivate(folder) && !versionIn(root, folder) ? undefined : next])
    expect(all.map(({ folder }) => [folder, versionIn(copy, folder)])).toEqual(expected)
  })

  it("is in the changelog of each published package", async () => {
    for (const { folder, name } of published) {
      const changelog = await readFile(join(copy, folder, "CHANGELOG.md"), "utf8")
      expect(changelog).toMatch(new RegExp(`^# ${name}\n\n## ${versionIn(copy, folder)}\n`))
    }
  })
})
