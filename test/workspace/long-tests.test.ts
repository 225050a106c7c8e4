// The list of long tests in test/README.md is compared with the files on disk.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readJson, root } from "../../scripts/workspace.mjs"

const read = (file: string): string => readFileSync(join(root, file), "utf8")

it("test/README.md lists every long test file in the order of paths, with what it tests", () => {
  const rows = read("test/README.md").matchAll(/^\| `([^`]+\.long\.test\.ts)` *\| (.*?) *\|$/gm)
  const listed = [...rows].map(([, file = "", tests = ""]) => ({ file, tests }))
  const found = globSync("{bench,drills,packages/*/test,site/test,test}/**/*.long.test.ts", { cwd: root })
  expect(listed.map(({ file }) => file)).toEqual(found.sort())
  expect(listed.filter(({ tests }) => tests.length < 10)).toEqual([])
})

it("the workflows run every test nightly and before a release, and npm test on every push", () => {
  expect(readJson(join(root, "package.json")).scripts).toMatchObject({ "test:all": expect.any(String) })
  expect(read(".github/workflows/nightly.yml")).toMatch(/schedule:\n {4}- cron: [\s\S]*- run: npm run test:all\n/)
  expect(read(".github/workflows/release.yml")).toContain("- run: npm run test:all\n")
  expect(read(".github/workflows/ci.yml")).toContain("push:")
  expect(read(".ci/run")).toMatch(/^exec npm test$/m)
})
