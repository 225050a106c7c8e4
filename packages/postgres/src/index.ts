/** Every port of core on PostgreSQL: for many replicas that share one store. */
export { type DatabaseOptions, layerDatabase } from "./Database.ts"
export { migrate } from "./Migrations.ts"
