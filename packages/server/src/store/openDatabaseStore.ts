/** The PostgreSQL store, shared by replicas, with its current directory. */
import type { Secrets } from "@postcode/gateway/store/Secrets"
import { closeStoredSandbox } from "@postcode/gateway/suspension/closeStoredSandbox"
import {
  CurrentEdition,
  layerCurrentDirectory,
  layerDatabase,
  layerDirectoryChanges,
  layerDirectoryImports,
  layerMaintenance,
  layerUnits,
  NoDirectory,
  prepareDatabase,
  requireSessions
} from "@postcode/postgres"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { importInWorker } from "../imports/importInWorker.ts"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import { lazily } from "../process/Lazy.ts"
import { say } from "../process/Output.ts"
import { databaseName } from "./DatabaseName.ts"
import { layerDatabaseStore } from "./DatabaseStore.ts"
import { openFileDirectory } from "./FileDirectory.ts"
import { findCurrentEdition } from "./findCurrentEdition.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** The database and the number of connections. */
export interface DatabaseStoreInput {
  readonly url: Redacted.Redacted
  /** The maximum of the pool of this process. */
  readonly connections: number
  /** A folder or a snapshot to serve instead of the database's directory. */
  readonly directory: string | undefined
  /** The data folder of an embedded database; undefined for a database at an address. */
  readonly data: string | undefined
}

/** Loads the directory from a prepared database. */
export const openDatabaseStore = ({
  connections,
  data,
  directory,
  url
}: DatabaseStoreInput): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> =>
  Effect.gen(function* () {
    const database = layerDatabaseStore({ url, connections })
    const store = Layer.provideMerge(layerMaintenance(), database)
    const opened = yield* directory === undefined ? withOwnDirectory(store, url) : withFileDirectory(store, directory)
    yield* Effect.provide(endStoredSandbox, opened.ports)
    return {
      ...opened,
      storage:
        data === undefined
          ? `PostgreSQL, ${databaseName(url)}: all replicas on it are one service`
          : `${data}: an embedded PostgreSQL, for this service alone`,
      demonstration: undefined
    }
  })

/** Reserved keys that an earlier version stored end with every start. */
const endStoredSandbox = Effect.mapError(
  closeStoredSandbox,
  ({ message }) => new CommandFailure(`stored keys of the sandbox could not be revoked: ${message}`)
)

/** Waits for the database, and migrates its schema. The first start on a data folder has something to show. */
export const prepareDatabaseStore = ({
  data,
  directory,
  url
}: Omit<DatabaseStoreInput, "connections">): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    yield* prepare(url)
    if (data !== undefined && directory === undefined) yield* importIfEmpty(url, data)
  })

const prepare = (url: Redacted.Redacted): Effect.Effect<void, CommandFailure> => {
  const name = databaseName(url)
  return prepareDatabase({
    check: requireSessions,
    onWait: (reason) => say(`waiting for the database ${name}: ${reason}`)
  }).pipe(
    Effect.provide(layerDatabase({ url, maxConnections: 2 })),
    Effect.mapError(({ message }) => new CommandFailure(`the database ${name} cannot be used: ${message}`))
  )
}

const importIfEmpty = (url: Redacted.Redacted, data: string): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    if ((yield* findCurrentEdition(url)) !== undefined) return
    yield* lazily(
      () => import("../data/importDemonstration.ts"),
      ({ importDemonstration }) => importDemonstration(url, data)
    )
  })

type DatabaseLayer = ReturnType<typeof layerDatabaseStore>

const withOwnDirectory = (store: DatabaseLayer, url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const ports = yield* Effect.mapError(
      Layer.build(
        Layer.mergeAll(
          layerUnits,
          layerDirectoryChanges,
          layerDirectoryImports((id) => importInWorker({ id, url: Redacted.value(url) }))
        ).pipe(Layer.provideMerge(layerCurrentDirectory), Layer.provideMerge(store))
      ),
      explain
    )
    const { directory, edition } = Context.get(ports, CurrentEdition).get()
    const source = `edition ${edition} in the database: ${directory.version}`
    return { ports, directory, source, hasAttributes: true }
  })

const withFileDirectory = (store: DatabaseLayer, path: string) =>
  Effect.gen(function* () {
    const { layer, ...opened } = yield* openFileDirectory(path, directoryOfFiles)
    return { ...opened, ports: yield* Effect.mapError(Layer.build(Layer.merge(store, layer)), explain) }
  })

/** Why the directory of a service with a database is not changed: other replicas would not know. */
const directoryOfFiles =
  "this directory cannot be changed: it comes from files; import it into the database, and serve it from there"

const explain = (error: { readonly message: string }): CommandFailure =>
  new CommandFailure(
    error instanceof NoDirectory
      ? `the database holds no directory yet: load one with ${commandName()} import PATH, ` +
          "or serve one from files with --directory PATH"
      : `the database cannot be used: ${error.message}`
  )
