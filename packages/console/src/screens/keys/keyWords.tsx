/** Keys, in the words of the console. */
import type { DataOf, InputOf } from "../../client/Contract.ts"
import { Badge } from "../../kit/data/Badge.tsx"
import { type Environment, environmentNames } from "../../state/environment.ts"

/** A key, as the service shows one. */
export type ApiKey = DataOf<"GET /v1/admin/keys/:id">
/** Secret or publishable. */
export type KeyKind = ApiKey["kind"]
/** How long a replaced key goes on. */
export type Overlap = InputOf<"POST /v1/admin/keys/:id/rotate">["body"]["overlap"]

/** The kinds in words. */
export const kindNames: Readonly<Record<KeyKind, string>> = { secret: "Secret", publishable: "Publishable" }

/** How a key stands: one that another has replaced goes on for a while. */
export const KeyBadge = ({ apiKey: { replaced_by, status } }: { readonly apiKey: ApiKey }) => {
  if (status === "revoked") return <Badge tone="bad">Revoked</Badge>
  if (status === "expired") return <Badge tone="plain">Expired</Badge>
  return replaced_by === undefined ? <Badge tone="good">In force</Badge> : <Badge tone="warning">Ending</Badge>
}

/** The environment of a key. */
export const EnvironmentBadge = ({ environment }: { readonly environment: Environment }) => (
  <Badge tone={environment === "live" ? "info" : "plain"}>{environmentNames[environment]}</Badge>
)

/** Where the list of an organization's keys is. */
export const keysPlace = (organization: string): string => `/organizations/${organization}/keys`
