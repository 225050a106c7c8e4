import { defineConfig } from "vitest/config"

export default defineConfig({
  // Tests run against the sources through the custom export condition: no build is needed first.
  resolve: { conditions: ["@postcode/source"] },
  ssr: { resolve: { conditions: ["@postcode/source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts", "site/test/**/*.test.ts"],
    // Loading effect anew for each file would take most of the time: a worker's files share their modules instead.
    // The price is that a test must leave nothing behind at module level; what vitest itself stubs, it takes back.
    isolate: false,
    maxWorkers: "100%",
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
