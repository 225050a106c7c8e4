/** What is left of clusters that were never completed. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeUnfinished, removeUnfinished } from "../../src/embedded/Cluster.ts"
import { dataFolder } from "../../src/embedded/DataFolder.ts"

it("incomplete clusters are removed, and one that is still being written blocks no other start", async () => {
  const path = await mkdtemp(join(tmpdir(), "postcode-cluster-"))
  try {
    const folder = await dataFolder(path)
    await mkdir(folder.cluster)
    const left = await makeUnfinished(folder)
    await writeFile(join(left, "PG_VERSION"), "18")
    const written = await makeUnfinished(folder)
    let isRemoved = false
    const writing = (async () => {
      for (let i = 0; !isRemoved; i++) {
        await mkdir(join(written, "base"), { recursive: true }).catch(() => {})
        await Promise.all([0, 1, 2, 3].map((k) => writeFile(join(written, "base", `${i}-${k}`), "").catch(() => {})))
      }
    })()
    await removeUnfinished(folder).finally(() => {
      isRemoved = true
    })
    await writing
    expect(await readdir(path)).toContain("postgres")
    expect((await readdir(path)).filter((name) => left.endsWith(name))).toEqual([])
  } finally {
    await rm(path, { recursive: true })
  }
})
