/** The store that the service runs on, whatever it is, with the directory that it serves. */
import type { Directory } from "@postcode/core/Directory"
import type { WebhookQueue } from "@postcode/core/webhooks/WebhookQueue"
import type { GatewayPorts } from "@postcode/http"
import type { Context } from "effect"
import type { OpenedDirectory } from "../../directory/openDirectory.ts"
import type { SettingsPorts } from "../GatewayServer.ts"
import type { SharedDirectory } from "../workers/SharedDirectory.ts"
import type { DatabaseSettings } from "./DatabaseStore.ts"

/** All that a gateway needs but what its settings give it. */
type StorePorts = Exclude<GatewayPorts, SettingsPorts>

/** A store that is open, and what is said of it. */
export interface OpenedStore {
  readonly ports: Context.Context<StorePorts | WebhookQueue>
  /** The directory in force at the start. */
  readonly directory: Directory
  /** Where it comes from, in words. */
  readonly source: string
  /** Whether more is known of units than their code, status and place. */
  readonly hasAttributes: boolean
  /** Where everything is stored, in words. */
  readonly storage: string
  /** What is known of the units of the demonstration, if that is served. */
  readonly demonstration: OpenedDirectory["attributesOf"] | undefined
  /** What worker threads get; undefined if there are none. */
  readonly forWorkers: ForWorkers | undefined
}

/** What each worker thread needs of it. */
export interface ForWorkers {
  readonly directory: SharedDirectory
  readonly database: DatabaseSettings
}
