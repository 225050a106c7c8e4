/** The data of an organization's home screen. */
import { useMemo } from "preact/hooks"
import { useLoad } from "../../hooks/useLoad.ts"
import { day_ms, dayOf } from "../../kit/data/days.ts"
import type { Environment } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"

/** The state of an organization. */
export type OrganizationState = ReturnType<typeof useOrganizationState>

/** The data of one environment. */
export type EnvironmentState = ReturnType<typeof useEnvironment>

/** Loads it: the newest keys, unless the account may not list them, and credits and usage of the last 30 days. */
export const useOrganizationState = (id: string) => {
  const keys = useLoad(
    "GET /v1/admin/organizations/:id/keys",
    may("listKeys") ? { params: { id }, query: { limit: 100 } } : undefined
  )
  return { keys, test: useEnvironment(id, "test"), live: useEnvironment(id, "live") }
}

const useEnvironment = (id: string, environment: Environment) => {
  const days = useMemo(last30Days, [])
  return {
    credits: useLoad("GET /v1/admin/organizations/:id/credits", { params: { id }, query: { environment, limit: 1 } }),
    usage: useLoad("GET /v1/admin/organizations/:id/usage", { params: { id }, query: { environment, ...days } })
  }
}

/** Explicit dates, so that all parts of the screen are about the same days. */
const last30Days = () => ({ from: dayOf(Date.now() - 29 * day_ms), to: dayOf(Date.now()) })
