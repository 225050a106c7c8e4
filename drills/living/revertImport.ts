/** Imports another directory by mistake and reverts that, while searches go on. */
import { join } from "node:path"
import { formatVersion } from "@postcode/core/Directory"
import { now_ms } from "./Journal.ts"
import type { LivingOptions, RevertReport } from "./LivingOptions.ts"
import { importDemonstration, type LivingScene, runCommand, seconds } from "./LivingScene.ts"
import { type SearchProcess, searchReportOf } from "./SearchProcess.ts"
import type { Seen, Watcher } from "./Watcher.ts"

/** @param right the version that is current before; changes are not posted meanwhile */
export const revertImport = async (
  { progress, seed, units }: LivingOptions,
  { env, folder, replicas }: LivingScene,
  watcher: Watcher,
  searches: SearchProcess,
  right: Omit<Seen, "at_ms">
): Promise<RevertReport> => {
  await untilEverywhere(watcher, right)
  progress(`importing ${units} other units by mistake`)
  const begun_ms = now_ms()
  await searches.take()
  const wrong = { units, seed: seed + 1 }
  const flags = ["--drop-changes", "--allow-removals", "all"]
  const { import_s, version } = await importDemonstration(join(folder, "wrong"), wrong, env, ...flags)
  const imported_ms = now_ms()
  await untilEverywhere(watcher, { edition: version, changes: 0 })
  const wrongEverywhere_ms = now_ms()
  progress("reverting that")
  const { stderr: words } = await runCommand(["directory", "revert", "--yes", ...flags], env)
  const reverted_ms = now_ms()
  await untilEverywhere(watcher, right)
  const rightEverywhere_ms = now_ms()
  const seen = replicas.flatMap((_, replica) => watcher.seenBy(replica)).map((own) => versionsSince(own, begun_ms))
  return {
    import_s,
    wrongEverywhere_s: seconds(wrongEverywhere_ms - imported_ms),
    revert_s: seconds(reverted_ms - wrongEverywhere_ms),
    rightEverywhere_s: seconds(rightEverywhere_ms - wrongEverywhere_ms),
    versions: [...new Set(seen)],
    searches: searchReportOf([await searches.take()]),
    words
  }
}

const untilEverywhere = async (watcher: Watcher, version: Omit<Seen, "at_ms">): Promise<void> => {
  if (await watcher.untilShown(version.edition, version.changes, lostAfter_ms)) return
  throw new Error(`not every replica shows ${formatVersion(version)} within ${lostAfter_ms / 1_000} s`)
}

const lostAfter_ms = 300_000

/** The versions that a connection showed since a time, that of the time included, in their order. */
const versionsSince = (seen: ReadonlyArray<Seen>, since_ms: number): string => {
  const first = seen.findLastIndex(({ at_ms }) => at_ms <= since_ms)
  return seen.slice(Math.max(0, first)).map(formatVersion).join(", ")
}
