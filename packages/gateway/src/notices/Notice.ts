/**
 * Notices: what the service tells a person by mail. A notice is stored in the transaction of the change that it tells
 * of, and sent later. Its facts are ids, numbers, times and fixed words: no text that a person wrote.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import { Context, type Redacted } from "effect"
import type { MemberRole, Role } from "../ManagementAccess.ts"

/** The facts of notices to an address, which may belong to nobody with an account. */
export interface AddressFacts {
  /** Somebody signs up with the address. */
  readonly confirm_address: NoFacts
  /** Somebody signs up with the address, which has an account. */
  readonly already_has_account: NoFacts
  /** Without an organization, the invitation is for an operator. */
  readonly invitation: { readonly organization_id?: string; readonly role: Role }
  readonly reset_password: NoFacts
  /** To the new address of an account. */
  readonly confirm_new_address: NoFacts
  /** To the former address of an account, with a link that undoes the change. */
  readonly address_changed: NoFacts
}

/** The facts of notices to an account, about its safety. */
export interface AccountFacts {
  /** `reset`: without the former password, by a link that was sent by mail. */
  readonly password_changed: { readonly how: "changed" | "reset" }
  readonly passkey_changed: { readonly change: "added" | "removed" }
  readonly signed_out_everywhere: NoFacts
}

/** The facts of notices to the accounts of an organization, by role. */
export interface OrganizationFacts {
  readonly verification_decided: OfOrganization & { readonly kyb_status: "rejected" | "verified" }
  readonly access_decided: OfOrganization & {
    readonly level: AccessLevel
    readonly status: "approved" | "rejected"
  }
  readonly balance_low: OfBalance & { readonly balance: number; readonly threshold: number }
  readonly balance_used_up: OfBalance & { readonly balance: number }
  readonly daily_limit_reached: OfKey & { readonly daily_credit_limit: number }
  readonly key_expires: OfKey & { readonly expires_at: string }
  readonly webhook_disabled: OfOrganization & { readonly webhook_id: string }
  readonly organization_will_close: OfOrganization & { readonly closes_at: string }
}

/** The facts of notices to all operators. */
export interface OperatorFacts {
  /** A verification or a request for a level waits for a decision. At most one an hour to an operator. */
  readonly review_waiting: NoFacts
}

// Not interfaces: only a type alias is assignable to a record.
type NoFacts = Readonly<Record<string, never>>
type OfOrganization = { readonly organization_id: string }
type OfBalance = OfOrganization & { readonly environment: Environment }
type OfKey = OfBalance & { readonly key_id: string }

/** The facts of all notices, by kind. */
export interface NoticeFacts extends AddressFacts, AccountFacts, OrganizationFacts, OperatorFacts {}

/** A kind of notice. */
export type NoticeKind = keyof NoticeFacts

/** What is fixed for a kind of notice. */
interface KindRules {
  /** The recipients; for an organization the roles. */
  readonly to: "account" | "address" | "operators" | ReadonlyArray<MemberRole>
  /** Whether a recipient can switch it off. */
  readonly isOptional?: true
  /** Whether the mail has a link with a token, which works once. */
  readonly hasLink?: true
  /** Whether anyone can cause it, at an address of anyone. Then notices above a limit are not stored. */
  readonly isByAnyone?: true
}

/** All kinds of notices. */
export const noticeKinds = {
  confirm_address: { to: "address", hasLink: true, isByAnyone: true },
  already_has_account: { to: "address", isByAnyone: true },
  invitation: { to: "address", hasLink: true, isByAnyone: true },
  reset_password: { to: "address", hasLink: true, isByAnyone: true },
  confirm_new_address: { to: "address", hasLink: true, isByAnyone: true },
  address_changed: { to: "address", hasLink: true },
  password_changed: { to: "account" },
  passkey_changed: { to: "account" },
  signed_out_everywhere: { to: "account" },
  verification_decided: { to: ["owner"] },
  access_decided: { to: ["owner"] },
  balance_low: { to: ["owner", "billing"], isOptional: true },
  balance_used_up: { to: ["owner", "billing"], isOptional: true },
  daily_limit_reached: { to: ["owner", "developer"], isOptional: true },
  key_expires: { to: ["owner", "developer"], isOptional: true },
  webhook_disabled: { to: ["owner", "developer"], isOptional: true },
  review_waiting: { to: "operators", isOptional: true },
  organization_will_close: { to: ["owner"] }
} as const satisfies Readonly<Record<NoticeKind, KindRules>>

/** The same, as a list. */
export const noticeKindNames = Object.keys(noticeKinds) as ReadonlyArray<NoticeKind>

/** The rules of a kind. */
export const rulesOf = (kind: NoticeKind): KindRules => noticeKinds[kind]

/** A kind that a recipient can switch off. */
export type OptionalNotice = {
  readonly [Kind in NoticeKind]: (typeof noticeKinds)[Kind] extends { readonly isOptional: true } ? Kind : never
}[NoticeKind]

/** Whether a recipient can switch a kind off. */
export const isOptional = (kind: NoticeKind): kind is OptionalNotice => rulesOf(kind).isOptional === true

