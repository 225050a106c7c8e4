/** The steps of the benchmark that run in their own process. Each process loads only its own step. */
import type { AllocationParameter } from "./allocation.ts"
import type { ChangesParameter } from "./changes.ts"
import type { CodesParameter } from "./codes.ts"
import type { ParseCsvParameter, WriteCsvParameter } from "./csvTasks.ts"
import type { ExactnessParameter } from "./exactness.ts"
import type { PostgisParameter } from "./postgis.ts"
import type { SearchesParameter } from "./searches.ts"
import type { BuildFromRowsParameter, OpenSnapshotParameter, SnapshotSizesParameter } from "./snapshotTasks.ts"

type Progress = (message: string) => void

export const tasks = {
  buildFromRows: async (parameter: BuildFromRowsParameter) =>
    (await import("./snapshotTasks.ts")).buildFromRows(parameter),
  openSnapshot: async (parameter: OpenSnapshotParameter) =>
    (await import("./snapshotTasks.ts")).openSnapshot(parameter),
  snapshotSizes: async (parameter: SnapshotSizesParameter) =>
    (await import("./snapshotTasks.ts")).snapshotSizes(parameter),
  searches: async (parameter: SearchesParameter, progress: Progress) =>
    (await import("./searches.ts")).searches(parameter, progress),
  allocation: async (parameter: AllocationParameter, progress: Progress) =>
    (await import("./allocation.ts")).allocation(parameter, progress),
  postgis: async (parameter: PostgisParameter, progress: Progress) =>
    (await import("./postgis.ts")).postgis(parameter, progress),
  membership: async (parameter: CodesParameter, progress: Progress) =>
    (await import("./codes.ts")).membership(parameter, progress),
  completion: async (parameter: CodesParameter, progress: Progress) =>
    (await import("./codes.ts")).completion(parameter, progress),
  writeCsv: async (parameter: WriteCsvParameter, progress: Progress) =>
    (await import("./csvTasks.ts")).writeCsv(parameter, progress),
  parseCsv: async (parameter: ParseCsvParameter) => (await import("./csvTasks.ts")).parseCsv(parameter),
  changes: async (parameter: ChangesParameter, progress: Progress) =>
    (await import("./changes.ts")).changes(parameter, progress),
  exactness: async (parameter: ExactnessParameter, progress: Progress) =>
    (await import("./exactness.ts")).exactness(parameter, progress)
}

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
