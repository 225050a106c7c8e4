/** Every port of the gateway on PostgreSQL, for replicas that share one database. */

export { type DatabaseOptions, layerDatabase } from "./connection/Database.ts"
export { FollowerTimes } from "./connection/Follower.ts"
export { DatabaseUnusable, type PrepareOptions, prepareDatabase } from "./connection/prepareDatabase.ts"
export { requireSessions, SessionsNotKept } from "./connection/requireSessions.ts"
export { layerStoreHealth } from "./connection/StoreHealth.ts"
export { forgetExpiredIdempotencyKeys } from "./credits/forgetExpiredIdempotencyKeys.ts"
export { type ArchivedMonth, type ArchiveOptions, archiveLedger } from "./credits/months/archiveLedger.ts"
export { LedgerFailure } from "./credits/months/LedgerFailure.ts"
export { type LedgerReport, type VerifyOptions, verifyLedger } from "./credits/months/verifyLedger.ts"
export {
  CurrentEdition,
  layerCurrentDirectory,
  NoDirectory,
  openCurrentDirectory
} from "./directory/CurrentDirectory.ts"
export { layerDirectoryChanges } from "./directory/DirectoryChanges.ts"
export { currentEdition, type Edition } from "./directory/Editions.ts"
export type { ChangesOverview, Examples } from "./directory/editions/ChangesOverview.ts"
export type {
  CarriedChanges,
  ChangesDecision,
  ChangesPolicy,
  RemovalsDecision
} from "./directory/editions/EditionSwitch.ts"
export { ImportFailure, ImportInDoubt } from "./directory/editions/ImportFailure.ts"
export {
  type DirectoryInput,
  type ImportedDirectory,
  type ImportOptions,
  type ImportResult,
  type ImportWatch,
  importDirectory
} from "./directory/editions/importDirectory.ts"
export { type RevertResult, revertDirectory } from "./directory/editions/revertDirectory.ts"
export { layerDirectoryImports } from "./directory/imports/DirectoryImports.ts"
export { openStoredImport, type StoredImport } from "./directory/imports/StoredImport.ts"
export { layerUnits } from "./directory/Units.ts"
export { KeyCopies } from "./keys/KeyCopies.ts"
export { layerRateLimiter, type RateLimiterOptions, removeIdleRateWindows } from "./limits/RateLimiter.ts"
export { layerMaintenance, type MaintenanceOptions } from "./maintenance/Maintenance.ts"
export { migrate } from "./migrations/Migrations.ts"
export * as PostgresStore from "./PostgresStore.ts"
export { type PostgresStoreOptions, postgresStore } from "./Store.ts"
