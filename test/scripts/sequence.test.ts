// The order in which test files begin.
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../scripts/workspace.mjs"
import { LongestFirst, longest } from "../../vitest.config.ts"

it("the longest test files start first, and the others by their size", async () => {
  const names = ["test/markdown/MarkdownExamples.test.ts", "test/markdown/code-blocks.test.ts", ...longest.toReversed()]
  const project = { name: "", config: { isolate: false, sequence: { groupOrder: 0 } } }
  const files = names.map((name) => ({ moduleId: resolve(root, name), project }))
  const context: unknown = { cache: { getTestSpecificationResult: () => undefined } }
  const sequencer = new LongestFirst(context as ConstructorParameters<typeof LongestFirst>[0])
  const sorted = await sequencer.sort(files as unknown as Parameters<LongestFirst["sort"]>[0])
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    [...longest, "test/markdown/code-blocks.test.ts", "test/markdown/MarkdownExamples.test.ts"].map((name) =>
      resolve(root, name)
    )
  )
})

it("every file that is listed to start first exists", () => {
  expect(longest.filter((name) => !existsSync(join(root, name)))).toEqual([])
})
