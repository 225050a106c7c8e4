/** A PostgreSQL server that a program starts, upgrades and stops, in its own folder. */

export { type ArchiveState, archiveState, archiveWal } from "./archive/archiveWal.ts"
export type { AboutBackup } from "./backup/BackupFormat.ts"
export { type BackupRecord, backupRecords, recordBackup, removeOldBackups } from "./backup/BackupRecords.ts"
export { type BackupOptions, backUp, type TakenBackup } from "./backup/backUp.ts"
export { readIdentities } from "./backup/Encryption.ts"
export { type RestoreOptions, restore } from "./backup/restore.ts"
export { type DataFolder, dataFolder } from "./DataFolder.ts"
export { EmbeddedFailure, FolderInUse, ProgramsMissing } from "./EmbeddedFailure.ts"
export {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  findUsed,
  openEmbedded,
  type UsedFolder
} from "./openEmbedded.ts"
