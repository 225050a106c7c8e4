/** What an organization, or an operator for it, should do next. */
import { useLoad, useWork } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { day_ms } from "../../kit/data/days.ts"
import type { Environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import { isOperator, may } from "../../state/permissions.ts"
import { call } from "../../state/session.ts"
import type { OrganizationState } from "./useOrganizationState.ts"

/** Something to do. */
export interface Task {
  readonly title: string
  /** What happens otherwise, or what to do. */
  readonly meaning: string
  readonly tone: "bad" | "info" | "warning"
  /** The screen where it is done. */
  readonly place: string
  /** The environment to select there. */
  readonly selected?: Environment
}

/** Most urgent first; undefined while it is loaded. */
export const useTasks = (organization: Organization, state: OrganizationState): ReadonlyArray<Task> | undefined => {
  const { id } = organization
  const webhooks = useWork(may("listDeliveries") ? `failing ${id}` : undefined, (signal) => failingWebhooks(id, signal))
  const pending = { query: { status: "pending", organization_id: id, limit: 1 } } as const
  const requests = useLoad("GET /v1/admin/access-requests", isOperator() ? pending : undefined)
  const { keys, live, test } = state
  const isLoading = [keys, live.credits, test.credits, webhooks, requests].some((loaded) => loaded.isLoading)
  // Without permission nothing is loaded, and the state stays as at the start.
  const isLoaded = live.credits.data !== undefined && (keys.data !== undefined || !may("listKeys"))
  if (isLoading && !isLoaded) return undefined
  const home = `/organizations/${id}`
  return [
    ...balanceTasks(home, "live", live, keys.data?.keys ?? []),
    ...balanceTasks(home, "test", test, keys.data?.keys ?? []),
    ...(webhooks.data ?? []),
    ...(keys.data?.keys ?? []).flatMap((key) => keyTasks(home, key)),
    ...reviewTasks(organization, (requests.data?.access_requests.length ?? 0) > 0)
  ].sort((a, b) => urgency.indexOf(a.tone) - urgency.indexOf(b.tone))
}

const urgency: ReadonlyArray<Task["tone"]> = ["bad", "warning", "info"]

type Keys = NonNullable<OrganizationState["keys"]["data"]>["keys"]

const balanceTasks = (
  home: string,
  environment: Environment,
  { credits: { data } }: OrganizationState[Environment],
  keys: Keys
): ReadonlyArray<Task> => {
  if (data === undefined) return []
  const { balance, entries, low_balance_threshold: threshold } = data
  const place = { place: `${home}/credits`, selected: environment }
  const isUsed = entries.length > 0 || keys.some((key) => key.environment === environment && key.status === "active")
  if (balance === 0 && isUsed) {
    return [{ ...place, tone: "bad", title: `No ${environment} credits`, meaning: "Paid requests get status 402." }]
  }
  if (threshold === null || balance >= threshold) return []
  const meaning = `${formatAmount(balance)} left, below the threshold of ${formatAmount(threshold)}.`
  return [{ ...place, tone: "warning", title: `Low balance of ${environment} credits`, meaning }]
}

const keyTasks = (home: string, key: Keys[number]): ReadonlyArray<Task> => {
  const { allowed_ips, created_at, environment, expires_at, id, kind, name, origins, replaced_by, status } = key
  if (status !== "active") return []
  const tasks: Array<Task> = []
  const place = { place: `${home}/keys/${id}`, selected: environment }
  const end_ms = Date.parse(expires_at ?? "")
  // Keys for an hour, as the console creates them, are meant to expire.
  const isLasting = end_ms - Date.parse(created_at) > day_ms
  if (isLasting && end_ms - Date.now() < 14 * day_ms && replaced_by === undefined) {
    const days = Math.max(0, Math.floor((end_ms - Date.now()) / day_ms))
    const left = days === 0 ? "in less than a day" : days === 1 ? "in 1 day" : `in ${days} days`
    tasks.push({ ...place, tone: "warning", title: `“${name}” expires ${left}`, meaning: "Rotate it before that." })
  }
  if (kind === "publishable" && origins.length === 0) {
    const meaning = "No page can use it. Add the origins of your pages."
    tasks.push({ ...place, tone: "warning", title: `“${name}” has no origin`, meaning })
  }
  if (kind === "secret" && environment === "live" && allowed_ips.length === 0) {
    const meaning = "Anyone who gets the key can use it. Allow only the addresses of your servers."
    tasks.push({ ...place, tone: "info", title: `“${name}” has no IP limit`, meaning })
  }
  return tasks
}

const reviewTasks = ({ id, kyb_status }: Organization, isLevelRequested: boolean): ReadonlyArray<Task> => {
  if (!isOperator()) return []
  const place = { place: `/reviews`, tone: "info" } as const
  return [
    ...(kyb_status === "pending"
      ? [{ ...place, title: "Verify the business", meaning: "It was submitted and waits for a decision." }]
      : []),
    ...(isLevelRequested
      ? [
          {
            ...place,
            title: "Review an access request",
            meaning: `The organization requests a level. Its id is ${id}.`
          }
        ]
      : [])
  ]
}

/** Disabled endpoints, and those whose newest delivery did not arrive. */
const failingWebhooks = async (organization: string, signal: AbortSignal): Promise<ReadonlyArray<Task>> => {
  const { webhooks } = await call("GET /v1/admin/organizations/:id/webhooks", { params: { id: organization } }, signal)
  const tasks = webhooks.map(async ({ host, id, status }): Promise<ReadonlyArray<Task>> => {
    const place = { place: `/organizations/${organization}/webhooks/${id}` }
    if (status === "disabled") {
      const meaning = "Too many deliveries failed, so nothing is sent there."
      return [{ ...place, tone: "bad", title: `Webhook to ${host} is disabled`, meaning }]
    }
    const newest = { params: { id }, query: { limit: 1 } }
    const { deliveries } = await call("GET /v1/admin/webhooks/:id/deliveries", newest, signal)
    const [delivery] = deliveries
    if (delivery === undefined || (delivery.fault === undefined && delivery.status !== "failed")) return []
    return [{ ...place, tone: "warning", title: `Webhook to ${host} fails`, meaning: "The last delivery failed." }]
  })
  return (await Promise.all(tasks)).flat()
}
