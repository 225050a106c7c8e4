/** The installed packages, used by programs of Node. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { publishedNames } from "./InstalledPackages.ts"
import { examplesOf, expectAnswers, type Place, ran, runExample } from "./PackageExamples.ts"

export const onNode = (place: () => Place): void => {
  describe("on Node", () => {
    it("every export can be imported", async () => {
      const entries = place().installed.all.flatMap((one) => one.entries)
      const program = entries.map((entry) => `await import("${entry}")\n`).join("")
      expect(await ran([process.execPath, "--input-type=module", "--eval", program], place())).toBe("")
    })

    it.for(publishedNames.filter((name) => name !== "@postcode/widget"))(
      "the examples in the README of %s answer what it says",
      (name) => expectAnswers(examplesOf(place().installed.of(name)), (example) => runExample(example, place()))
    )

    it("the command prints its help, and its service starts", async () => {
      expect(await ran(["npx", "--no-install", "postcode", "--help"], place())).toMatch(/\bserve\b/)
      const { url } = place().service
      const paths = ["/v1/health/ready", "/v1/docs", "/console/", "/v1/widget/embed"]
      const answers = await Promise.all(paths.map(async (path) => [path, (await fetch(url + path)).status]))
      expect(answers).toEqual(paths.map((path) => [path, 200]))
    })

    it("a custom store can run the conformance suites", async () => {
      await writeFile(join(place().installed.folder, "store.test.ts"), conformance)
      const some = "Organizations of mine|golden vector"
      const vitest = join("node_modules", "vitest", "vitest.mjs")
      expect(await ran([process.execPath, vitest, "run", "store.test.ts", "-t", some], place())).toMatch(
        /Tests {2}\d+ passed/
      )
    })
  })
}

/** A test file of somebody who brings a store: the memory adapter stands for theirs. */
const conformance = `
import { organizationsSuite } from "@postcode/conformance"
import { gatewaySuite } from "@postcode/conformance/wire"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { MemoryStore } from "@postcode/memory"
import { Layer } from "effect"

organizationsSuite("of mine", MemoryStore.layer)
gatewaySuite("on my store", ({ attributesOf, directory }) =>
  Layer.merge(MemoryStore.layer, layerDirectory(directory, (_, postcode) => attributesOf(postcode)))
)
`
