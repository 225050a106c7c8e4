/** The service in several processes: this one prepares the database and supervises the workers. */

import type { SecretPorts } from "@postcode/gateway/Store"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { chosenPort } from "../demonstration/PageAddress.ts"
import { firstOperator } from "../FirstOperator.ts"
import type { GatewaySettings } from "../GatewayServer.ts"
import { CommandFailure } from "../process/ExitCode.ts"
import type { ServedInput, StartedService } from "../ServeInput.ts"
import { layerDatabaseStore } from "../store/DatabaseStore.ts"
import { prepareDatabaseStore } from "../store/openDatabaseStore.ts"
import { measureProcess } from "../telemetry/measureProcess.ts"
import type { Telemetry } from "../telemetry/TelemetryServer.ts"
import { runWorkers } from "./WorkerPool.ts"

/** A process needs two connections to work concurrently. */
const minConnections = 2

export const serveInWorkers = (
  input: ServedInput,
  url: Redacted.Redacted,
  settings: GatewaySettings,
  telemetry: Telemetry | undefined
): Effect.Effect<StartedService, CommandFailure, Scope.Scope | SecretPorts> =>
  Effect.gen(function* () {
    const { databaseConnections, directory, host, platformPort, port, workers } = input
    const data = input.data?.path
    if (telemetry !== undefined) yield* measureProcess(telemetry.metrics.main)
    yield* prepareDatabaseStore({ url, directory, data })
    const store = layerDatabaseStore({ url, connections: minConnections })
    const connections = Math.max(minConnections, Math.floor(databaseConnections / workers))
    const start = {
      address: {
        host,
        port: yield* chosenPort(host, port),
        platformPort: platformPort === undefined ? undefined : yield* chosenPort(host, platformPort)
      },
      settings,
      url: Redacted.value(url),
      connections,
      directory,
      data
    }
    const { listening, store: description } = yield* runWorkers({ workers, start, metrics: telemetry?.metrics })
    return {
      ...description,
      ...listening,
      demonstration: undefined,
      // A store is needed for as long as a link waits to be used.
      claim: (origin, named) =>
        Effect.gen(function* () {
          const scope = yield* Scope.fork(yield* Effect.scope, "sequential")
          const ports = yield* Effect.mapError(Layer.buildWithScope(store, scope), failure)
          const claim = yield* Effect.provide(firstOperator(origin, named), ports)
          if (claim === undefined) yield* Scope.close(scope, Exit.void)
          return claim
        })
    }
  })

const failure = ({ message }: { readonly message: string }): CommandFailure =>
  new CommandFailure(`the database cannot be used: ${message}`)
