/** The files that the service answers beside the contract: the console, and the widget's page for WebViews and frames. */
import type { HostedFile } from "@postcode/http"
import { Effect } from "effect"

/** What decides which files there are. */
export interface HostedFilesInput {
  /** The port of the platform's host, if it is apart. */
  readonly platformPort: number | undefined
  /** Where browsers find the gateway, for a page that is on another host. */
  readonly gatewayUrl: string | undefined
  /** Whether there is no console. */
  readonly noConsole: boolean
}

/** All of them, as the gateway takes them. */
export const hostedFiles = (input: HostedFilesInput): Effect.Effect<ReadonlyArray<HostedFile>> =>
  Effect.promise(async () => [...(await widgetFiles(input)), ...(input.noConsole ? [] : await loadConsole())])

/** Without knowing where the gateway is, a page on another host could search nothing: then there is none. */
const widgetFiles = async ({ gatewayUrl, platformPort }: HostedFilesInput): Promise<ReadonlyArray<HostedFile>> => {
  const isApart = platformPort !== undefined
  if (isApart && gatewayUrl === undefined) return []
  const { embedFiles } = await import("@postcode/widget/files")
  return embedFiles(isApart && gatewayUrl !== undefined ? { gateway: gatewayUrl } : {})
}

const loadConsole = async (): Promise<ReadonlyArray<HostedFile>> => {
  const { consoleFiles } = await import("@postcode/console/files")
  return consoleFiles()
}
