/** What the command palette can open. */

import { screens } from "../screens.ts"
import { environment, environmentNames } from "../state/environment.ts"
import { organization, organizationId, screenPath } from "../state/organization.ts"
import { may } from "../state/permissions.ts"
import { directoryPath } from "./postcode.ts"

/** An entry of the palette. */
export interface Target {
  readonly id: string
  readonly kind: "Action" | "Key" | "Organization" | "Postcode" | "Screen"
  readonly label: string
  /** More about it: an organization's name, the start of a key. */
  readonly detail?: string
  /** Where it leads. */
  readonly place: string | undefined
  /** What it does, before it leads anywhere. */
  readonly act?: () => void
}

/** The permitted screens and actions whose names match, and the postcode that was typed. */
export const localTargets = (text: string): ReadonlyArray<Target> => [
  ...postcodeTargets(text),
  ...[...screenTargets(), ...actionTargets()].filter(({ detail = "", label }) => isMatch(text, `${label} ${detail}`))
]

/** Whether a text has each word. */
export const isMatch = (typed: string, text: string): boolean => {
  const folded = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

const screenTargets = (): ReadonlyArray<Target> =>
  screens.flatMap(({ call, entry, path }) => {
    if (entry === undefined || (call !== undefined && !may(call))) return []
    const isOfOrganization = entry.group === "organization"
    if (isOfOrganization && organizationId.value === undefined) return []
    const detail = isOfOrganization ? (organization.value?.name ?? "") : "Instance"
    return [{ id: `screen-${path}`, kind: "Screen", label: entry.label, detail, place: screenPath(path) } as const]
  })

const actionTargets = (): ReadonlyArray<Target> => {
  const home = `/organizations/${organizationId.value}`
  const has = organizationId.value !== undefined
  const other = environment.value === "test" ? "live" : "test"
  const actions: ReadonlyArray<readonly [boolean, string, string | undefined, (() => void)?]> = [
    [has && may("createKey"), "Create a key", `${home}/keys/new`],
    [has, "Send a test request", `${home}/try`],
    [has && may("createWebhook"), "Add a webhook", `${home}/webhooks`],
    [has && may("inviteMember"), "Invite a member", `${home}/members`],
    [has && may("grantCredits"), "Grant credits", `${home}/credits`],
    [may("createOrganization"), "Create an organization", "/organizations"],
    [has, `Select ${environmentNames[other].toLowerCase()}`, undefined, () => (environment.value = other)],
    [true, "Your account: password, passkeys, sign out", "/account"]
  ]
  return actions.flatMap(([isPossible, label, place, act]) =>
    isPossible ? [{ id: `action-${label}`, kind: "Action", label, place, ...(act && { act }) } as const] : []
  )
}

const postcodeTargets = (text: string): ReadonlyArray<Target> => {
  const place = may("directory") ? directoryPath(text) : undefined
  if (place === undefined) return []
  return [{ id: "postcode", kind: "Postcode", label: `Open ${text.toUpperCase()} in the directory`, place }]
}
