/** Notices in memory, and the kinds that accounts have switched off. */
import { membershipIn } from "@postcode/gateway/accounts/Account"
import type { Credentials } from "@postcode/gateway/accounts/Accounts"
import {
  classOf,
  keptNotices_days,
  type NoticeClass,
  type NoticeKind,
  type NoticeLimits,
  noticeDay_ms,
  noticeWindow_ms,
  type OperatorNotice,
  type OptionalNotice,
  type OrganizationNotice,
  rulesOf,
  type StoredNotice
} from "@postcode/gateway/notices/Notice"
import type { NoticeOutcome, PersonalNotice } from "@postcode/gateway/notices/Notices"
import { NewestKept } from "../retention/NewestKept.ts"

/** A notice with what only the store knows. */
export interface NoticeRow {
  record: Omit<StoredNotice, "next_attempt_at">
  readonly class: NoticeClass
  sealed_token: string | undefined
  readonly client_hash: string | undefined
  /** Times are in milliseconds since 1970. */
  readonly created_ms: number
  readonly first_due_ms: number
  /** Only while pending. */
  due_ms: number
  leased_until_ms: number
  sent_ms: number
}

export class StoredNotices {
  readonly rows = new NewestKept<NoticeRow>()
  readonly byId = new Map<string, NoticeRow>()
  readonly switchedOff = new Map<string, ReadonlySet<NoticeKind>>()
  readonly limits: NoticeLimits
  private readonly capacity: number
  private readonly accounts: ReadonlyMap<string, Credentials>
  private count = 0

  /** @param accounts by their ids */
  constructor(limits: NoticeLimits, capacity: number, accounts: ReadonlyMap<string, Credentials>) {
    this.limits = limits
    this.capacity = capacity
    this.accounts = accounts
  }

  /** Adds a notice for each account with a role of its kind: of its organization, or for each operator. */
  addForRoles({ facts, kind }: OperatorNotice | OrganizationNotice, now_ms: number): NoticeOutcome {
    if (!this.limits.isOn) return "off"
    const organization_id = "organization_id" in facts ? facts.organization_id : undefined
    const { to } = rulesOf(kind)
    const roles: ReadonlyArray<string> = Array.isArray(to) ? to : []
    let outcome: NoticeOutcome = "off"
    for (const { account } of this.accounts.values()) {
      const isRecipient =
        organization_id === undefined
          ? account.is_operator
          : roles.includes(membershipIn(account, organization_id)?.role ?? "")
      if (!isRecipient) continue
      if (this.switchedOff.get(account.id)?.has(kind)) continue
      if (kind === "review_waiting" && this.hasReview(account.email)) continue
      const due_ms = Math.max(
        this.nextSlot(account.email, now_ms),
        kind === "review_waiting" ? this.nextReview(account.email) : now_ms
      )
      const { email, id: account_id } = account
      const of = { kind, email, account_id, ...(organization_id !== undefined && { organization_id }), facts }
      this.push({ id: this.nextId(now_ms), ...of }, now_ms, due_ms, {})
      outcome = "stored"
    }
    return outcome
  }

  addPersonal(notice: PersonalNotice, now_ms: number): NoticeOutcome {
    if (!this.limits.isOn) return "off"
    const { account_id, client_hash, facts, id, isWithheld, kind, link_expires_at, sealed_token } = notice
    const email = notice.email ?? this.accounts.get(account_id ?? "")?.account.email
    if (email === undefined) return "off"
    const isLimited = classOf(kind) === "requested"
    if (isLimited && !this.hasRoom(email, client_hash, now_ms)) return "limited"
    const { organization_id } = facts
    const of = {
      ...{ id, kind, email, facts },
      ...(account_id !== undefined && { account_id }),
      ...(organization_id !== undefined && { organization_id: String(organization_id) }),
      ...(link_expires_at !== undefined && { link_expires_at })
    }
    this.push(of, now_ms, now_ms, { ...(isLimited && { client_hash }), sealed_token, isWithheld })
    return "stored"
  }

