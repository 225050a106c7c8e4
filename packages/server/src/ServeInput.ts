/** What a service is started with, and what it is then. */

import type { SignUpMode } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import type { SecretPorts } from "@postcode/gateway/Store"
import type { Effect, Redacted, Scope } from "effect"
import type { ServedData } from "./data/serveData.ts"
import type { Demonstration } from "./demonstration/openDemonstration.ts"
import type { ClaimLink, NamedOperator } from "./FirstOperator.ts"
import type { GatewaySettings, ListeningService } from "./GatewayServer.ts"
import type { MailFlags } from "./MailInput.ts"
import type { CommandFailure } from "./process/ExitCode.ts"
import type { StoreDescription } from "./store/OpenedStore.ts"

/** The flags of `postcode serve`, and the version of the program that runs it. */
export interface ServeInput
  extends Omit<GatewaySettings, "signUp" | "files" | "mail" | "secrets" | "tracing">,
    MailFlags {
  readonly port: number
  /** The sign-up mode; undefined: `off`, and `open` in the demonstration. */
  readonly signUp: SignUpMode | undefined
  readonly signUpDomains: ReadonlyArray<string>
  /** The platform's port; undefined if the gateway's serves the widget as well. */
  readonly platformPort: number | undefined
  /** The gateway's public origin, for the widget's page on the platform's host and for the demonstration's. */
  readonly gatewayUrl: string | undefined
  /** Whether the console is disabled. */
  readonly noConsole: boolean
  /** Whether reserved keys and postcodes are added; the demonstration always has them. */
  readonly sandbox: boolean
  /** What test keys see: all units and those of the sandbox, if there is one; or those of the sandbox alone. */
  readonly testDirectory: "all" | "sandbox"
  readonly host: string
  readonly directory: string | undefined
  /** The database; undefined to store everything in memory, or in a data folder. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** The folder of an embedded database; undefined for none. */
  readonly data: string | undefined
  /** The folder of PostgreSQL's programs for it; undefined for those that npm fetches. */
  readonly postgresBin: string | undefined
  /** The number of pooled connections of all processes together. */
  readonly databaseConnections: number
  /** The number of processes that serve requests; if 1, only this one. */
  readonly workers: number
  /** The telemetry port and its host; undefined for none. */
  readonly operationsPort: number | undefined
  readonly operationsHost: string
  /** Shown in the metrics. */
  readonly version: string
}

/** The flags, with the database of the data folder, if any. */
export interface ServedInput extends Omit<ServeInput, "data"> {
  readonly data: ServedData | undefined
}

/** A service that listens, with what its first screen shows. */
export interface StartedService extends ListeningService, StoreDescription {
  readonly demonstration: Demonstration | undefined
  /** The link for the first operator, if there is none. */
  readonly claim: (
    origin: string,
    named: NamedOperator | undefined
  ) => Effect.Effect<ClaimLink | undefined, CommandFailure, Scope.Scope | SecretPorts>
}
