/** The organization that is looked at: a member's own, or the one that an operator chose last. */
import { computed, effect, signal } from "@preact/signals"
import type { DataOf } from "../client/Contract.ts"
import { type Problem, problemOf } from "../client/Problem.ts"
import { path } from "../router/address.ts"
import { account, call, timesSignedIn } from "./session.ts"

/** An organization, as the service shows one. */
export type Organization = DataOf<"GET /v1/admin/organizations/:id">

const place = "organization"

/** What an operator chose last lasts as long as the tab. */
const chosen = signal<string | undefined>(sessionStorage.getItem(place) ?? undefined)

effect(() => {
  const [, id] = /^\/organizations\/(\w+)/.exec(path.value) ?? []
  if (id === undefined) return
  chosen.value = id
  sessionStorage.setItem(place, id)
})

/** Undefined where an operator has chosen none yet. */
export const organizationId = computed(() => account.value?.organization_id ?? chosen.value)

/** What is known of it; undefined while it is loaded. */
export const organization = signal<Organization | undefined>()

/** Why it cannot be loaded. */
export const organizationProblem = signal<Problem | undefined>()

/** Asks for it again, after something about it has changed. */
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

// With each screen it is asked for anew: others may have decided something about it meanwhile.
effect(() => {
  const id = organizationId.value
  if (account.value === undefined || timesSignedIn.value < 0 || path.value === "") return
  if (organization.peek()?.id !== id) organization.value = undefined
  organizationProblem.value = undefined
  void reloadOrganization()
})

/** Where a screen of the organization is: `/organizations/:organization/keys` with its id. */
export const placeIn = (pattern: string): string => pattern.replace(":organization", organizationId.value ?? "")
