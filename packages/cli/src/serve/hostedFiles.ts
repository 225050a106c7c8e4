/** The files that the service answers beside the contract: the widget's page for WebViews and frames. */
import type { HostedFile } from "@postcode/http"
import { Effect } from "effect"

export interface HostedFilesInput {
  /** The port of the platform's host, if it is apart. */
  readonly platformPort: number | undefined
  /** Where browsers find the gateway, for a page that is on another host. */
  readonly gatewayUrl: string | undefined
}

/** Without knowing where the gateway is, a page on another host could search nothing: then there is none. */
export const hostedFiles = ({
  gatewayUrl,
  platformPort
}: HostedFilesInput): Effect.Effect<ReadonlyArray<HostedFile>> => {
  const isApart = platformPort !== undefined
  if (isApart && gatewayUrl === undefined) return Effect.succeed([])
  return Effect.promise(async () => {
    const { embedFiles } = await import("@postcode/widget/files")
    return embedFiles(isApart && gatewayUrl !== undefined ? { gateway: gatewayUrl } : {})
  })
}
