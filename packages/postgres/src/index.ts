/** Every port of core on PostgreSQL: for many replicas that share one store. */
export { forgetExpiredIdempotencyKeys } from "./CreditLedger.ts"
export {
  type CurrentDirectoryOptions,
  CurrentEdition,
  layerCurrentDirectory,
  NoDirectory,
  openCurrentDirectory
} from "./CurrentDirectory.ts"
export { type DatabaseOptions, layerDatabase } from "./Database.ts"
export { currentEdition, type Edition } from "./directory/Editions.ts"
export { ImportFailure, ImportInDoubt } from "./directory/ImportFailure.ts"
export {
  type DirectoryInput,
  type ImportedDirectory,
  type ImportOptions,
  type ImportResult,
  type ImportWatch,
  importDirectory
} from "./directory/importDirectory.ts"
export { Epochs, Lease, layerEpochs } from "./Epochs.ts"
export { layerMaintenance, type MaintenanceOptions } from "./Maintenance.ts"
export { migrate } from "./Migrations.ts"
export * as PostgresStore from "./PostgresStore.ts"
export { DatabaseUnusable, type PrepareOptions, prepareDatabase } from "./prepareDatabase.ts"
export { layerRateLimiter, type RateLimiterOptions, removeIdleRateWindows } from "./RateLimiter.ts"
export { layerStoreHealth } from "./StoreHealth.ts"
export { layerUnits } from "./Units.ts"
