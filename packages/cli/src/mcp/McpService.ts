import type { PostcodeClient } from "@postcode/client"
import type { Called } from "../management/connect.ts"
import type { ToolPrices } from "./Tool.ts"

/** What answers the calls of the tools. */
export interface McpService extends Called {
  readonly client: PostcodeClient
  /** Whether calls may cost credits. */
  readonly isMetered: boolean
  readonly hasKey: boolean
  /** Its prices. Rejects while it is unavailable. */
  readonly prices: () => Promise<ToolPrices>
  /** What it is, for agents and on standard error. */
  readonly name: string
}
