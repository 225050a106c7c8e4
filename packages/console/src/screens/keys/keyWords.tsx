/** Keys, in the words of the console. */
import type { DataOf, InputOf } from "../../client/Contract.ts"
import { Badge } from "../../kit/Badge.tsx"

export type ApiKey = DataOf<"GET /v1/admin/keys/:id">
export type KeyKind = ApiKey["kind"]
export type Overlap = InputOf<"POST /v1/admin/keys/:id/rotate">["body"]["overlap"]

export const kindNames: Readonly<Record<KeyKind, string>> = { secret: "Secret", publishable: "Publishable" }
export const environmentNames: Readonly<Record<ApiKey["environment"], string>> = { test: "Test", live: "Live" }

/** How a key stands: one that another has replaced goes on for a while. */
export const KeyBadge = ({ apiKey: { replaced_by, status } }: { readonly apiKey: ApiKey }) => {
  if (status === "revoked") return <Badge tone="bad">Revoked</Badge>
  if (status === "expired") return <Badge tone="plain">Expired</Badge>
  return replaced_by === undefined ? <Badge tone="good">In force</Badge> : <Badge tone="warning">Ending</Badge>
}

export const EnvironmentBadge = ({ environment }: { readonly environment: ApiKey["environment"] }) => (
  <Badge tone={environment === "live" ? "info" : "plain"}>{environmentNames[environment]}</Badge>
)

export const keysPlace = (organization: string): string => `/organizations/${organization}/keys`
