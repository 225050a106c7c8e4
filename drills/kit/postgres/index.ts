/** PostgreSQL for tests and benchmarks. */
export { unprivilegedUser } from "../../../packages/postgres/src/embedded/ServerUser.ts"
export { atEndOfProcess } from "./AtEndOfProcess.ts"
export { connectToAddress } from "./connectToAddress.ts"
export { connectToFolder } from "./connectToFolder.ts"
export { freePort } from "./FreePort.ts"
export { importForTests, type TestDirectory, type TestUnit, textInput } from "./importForTests.ts"
export {
  embeddedPostgres,
  findPostgres,
  type PostgresServer,
  type ServerOptions,
  settingsForTests,
  startPostgres
} from "./PostgresServer.ts"
export { startTcpProxy, type TcpProxy } from "./TcpProxy.ts"
export { makeMigratedDatabase, makeTestDatabase, requirePostgres, type TestDatabase } from "./TestDatabase.ts"
