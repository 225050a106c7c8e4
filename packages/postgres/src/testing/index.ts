/** PostgreSQL for tests and benchmarks. */
export {
  embeddedPostgres,
  findPostgres,
  type PostgresServer,
  type ServerOptions,
  settingsForTests,
  startPostgres
} from "./PostgresServer.ts"
export { makeTestDatabase, requirePostgres, type TestDatabase } from "./TestDatabase.ts"
