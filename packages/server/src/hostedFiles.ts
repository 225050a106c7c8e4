/** The files outside the contract: the console, and the hosted widget page for WebViews and frames. */
import type { HostedFile } from "@postcode/http"
import { Effect } from "effect"

interface HostedFilesInput {
  readonly gatewayUrl: string | undefined
  readonly noConsole: boolean
  readonly platformPort: number | undefined
}

/**
 * All files, for the gateway. A widget page on another host needs the gateway's origin; without one it is not served.
 */
export const hostedFiles = (input: HostedFilesInput): Effect.Effect<ReadonlyArray<HostedFile>> =>
  Effect.promise(async () => {
    const { gatewayUrl, noConsole, platformPort } = input
    const gateway = platformPort === undefined ? {} : gatewayUrl && { gateway: gatewayUrl }
    const widget = gateway ? await (await import("@postcode/widget/files")).embedFiles(gateway) : []
    return noConsole ? widget : [...widget, ...(await (await import("@postcode/console/files")).consoleFiles())]
  })
