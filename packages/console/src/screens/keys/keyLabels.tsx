/** Labels of keys. */
import type { DataOf, InputOf } from "../../client/Contract.ts"
import { Badge } from "../../kit/data/Badge.tsx"
import { type Environment, environmentNames } from "../../state/environment.ts"

/** A key in the service's responses. */
export type ApiKey = DataOf<"GET /v1/admin/keys/:id">
/** Secret or publishable. */
export type KeyKind = ApiKey["kind"]
/** How long a rotated key stays valid. */
export type Overlap = InputOf<"POST /v1/admin/keys/:id/rotate">["body"]["overlap"]

/** The label of each kind. */
export const kindNames: Readonly<Record<KeyKind, string>> = { secret: "Secret", publishable: "Publishable" }

/** The state of a key: a rotated one stays valid for a grace period. */
export const KeyBadge = ({ apiKey: { replaced_by, status } }: { readonly apiKey: ApiKey }) => {
  if (status === "revoked") return <Badge tone="bad">Revoked</Badge>
  if (status === "expired") return <Badge tone="plain">Expired</Badge>
  return replaced_by === undefined ? <Badge tone="good">Active</Badge> : <Badge tone="warning">Ending</Badge>
}

/** The environment of a key. */
export const EnvironmentBadge = ({ environment }: { readonly environment: Environment }) => (
  <Badge tone={environment === "live" ? "info" : "plain"}>{environmentNames[environment]}</Badge>
)

/** The address of an organization's key list. */
export const keysPath = (organization: string): string => `/organizations/${organization}/keys`
