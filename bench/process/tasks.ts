/** The steps of benchmarks that run in their own process. Each process loads only its own step. */
import type { PeersParameter } from "../address/tasks/peers.ts"
import type { QualityParameter } from "../address/tasks/quality.ts"
import type { SpeedParameter } from "../address/tasks/speed.ts"
import type { AllocationParameter } from "../directory/tasks/allocation.ts"
import type { ChangesParameter } from "../directory/tasks/changes.ts"
import type { CodesParameter } from "../directory/tasks/codes.ts"
import type { ExactnessParameter } from "../directory/tasks/exactness.ts"
import type { FirstCallsParameter } from "../directory/tasks/firstCalls.ts"
import type { PostgisParameter } from "../directory/tasks/postgis.ts"
import type { SearchesParameter } from "../directory/tasks/searches.ts"
import type {
  BuildFromRowsParameter,
  OpenSnapshotParameter,
  SnapshotSizesParameter
} from "../directory/tasks/snapshotTasks.ts"
import type { ReadCsvParameter } from "../import/csvReaders.ts"
import type { WriteCsvParameter } from "../import/writeCsv.ts"

type Progress = (message: string) => void

export const tasks = {
  addressPeersInMemory: async (parameter: PeersParameter, progress: Progress) =>
    (await import("../address/tasks/peers.ts")).peersInMemory(parameter, progress),
  addressPeersInPostgres: async (parameter: PeersParameter, progress: Progress) =>
    (await import("../address/tasks/peers.ts")).peersInPostgres(parameter, progress),
  addressQuality: async (parameter: QualityParameter, progress: Progress) =>
    (await import("../address/tasks/quality.ts")).quality(parameter, progress),
  addressSpeed: async (parameter: SpeedParameter, progress: Progress) =>
    (await import("../address/tasks/speed.ts")).speed(parameter, progress),
  buildFromRows: async (parameter: BuildFromRowsParameter) =>
    (await import("../directory/tasks/snapshotTasks.ts")).buildFromRows(parameter),
  openSnapshot: async (parameter: OpenSnapshotParameter) =>
    (await import("../directory/tasks/snapshotTasks.ts")).openSnapshot(parameter),
  snapshotSizes: async (parameter: SnapshotSizesParameter) =>
    (await import("../directory/tasks/snapshotTasks.ts")).snapshotSizes(parameter),
  searches: async (parameter: SearchesParameter, progress: Progress) =>
    (await import("../directory/tasks/searches.ts")).searches(parameter, progress),
  allocation: async (parameter: AllocationParameter, progress: Progress) =>
    (await import("../directory/tasks/allocation.ts")).allocation(parameter, progress),
  postgis: async (parameter: PostgisParameter, progress: Progress) =>
    (await import("../directory/tasks/postgis.ts")).postgis(parameter, progress),
  membership: async (parameter: CodesParameter, progress: Progress) =>
    (await import("../directory/tasks/codes.ts")).membership(parameter, progress),
  completion: async (parameter: CodesParameter, progress: Progress) =>
    (await import("../directory/tasks/codes.ts")).completion(parameter, progress),
  writeCsv: async (parameter: WriteCsvParameter, progress: Progress) =>
    (await import("../import/writeCsv.ts")).writeCsv(parameter, progress),
  readCsv: async (parameter: ReadCsvParameter) => (await import("../import/csvReaders.ts")).readCsv(parameter),
  changes: async (parameter: ChangesParameter, progress: Progress) =>
    (await import("../directory/tasks/changes.ts")).changes(parameter, progress),
  firstCalls: async (parameter: FirstCallsParameter, progress: Progress) =>
    (await import("../directory/tasks/firstCalls.ts")).firstCalls(parameter, progress),
  exactness: async (parameter: ExactnessParameter, progress: Progress) =>
    (await import("../directory/tasks/exactness.ts")).exactness(parameter, progress)
}

export type Tasks = typeof tasks
export type TaskName = keyof Tasks
