/** The data of an organization's home screen. */
import { useMemo } from "preact/hooks"
import type { DataOf } from "../../client/Contract.ts"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { day_ms, dayOf } from "../../kit/data/days.ts"
import type { Environment } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"

/** The data of one environment. */
export interface EnvironmentState {
  readonly credits: Loaded<DataOf<"GET /v1/admin/organizations/:id/credits">>
  /** Of the last 30 days. */
  readonly usage: Loaded<DataOf<"GET /v1/admin/organizations/:id/usage">>
}

/** The newest keys of an organization. */
export type Keys = Loaded<DataOf<"GET /v1/admin/organizations/:id/keys">>

/** The state of an organization. */
export interface OrganizationState {
  readonly test: EnvironmentState
  readonly live: EnvironmentState
  /** The newest ones; undefined without permission to list keys. */
  readonly keys: Keys
}

/** Loads it. */
export const useOrganizationState = (id: string): OrganizationState => {
  const keys = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    may("listKeys") ? { params: { id }, query: { limit: 100 } } : undefined
  )
  return { keys, test: useEnvironment(id, "test"), live: useEnvironment(id, "live") }
}

const useEnvironment = (id: string, environment: Environment): EnvironmentState => {
  const days = useMemo(last30Days, [])
  return {
    credits: useLoad("GET /v1/admin/organizations/:id/credits", { params: { id }, query: { environment, limit: 1 } }),
    usage: useLoad("GET /v1/admin/organizations/:id/usage", { params: { id }, query: { environment, ...days } })
  }
}

/** Explicit dates, so that all parts of the screen are about the same days. */
const last30Days = () => ({ from: dayOf(Date.now() - 29 * day_ms), to: dayOf(Date.now()) })
