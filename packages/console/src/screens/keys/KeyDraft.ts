/** The fields of a key that is not yet created. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { type Signal, signal } from "@preact/signals"
import type { InputOf } from "../../client/Contract.ts"
import { day_ms, dayOf } from "../../kit/data/days.ts"
import { query } from "../../router/address.ts"
import { type Environment, environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import type { KeyKind } from "./keyLabels.tsx"
import { linesOf } from "./origins/webOrigins.ts"

/** The values of the fields. */
export interface KeyDraft {
  readonly name: Signal<string>
  readonly kind: Signal<KeyKind>
  readonly environment: Signal<Environment>
  /** One per line. */
  readonly origins: Signal<string>
  readonly allowedIps: Signal<string>
  readonly maySearch: Signal<boolean>
  readonly mayLookUp: Signal<boolean>
  readonly level: Signal<string>
  /** A number of days, `never`, or `date`. */
  readonly lifetime: Signal<string>
  /** `2027-01-31`, if the lifetime is `date`. */
  readonly lastDay: Signal<string>
  readonly dailyCredits: Signal<string>
  readonly requestsPerMinute: Signal<string>
}

/** Other screens may preset fields: `?kind=publishable&origin=https://shop.example`. */
export const newDraft = (organization: Organization): KeyDraft => ({
  name: signal(""),
  kind: signal(query.peek().get("kind") === "publishable" ? "publishable" : "secret"),
  environment: signal(environment.peek()),
  origins: signal(query.peek().get("origin") ?? ""),
  allowedIps: signal(""),
  maySearch: signal(true),
  mayLookUp: signal(true),
  level: signal(String(highestIn(environment.peek(), organization))),
  lifetime: signal("365"),
  lastDay: signal(""),
  dailyCredits: signal(""),
  requestsPerMinute: signal("")
})

/** The highest level that a key may have. In test any: real units are shown up to the grant, those of the sandbox at any level. */
export const highestLevel = (draft: KeyDraft, organization: Organization): AccessLevel =>
  highestIn(draft.environment.value, organization)

const highestIn = (of: Environment, { granted_level }: Organization): AccessLevel => (of === "test" ? 5 : granted_level)

type KeyBody = InputOf<"POST /v1/admin/organizations/:id/keys">["body"]

/** The request body of a draft. */
export const bodyOf = (draft: KeyDraft): KeyBody => ({
  name: draft.name.value,
  kind: draft.kind.value,
  environment: draft.environment.value,
  scopes: [
    ...(draft.maySearch.value ? ["search" as const] : []),
    ...(draft.mayLookUp.value ? ["lookup" as const] : [])
  ],
  max_level: draft.mayLookUp.value ? (Number(draft.level.value) as AccessLevel) : 1,
  ...(draft.kind.value === "publishable" && { origins: linesOf(draft.origins.value) }),
  ...(draft.kind.value === "secret" &&
    linesOf(draft.allowedIps.value).length > 0 && { allowed_ips: linesOf(draft.allowedIps.value) }),
  ...(draft.requestsPerMinute.value !== "" && { rate_limit_per_minute: Number(draft.requestsPerMinute.value) }),
  ...(draft.dailyCredits.value !== "" && { daily_credit_limit: Number(draft.dailyCredits.value) }),
  ...(draft.lifetime.value !== "never" && { expires_at: endOf(draft) })
})

const endOf = ({ lastDay, lifetime }: KeyDraft): string =>
  lifetime.value === "date" ? `${lastDay.value}T23:59:59Z` : timeIn(Number(lifetime.value))

/** The time after a number of days, ISO 8601, UTC. */
export const timeIn = (days: number): string => new Date(Date.now() + days * day_ms).toISOString()

/** The day after a number of days: `2027-01-31`. */
export const dayIn = (days: number): string => dayOf(Date.now() + days * day_ms)
