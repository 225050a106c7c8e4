/** The files besides the contract: the console, and the hosted widget page for WebViews and frames. */
import type { HostedFile } from "@postcode/http"
import { Effect } from "effect"

/** The settings that determine the files. */
export interface HostedFilesInput {
  /** The platform's port, if separate. */
  readonly platformPort: number | undefined
  /** The gateway's public origin, for a page on another host. */
  readonly gatewayUrl: string | undefined
  /** Whether the console is disabled. */
  readonly noConsole: boolean
}

/** All files, for the gateway. */
export const hostedFiles = (input: HostedFilesInput): Effect.Effect<ReadonlyArray<HostedFile>> =>
  Effect.promise(async () => [...(await widgetFiles(input)), ...(input.noConsole ? [] : await loadConsole())])

/** A page on another host needs the gateway's origin; without one it is not served. */
const widgetFiles = async ({ gatewayUrl, platformPort }: HostedFilesInput): Promise<ReadonlyArray<HostedFile>> => {
  const isSeparate = platformPort !== undefined
  if (isSeparate && gatewayUrl === undefined) return []
  const { embedFiles } = await import("@postcode/widget/files")
  return embedFiles(isSeparate && gatewayUrl !== undefined ? { gateway: gatewayUrl } : {})
}

const loadConsole = async (): Promise<ReadonlyArray<HostedFile>> => {
  const { consoleFiles } = await import("@postcode/console/files")
  return consoleFiles()
}
