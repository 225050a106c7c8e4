/** The PostgreSQL store, shared by replicas, with its current directory. */
import type { Secrets } from "@postcode/core/store/Secrets"
import {
  CurrentEdition,
  layerCurrentDirectory,
  layerDatabase,
  layerMaintenance,
  layerUnits,
  NoDirectory,
  prepareDatabase
} from "@postcode/postgres"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { commandName } from "../../CommandName.ts"
import { CommandFailure } from "../../ExitCode.ts"
import { say } from "../../Output.ts"
import type { DirectoryImage, SharedDirectory } from "../workers/SharedDirectory.ts"
import { databaseName } from "./DatabaseName.ts"
import { type DatabaseSettings, layerDatabaseStore } from "./DatabaseStore.ts"
import { openFileDirectory } from "./FileDirectory.ts"
import type { OpenedStore } from "./OpenedStore.ts"

/** Which database, and how many connections. */
export interface DatabaseStoreInput {
  readonly url: Redacted.Redacted
  /** The number of pooled connections of all threads together. */
  readonly connections: number
  /** A folder or a snapshot to serve instead of the database's directory. */
  readonly directory: string | undefined
  readonly workers: number
}

/** Waits for the database, migrates its schema, and loads the directory. */
export const openDatabaseStore = (
  input: DatabaseStoreInput
): Effect.Effect<OpenedStore, CommandFailure, Scope.Scope | Secrets> =>
  Effect.gen(function* () {
    const name = databaseName(input.url)
    yield* prepare(input.url, name)
    const settings = { url: Redacted.value(input.url), connections: connectionsOfEach(input) }
    const opened = yield* input.directory === undefined
      ? withOwnDirectory(settings, input.workers)
      : withFileDirectory(settings, input.directory, input.workers)
    return { ...opened, storage: `PostgreSQL, ${name}: all replicas on it are one service`, demonstration: undefined }
  })

/** A thread needs two connections to work concurrently. */
const minConnections = 2

/** The main thread's connections for the directory, if there are workers. */
const connectionsOfEach = ({ connections, workers }: DatabaseStoreInput): number =>
  Math.max(minConnections, Math.floor(connections / (workers === 1 ? 1 : workers + 1)))

const prepare = (url: Redacted.Redacted, name: string): Effect.Effect<void, CommandFailure> =>
  prepareDatabase({ onWait: (reason) => say(`waiting for the database ${name}: ${reason}`) }).pipe(
    Effect.provide(layerDatabase({ url, maxConnections: minConnections })),
    Effect.mapError(({ message }) => new CommandFailure(`the database ${name} cannot be used: ${message}`))
  )

/** The main thread's store, which also runs the database's maintenance. */
const layerMainStore = (settings: DatabaseSettings) =>
  Layer.provideMerge(layerMaintenance(), layerDatabaseStore(settings))

type WithDirectory = Effect.Effect<
  Omit<OpenedStore, "demonstration" | "storage">,
  CommandFailure,
  Scope.Scope | Secrets
>

const withOwnDirectory = (settings: DatabaseSettings, workers: number): WithDirectory =>
  Effect.gen(function* () {
    const followers = new Set<(changed: DirectoryImage) => void>()
    const directory = layerCurrentDirectory({
      onEdition: (edition) => {
        for (const notify of followers) notify(edition)
      }
    })
    const ports = yield* Layer.build(
      layerUnits.pipe(Layer.provideMerge(directory), Layer.provideMerge(layerMainStore(settings)))
    ).pipe(Effect.mapError(explain))
    const { get } = Context.get(ports, CurrentEdition)
    const shared: SharedDirectory = {
      current: get,
      follow: (notify) => {
        followers.add(notify)
        return () => followers.delete(notify)
      },
      attributes: undefined
    }
    return {
      ports,
      directory: get().directory,
      source: `edition ${get().edition} in the database: ${get().directory.version}`,
      hasAttributes: true,
      forWorkers: workers === 1 ? undefined : { directory: shared, database: settings }
    }
  })

const withFileDirectory = (settings: DatabaseSettings, path: string, workers: number): WithDirectory =>
  Effect.gen(function* () {
    const { directory, hasAttributes, layer, shared, source } = yield* openFileDirectory(path, workers)
    const ports = yield* Effect.mapError(Layer.build(Layer.merge(layerMainStore(settings), layer)), explain)
    return {
      ports,
      directory,
      source,
      hasAttributes,
      forWorkers: shared === undefined ? undefined : { directory: shared, database: settings }
    }
  })

const explain = (error: { readonly message: string }): CommandFailure =>
  new CommandFailure(
    error instanceof NoDirectory
      ? `the database holds no directory yet: load one with ${commandName()} import PATH, ` +
          "or serve one from files with --directory PATH"
      : `the database cannot be used: ${error.message}`
  )
