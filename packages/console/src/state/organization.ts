/** The selected organization: one of a member's own, or an operator's last choice. */
import { computed, effect, signal } from "@preact/signals"
import type { DataOf } from "../client/Contract.ts"
import { type Problem, problemOf } from "../client/Problem.ts"
import { path } from "../router/address.ts"
import { account, actingIn, call, signInCount } from "./session.ts"

/** An organization in the service's responses. */
export type Organization = DataOf<"GET /v1/admin/organizations/:id">

const place = "organization"

/** The last choice is kept as long as the tab, so that two tabs may show two organizations. */
const chosen = signal<string | undefined>(sessionStorage.getItem(place) ?? undefined)

effect(() => {
  const [, id] = /^\/organizations\/(\w+)/.exec(path.value) ?? []
  if (id === undefined) return
  chosen.value = id
  sessionStorage.setItem(place, id)
})

/** Undefined if an operator has not chosen one. A member's first choice is the organization that it joined first. */
export const organizationId = computed(() => {
  const own = account.value
  if (own === undefined || own.is_operator) return chosen.value
  const ids = own.memberships.map(({ organization_id }) => organization_id)
  return ids.find((id) => id === chosen.value) ?? ids[0]
})

// The service needs it for calls whose path names no organization.
effect(() => {
  actingIn.value = account.value?.is_operator === false ? organizationId.value : undefined
})

/** The organization's data; undefined while it is loaded. */
export const organization = signal<Organization | undefined>()

/** Why it cannot be loaded. */
export const organizationProblem = signal<Problem | undefined>()

/** Reloads it after a change. */
export const reloadOrganization = async (): Promise<void> => {
  const id = organizationId.peek()
  if (id === undefined || account.peek() === undefined) return
  try {
    const found = await call("GET /v1/admin/organizations/:id", { params: { id } })
    if (organizationId.peek() !== id) return
    organization.value = found
    organizationProblem.value = undefined
  } catch (error) {
    if (organizationId.peek() === id) organizationProblem.value = problemOf(error)
  }
}

// Reloaded with each screen: others may have changed it.
effect(() => {
  const id = organizationId.value
  if (account.value === undefined || signInCount.value < 0 || path.value === "") return
  if (organization.peek()?.id !== id) organization.value = undefined
  organizationProblem.value = undefined
  void reloadOrganization()
})

/** The address of an organization's screen: `/organizations/:organization/keys` with its id. */
export const screenPath = (pattern: string): string => pattern.replace(":organization", organizationId.value ?? "")
