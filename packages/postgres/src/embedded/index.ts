/** A PostgreSQL that a program starts, upgrades and stops itself, in a folder of its own. */
export { type DataFolder, dataFolder } from "./DataFolder.ts"
export { EmbeddedFailure, FolderInUse, ProgramsMissing } from "./EmbeddedFailure.ts"
export {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  findUsed,
  openEmbedded,
  type UsedFolder
} from "./openEmbedded.ts"
