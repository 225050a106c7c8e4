/**
 * The project's containers, built and run: `npm run containers`. Needs root and packages of Debian, which it names if they
 * are missing. Prints a table. Exit code 1 if a request failed that should not, a charge is wrong, or nginx holds more of
 * large bodies than its configuration allows.
 */
import { requirePackages } from "./Podman.ts"
import { type Requests, runContainers } from "./runContainers.ts"
import type { LargeBodies } from "./sendLargeBodies.ts"

const progress = (message: string) => process.stderr.write(`${message}\n`)

try {
  await requirePackages()
} catch (error) {
  progress((error as Error).message)
  process.exit(1)
}

const report = await runContainers(progress)

type Failed = Requests["failedPaid"]

const count = (failed: Failed): number => Object.values(failed).reduce((sum, one) => sum + one, 0)

const describeFailed = (failed: Failed): string => {
  const statuses = Object.entries(failed).map(([status, times]) => `${times} × ${status === "0" ? "lost" : status}`)
  return `${count(failed)} failed${statuses.length === 0 ? "" : ` (${statuses.join(", ")})`}`
}

const describe = ({ failedPaid, failedSearches, paid, searches, seconds, slowest_ms }: Requests): string =>
  [
    `${seconds} s`,
    `${searches} searches, ${describeFailed(failedSearches)}`,
    `${paid} paid lookups, ${describeFailed(failedPaid)}`,
    `slowest ${slowest_ms} ms`
  ].join("; ")

const describeBodies = ({ held, limited, tooLarge }: LargeBodies): string =>
  `${tooLarge} × 413, ${limited} × 429; ${(held / 2 ** 20).toFixed(1)} MiB held`

const faults = Object.entries(report.wrong).flatMap(([promise, all]) => all.map((one) => `${promise}: ${one}`))
for (const fault of faults) progress(fault)
const rows = [
  ["", "Seen"],
  ["---", "---"],
  ["images made from Debian's packages", report.madeImages.join(", ") || "none: all were there"],
  ["build of the image", `${report.build_s} s, without a cache`],
  ["image", `${report.image_mb} MB, of which Node's image ${report.nodeImage_mb} MB`],
  ["ready", `${report.ready_s} s after the first container, with the import`],
  ["replacement of both replicas", describe(report.replacement)],
  ["kill -9 of one, until it is healthy", describe(report.kill)],
  ["60 slow bodies of 16 MiB to no endpoint", describeBodies(report.largeBodies)],
  ["60 slow bodies of 4 MiB to the directory's changes", describeBodies(report.changesBodies)],
  ["charges", `${report.charges} answered, ${faults.length} faults`],
  ["systemd-analyze verify", `${report.units.join(", ")}: no warning`]
]
for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`)

const { kill, replacement } = report
const failures = [replacement.failedPaid, replacement.failedSearches, kill.failedSearches].map(count)
// One address has at most 4 of the latter in progress.
const isBounded = report.largeBodies.held < 2 ** 20 && report.changesBodies.held < 17 * 2 ** 20
const isRight = isBounded && faults.length === 0 && failures.every((failed) => failed === 0) && report.charges > 0
process.exitCode = isRight ? 0 : 1
