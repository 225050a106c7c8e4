/** The PostgreSQL store, shared by replicas, with its current directory. */
import type { Secrets } from "@postcode/gateway/store/Secrets"
import {
  CurrentEdition,
  layerCurrentDirectory,
  layerDatabase,
  layerDirectoryChanges,
  layerMaintenance,
  layerUnits,
  NoDirectory,
  prepareDatabase,
  requireSessions
} from "@postcode/postgres"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { commandName } from "../process/CommandName.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import { lazily } from "../process/Lazy.ts"
import { say } from "../process/Output.ts"
import { directoryOfFiles } from "../workers/SharedDirectory.ts"
import { SharedEdition } from "../workers/SharedEdition.ts"
import { databaseName } from "./DatabaseName.ts"
import { layerDatabaseStore } from "./DatabaseStore.ts"
import { openFileDirectory } from "./FileDirectory.ts"
import { findCurrentEdition } from "./findCurrentEdition.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** The database and the number of connections. */
export interface DatabaseStoreInput {
  readonly url: Redacted.Redacted
  /** The number of pooled connections of all threads together. */
  readonly connections: number
  /** A folder or a snapshot to serve instead of the database's directory. */
  readonly directory: string | undefined
  readonly workers: number
  /** The data folder of an embedded database; undefined for a database at an address. */
  readonly data: string | undefined
}

/** Waits for the database, migrates its schema, and loads the directory. */
export const openDatabaseStore = (
  input: DatabaseStoreInput
): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> =>
  Effect.gen(function* () {
    const name = databaseName(input.url)
    yield* prepare(input.url, name)
    if (input.data !== undefined && input.directory === undefined) yield* importIfEmpty(input.url, input.data)
    const database = { url: Redacted.value(input.url), connections: connectionsOfEach(input) }
    // The main thread also runs the database's maintenance.
    const store = Layer.provideMerge(layerMaintenance(), layerDatabaseStore(database))
    const { shared, ...opened } = yield* input.directory === undefined
      ? withOwnDirectory(store)
      : withFileDirectory(store, input.directory, input.workers)
    return {
      ...opened,
      storage:
        input.data === undefined
          ? `PostgreSQL, ${name}: all replicas on it are one service`
          : `${input.data}: an embedded PostgreSQL, for this service alone`,
      demonstration: undefined,
      forWorkers: input.workers === 1 || shared === undefined ? undefined : { directory: shared, database }
    }
  })

/** A thread needs two connections to work concurrently. */
const minConnections = 2

/** The main thread's connections for the directory, if there are workers. */
const connectionsOfEach = ({ connections, workers }: DatabaseStoreInput): number =>
  Math.max(minConnections, Math.floor(connections / (workers === 1 ? 1 : workers + 1)))

const prepare = (url: Redacted.Redacted, name: string): Effect.Effect<void, CommandFailure> =>
  prepareDatabase({
    check: requireSessions,
    onWait: (reason) => say(`waiting for the database ${name}: ${reason}`)
  }).pipe(
    Effect.provide(layerDatabase({ url, maxConnections: minConnections })),
    Effect.mapError(({ message }) => new CommandFailure(`the database ${name} cannot be used: ${message}`))
  )

/** The first start on a data folder has something to show. */
const importIfEmpty = (url: Redacted.Redacted, data: string): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    if ((yield* findCurrentEdition(url)) !== undefined) return
    yield* lazily(
      () => import("../data/importDemonstration.ts"),
      ({ importDemonstration }) => importDemonstration(url, data)
    )
  })

type MainStore = ReturnType<typeof layerDatabaseStore>

const withOwnDirectory = (store: MainStore) =>
  Effect.gen(function* () {
    const shared = new SharedEdition()
    const layer = layerCurrentDirectory({ onUpdate: (update, edition) => shared.take(update, edition) })
    const ports = yield* Effect.mapError(
      Layer.build(
        Layer.merge(layerUnits, layerDirectoryChanges).pipe(Layer.provideMerge(layer), Layer.provideMerge(store))
      ),
      explain
    )
    const { directory, edition } = Context.get(ports, CurrentEdition).get()
    const source = `edition ${edition} in the database: ${directory.version}`
    return { ports, directory, source, hasAttributes: true, shared }
  })

const withFileDirectory = (store: MainStore, path: string, workers: number) =>
  Effect.gen(function* () {
    const { layer, ...opened } = yield* openFileDirectory(path, workers, directoryOfFiles)
    return { ...opened, ports: yield* Effect.mapError(Layer.build(Layer.merge(store, layer)), explain) }
  })

const explain = (error: { readonly message: string }): CommandFailure =>
  new CommandFailure(
    error instanceof NoDirectory
      ? `the database holds no directory yet: load one with ${commandName()} import PATH, ` +
          "or serve one from files with --directory PATH"
      : `the database cannot be used: ${error.message}`
  )
