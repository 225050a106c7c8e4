/** The test keys that the console makes for requests of its own: they end after an hour. */
import type { InputOf } from "../../client/Contract.ts"
import { call } from "../../state/session.ts"
import type { ApiKey } from "./keyLabels.tsx"

type NewKey = InputOf<"POST /v1/admin/organizations/:id/keys">["body"]

/** Creates one, and returns its secret. */
export const makeOwnTestKey = async (
  organization: string,
  key: Pick<NewKey, "max_level" | "name" | "scopes">
): Promise<string> => {
  const expires_at = new Date(Date.now() + lifetime_ms).toISOString()
  const body = { ...key, kind: "secret", environment: "test", expires_at } as const
  const { secret } = await call("POST /v1/admin/organizations/:id/keys", { params: { id: organization }, body })
  return secret
}

/** Whether the console made a test key. Its clock is another than the service's. */
export const isOwnTestKey = ({ created_at, expires_at }: ApiKey): boolean =>
  expires_at !== undefined && Date.parse(expires_at) - Date.parse(created_at) <= 2 * lifetime_ms

const lifetime_ms = 3_600_000
