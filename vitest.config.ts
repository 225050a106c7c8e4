import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Files that take longest, and begin first. */
export const longest = [
  "packages/cli/test/gateway/postgres.server.long.test.ts",
  "packages/cli/test/gateway/postgres.management.long.test.ts",
  "packages/cli/test/gateway/memory.requests.test.ts",
  "packages/cli/test/gateway/memory.access.test.ts",
  "packages/cli/test/gateway/memory.lookup.test.ts",
  "packages/cli/test/gateway/memory.management.test.ts",
  "test/documents/readme.test.ts"
]

/**
 * On a clean clone vitest begins with the largest files. The suites of the gateway run from two of the smallest: at the
 * end of the run, one core would wait for them.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return found === -1 ? longest.length : found
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  // Tests run against the sources through the custom export condition: no build is needed first.
  resolve: { conditions: ["@postcode/source"] },
  ssr: { resolve: { conditions: ["@postcode/source"] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "test/**/*.test.ts",
      "bench/**/*.test.ts",
      "drills/**/*.test.ts",
      "site/test/**/*.test.ts"
    ],
    // Loading effect anew for each file would take most of the time: a worker's files share their modules instead.
    // The price is that a test must leave nothing behind at module level; what vitest itself stubs, it takes back.
    isolate: false,
    // Tests wait for databases and browsers for a fifth of their time. More workers than cores use it.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    allowOnly: false,
    // Limits end what hangs. What is only slow, as everything is where a machine has other things to do, is waited for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } }
  }
})
