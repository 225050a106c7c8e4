/** What an organization has and uses, as its home shows it. */
import { useMemo } from "preact/hooks"
import type { DataOf } from "../../client/Contract.ts"
import { type Loaded, useLoad } from "../../kit/useLoad.ts"
import type { Environment } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"

/** Of one environment. */
export interface Standing {
  readonly credits: Loaded<DataOf<"GET /v1/admin/organizations/:id/credits">>
  /** Of the last 30 days. */
  readonly usage: Loaded<DataOf<"GET /v1/admin/organizations/:id/usage">>
}

export type Keys = Loaded<DataOf<"GET /v1/admin/organizations/:id/keys">>

export interface OrganizationStanding {
  readonly test: Standing
  readonly live: Standing
  /** The newest ones; never there for those who may not list keys. */
  readonly keys: Keys
}

export const useStanding = (id: string): OrganizationStanding => {
  const keys = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    may("listKeys") ? { params: { id }, query: { limit: 100 } } : undefined
  )
  return { keys, test: useEnvironment(id, "test"), live: useEnvironment(id, "live") }
}

const useEnvironment = (id: string, environment: Environment): Standing => {
  const days = useMemo(last30Days, [])
  return {
    credits: useLoad("GET /v1/admin/organizations/:id/credits", { params: { id }, query: { environment, limit: 1 } }),
    usage: useLoad("GET /v1/admin/organizations/:id/usage", { params: { id }, query: { environment, ...days } })
  }
}

/** Said in full, so that all of what is shown together is about the same days. */
const last30Days = () => ({ from: dayAt(Date.now() - 29 * day_ms), to: dayAt(Date.now()) })

/** `2026-01-31` */
export const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const day_ms = 86_400_000
