/** The project's containers: built, run, replaced and killed under load. */
import { type Drill, printTable } from "../kit/Drill.ts"
import { missingPackages } from "./Podman.ts"
import { type Requests, runContainers } from "./runContainers.ts"
import type { LargeBodies } from "./sendLargeBodies.ts"

export const drill: Drill<Record<never, never>> = {
  options: {},
  missing: missingPackages,
  run: async (_, progress) => {
    const report = await runContainers(progress)
    const { changesBodies, charges, kill, largeBodies, replacement, wrong } = report
    printTable(
      ["", "Seen"],
      [
        ["images made from Debian's packages", report.madeImages.join(", ") || "none: all were there"],
        ["build of the image", `${report.build_s} s, without a cache`],
        ["image", `${report.image_mb} MB, of which Node's image ${report.nodeImage_mb} MB`],
        ["ready", `${report.ready_s} s after the first container, with the import`],
        ["replacement of both replicas", describe(replacement)],
        ["kill -9 of one, until it is healthy", describe(kill)],
        ["60 slow bodies of 16 MiB to no endpoint", describeBodies(largeBodies)],
        ["60 slow bodies of 4 MiB to the directory's changes", describeBodies(changesBodies)],
        ["charges", `${charges} answered, ${Object.values(wrong).flat().length} faults`],
        ["systemd-analyze verify", `${report.units.join(", ")}: no warning`]
      ]
    )
    return {
      ...wrong,
      "a request that failed during the replacement": [
        ...listFailed("search", replacement.failedSearches),
        ...listFailed("paid lookup", replacement.failedPaid)
      ],
      "a search that failed after the kill": listFailed("search", kill.failedSearches),
      // One address has at most 4 changes of the directory in progress.
      "nginx holds more of large bodies than its configuration allows": [
        ...(largeBodies.held < 2 ** 20 ? [] : [describeBodies(largeBodies)]),
        ...(changesBodies.held < 17 * 2 ** 20 ? [] : [describeBodies(changesBodies)])
      ],
      "no charge was answered": charges > 0 ? [] : ["0 charges"]
    }
  }
}

type Failed = Requests["failedPaid"]

const listFailed = (what: string, failed: Failed): ReadonlyArray<string> =>
  Object.entries(failed).map(([status, times]) => `${what}: ${times} × ${status === "0" ? "lost" : status}`)

const describeFailed = (what: string, failed: Failed): string => listFailed(what, failed).join(", ") || "none failed"

const describe = ({ failedPaid, failedSearches, paid, searches, seconds, slowest_ms }: Requests): string =>
  [
    `${seconds} s`,
    `${searches} searches, ${describeFailed("search", failedSearches)}`,
    `${paid} paid lookups, ${describeFailed("paid lookup", failedPaid)}`,
    `slowest ${slowest_ms} ms`
  ].join("; ")

const describeBodies = ({ held, limited, tooLarge }: LargeBodies): string =>
  `${tooLarge} × 413, ${limited} × 429; ${(held / 2 ** 20).toFixed(1)} MiB held`