/** The optional kinds that an account with these roles gets, unless it has switched them off. */
export const optionalNoticesOf = (roles: ReadonlyArray<Role>): ReadonlyArray<OptionalNotice> =>
  noticeKindNames.filter(isOptional).filter((kind) => {
    const { to } = rulesOf(kind)
    return Array.isArray(to) ? roles.some((role) => to.includes(role)) : roles.includes("operator")
  })

/** The secret of a link, and until when it works. */
export interface NoticeLink {
  readonly token: Redacted.Redacted<string>
  /** ISO 8601, UTC. After this, the notice is no longer sent. */
  readonly expires_at: string
}

type LinkOf<Kind extends NoticeKind> = (typeof noticeKinds)[Kind] extends { readonly hasLink: true }
  ? { readonly link: NoticeLink }
  : { readonly link?: undefined }

/** A notice to an address. */
export type AddressNotice = {
  readonly [Kind in keyof AddressFacts]: {
    readonly kind: Kind
    readonly facts: AddressFacts[Kind]
    /** In the canonical form of `parseEmail`. */
    readonly email: string
    /** The account that the address belongs to, if any. */
    readonly account_id?: string | undefined
    /** The client's address, for the limit; undefined if a manager caused the notice. */
    readonly client?: string | undefined
    /**
     * Whether the notice is only stored and counted as all others are, and never sent: so that an observer cannot tell
     * an address without an account from one with an account.
     */
    readonly isWithheld?: boolean | undefined
  } & LinkOf<Kind>
}[keyof AddressFacts]

/** A notice to an account. */
export type AccountNotice = {
  readonly [Kind in keyof AccountFacts]: {
    readonly kind: Kind
    readonly facts: AccountFacts[Kind]
    readonly account_id: string
  }
}[keyof AccountFacts]

/** A notice to the accounts of an organization with the roles of its kind. */
export type OrganizationNotice = {
  readonly [Kind in keyof OrganizationFacts]: { readonly kind: Kind; readonly facts: OrganizationFacts[Kind] }
}[keyof OrganizationFacts]

/** A notice to all operators. */
export type OperatorNotice = {
  readonly [Kind in keyof OperatorFacts]: { readonly kind: Kind; readonly facts: OperatorFacts[Kind] }
}[keyof OperatorFacts]

/** A notice as a use case raises it. */
export type Notice = AccountNotice | AddressNotice | OperatorNotice | OrganizationNotice

/** All values of `NoticeStatus`. */
export const noticeStatuses = ["pending", "sent", "failed", "skipped"] as const

/**
 * The state of a notice. `sent`: the mail server took it. `skipped`: it is not sent, because it is out of date or was
 * withheld.
 */
export type NoticeStatus = (typeof noticeStatuses)[number]

/** A stored notice to one recipient. It never contains the token of its link. */
export interface StoredNotice {
  readonly id: string
  readonly kind: NoticeKind
  readonly email: string
  /** The recipient's account, if any. */
  readonly account_id?: string
  readonly organization_id?: string
  readonly facts: Readonly<Record<string, string | number>>
  readonly status: NoticeStatus
  /** Number of attempts that were started. */
  readonly attempts: number
  /** Why the last attempt failed, or why the notice is not sent. */
  readonly fault?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  /** When the link expires, if the kind has one. */
  readonly link_expires_at?: string
  /** When the last attempt ended. */
  readonly last_attempt_at?: string
  /** Only if pending. */
  readonly next_attempt_at?: string
}

/** The new state of a notice after an attempt. */
export interface NoticeSettlement {
  readonly status: NoticeStatus
  /** Delay of the next attempt, if pending. */
  readonly after_ms?: number
  readonly fault?: string
}

/** Whether mail is on, and how much of it is sent. */
export interface NoticeLimits {
  /** Whether notices are stored at all. Without mail, nothing would ever send them. */
  readonly isOn: boolean
  /** Per hour to an address, of each limited class, see `NoticeClass`. */
  readonly address_per_hour: number
  /** Per hour for a client's address, of the kinds that anyone can cause. */
  readonly client_per_hour: number
  /** In 24 hours, in all. Notices above it wait. */
  readonly per_day: number
}

/** The limits by default, with mail off. */
export const defaultNoticeLimits: NoticeLimits = {
  isOn: false,
  address_per_hour: 5,
  client_per_hour: 20,
  per_day: 10_000
}

/** The limits of the stores. */
export const NoticeLimits = Context.Reference<NoticeLimits>("@postcode/gateway/NoticeLimits", {
  defaultValue: () => defaultNoticeLimits
})

/** The window of the limits of addresses and clients in milliseconds, and the pause between two notices of reviews. */
export const noticeWindow_ms = 3_600_000

/** The window of the limit of all notices in milliseconds. */
export const noticeDay_ms = 24 * noticeWindow_ms

/** How long a settled notice is kept, in days. */
export const keptNotices_days = 30

/**
 * What a notice is for: `requested` by anyone, at an address of anyone; about the `safety` of an account, which is never
 * limited, because an intruder must not be able to hold it back; or any `other`.
 */
export type NoticeClass = "other" | "requested" | "safety"

/** The class of a kind. Notices of the class `other` are sent after all others. */
export const classOf = (kind: NoticeKind): NoticeClass => {
  const { isByAnyone, to } = rulesOf(kind)
  if (isByAnyone === true) return "requested"
  return to === "account" || to === "address" ? "safety" : "other"
}