  /** The number of notices that were sent in 24 hours or are being sent. */
  sentBefore(now_ms: number): number {
    const isCounted = ({ leased_until_ms, sent_ms }: NoticeRow) =>
      sent_ms > now_ms - noticeDay_ms || leased_until_ms > now_ms
    return this.numberOf(isCounted)
  }

  private push(
    fields: Omit<StoredNotice, "attempts" | "created_at" | "next_attempt_at" | "status">,
    now_ms: number,
    due_ms: number,
    { client_hash, isWithheld = false, sealed_token }: Partial<PersonalNotice>
  ): void {
    this.forget(now_ms)
    const state = { attempts: 0, created_at: new Date(now_ms).toISOString() }
    const row: NoticeRow = {
      record: isWithheld
        ? { ...fields, ...state, status: "skipped", fault: withheld }
        : { ...fields, ...state, status: "pending" },
      class: classOf(fields.kind),
      sealed_token: isWithheld ? undefined : sealed_token,
      client_hash,
      created_ms: now_ms,
      first_due_ms: due_ms,
      due_ms,
      leased_until_ms: 0,
      sent_ms: Number.NEGATIVE_INFINITY
    }
    this.rows.push(row)
    this.byId.set(fields.id, row)
  }

  /** Forgets notices that are too old, and the oldest ones at capacity. */
  private forget(now_ms: number): void {
    const oldest_ms = now_ms - keptNotices_days * noticeDay_ms
    for (;;) {
      const oldest = this.rows.at(this.rows.first)
      if (oldest === undefined || (oldest.created_ms >= oldest_ms && this.rows.size < this.capacity)) return
      this.rows.evictOldest()
      this.byId.delete(oldest.record.id)
    }
  }

  private hasRoom(email: string, client_hash: string | undefined, now_ms: number): boolean {
    const isRecent = (row: NoticeRow) => row.class === "requested" && row.created_ms > now_ms - noticeWindow_ms
    const { address_per_hour, client_per_hour } = this.limits
    return (
      this.numberOf((row) => row.record.email === email && isRecent(row)) < address_per_hour &&
      (client_hash === undefined ||
        this.numberOf((row) => row.client_hash === client_hash && isRecent(row)) < client_per_hour)
    )
  }

  /** When an address gets its next notice: now, or an hour after the one that is as many before as an hour allows. */
  private nextSlot(email: string, now_ms: number): number {
    const times: Array<number> = []
    for (const row of this.byId.values()) {
      const isCounted =
        row.record.email === email && row.class === "other" && row.first_due_ms > now_ms - noticeWindow_ms
      if (isCounted) times.push(row.first_due_ms)
    }
    const before_ms = times.sort((a, b) => b - a)[this.limits.address_per_hour - 1]
    return before_ms === undefined ? now_ms : Math.max(now_ms, before_ms + noticeWindow_ms)
  }

  private nextReview(email: string): number {
    let last_ms = Number.NEGATIVE_INFINITY
    for (const { first_due_ms, record } of this.byId.values()) {
      if (record.email === email && record.kind === "review_waiting") last_ms = Math.max(last_ms, first_due_ms)
    }
    return last_ms + noticeWindow_ms
  }

  private hasReview(email: string): boolean {
    const isPending = ({ record }: NoticeRow) =>
      record.email === email && record.kind === "review_waiting" && record.status === "pending"
    return this.numberOf(isPending) > 0
  }

  private numberOf(isCounted: (row: NoticeRow) => boolean): number {
    let count = 0
    for (const row of this.byId.values()) if (isCounted(row)) count++
    return count
  }

  private nextId(now_ms: number): string {
    return `ntc_${now_ms.toString(36)}${(++this.count).toString(36).padStart(6, "0")}`
  }
}

const withheld = "withheld: the address has no account that this is about"

/** A notice as the port returns it. */
export const shownNotice = ({ due_ms, record }: NoticeRow): StoredNotice => ({
  ...record,
  ...(record.status === "pending" && { next_attempt_at: new Date(due_ms).toISOString() })
})

/** The optional kinds of a set. */
export const switchedOffIn = (kinds: ReadonlySet<NoticeKind> | undefined): ReadonlyArray<OptionalNotice> =>
  [...((kinds ?? new Set()) as ReadonlySet<OptionalNotice>)].sort()
