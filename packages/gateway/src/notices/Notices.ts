/**
 * Port: notices that wait to be sent, and those that were. `add` writes within the current transaction; `lease` and
 * `settle` are an outbox, see `sendDue`. Stores apply `NoticeLimits`, which they read when they are built.
 */
import { Context, type Effect } from "effect"
import type { InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type {
  NoticeKind,
  NoticeSettlement,
  NoticeStatus,
  OperatorNotice,
  OptionalNotice,
  OrganizationNotice,
  StoredNotice
} from "./Notice.ts"

/** A notice as a store gets it. */
export type NewNotice = OperatorNotice | OrganizationNotice | PersonalNotice

/** A notice to an address or an account, with its link sealed. */
export interface PersonalNotice {
  readonly id: string
  readonly kind: NoticeKind
  readonly facts: StoredNotice["facts"]
  /** The address; undefined for that of the account. */
  readonly email: string | undefined
  readonly account_id: string | undefined
  /** The token of the link, sealed for the notice's id; removed once the notice is settled. */
  readonly sealed_token: string | undefined
  readonly link_expires_at: string | undefined
  /** The keyed hash of the client's address. */
  readonly client_hash: string | undefined
  readonly isWithheld: boolean
}

/** Whether a notice is about to be sent: `limited` if it is above a limit, `off` without mail, or without a recipient. */
export type NoticeOutcome = "limited" | "off" | "stored"

/** A leased notice. `attempts` of the notice identifies the lease, and includes the attempt that starts now. */
export interface LeasedNotice {
  readonly notice: StoredNotice
  readonly sealed_token: string | undefined
  /** The name of the notice's organization. */
  readonly organization_name: string | undefined
}

/** The filter of a list of notices. */
export interface NoticeFilter {
  readonly status?: NoticeStatus | undefined
  readonly kind?: NoticeKind | undefined
  readonly email?: string | undefined
}

export class Notices extends Context.Service<
  Notices,
  {
    /**
     * Stores a notice for each of its recipients that has not switched its kind off. Always takes the same steps, so
     * that timing does not reveal whether it was stored.
     *
     * Above the limit of its address, or of its client, a notice of a kind that anyone can cause is not stored:
     * concurrent calls do not exceed the limits. Notices about an organization wait instead. `review_waiting` is
     * stored for an operator unless one is pending, and is due an hour after the one before at the earliest.
     */
    readonly add: (notice: NewNotice) => Effect.Effect<NoticeOutcome, Unavailable>
    /** Whether notices are stored. Without mail, nothing is due. */
    readonly isOn: () => boolean
    /**
     * Leases at most `limit` due notices, urgent ones first, then in order of creation. One process at a time gets any:
     * another one takes over when all leases of the first have expired. No more are leased than `per_day` allows.
     */
    readonly lease: (limit: number, duration_ms: number) => Effect.Effect<ReadonlyArray<LeasedNotice>, Unavailable>
    /** Ends a lease. Does nothing if it has expired and was replaced. Removes the token unless the notice is pending. */
    readonly settle: (leased: LeasedNotice, settlement: NoticeSettlement) => Effect.Effect<void, Unavailable>
    /** Newest first. */
    readonly list: (
      filter: NoticeFilter,
      page: PageRequest
    ) => Effect.Effect<Page<StoredNotice>, InvalidParameter | Unavailable>
    readonly get: (id: string) => Effect.Effect<StoredNotice, NotFound | Unavailable>
    /** The optional kinds that an account has switched off. */
    readonly switchedOff: (account_id: string) => Effect.Effect<ReadonlyArray<OptionalNotice>, Unavailable>
    /** Replaces the kinds that an account has switched off. Does nothing if the account does not exist. */
    readonly switchOff: (account_id: string, kinds: ReadonlyArray<OptionalNotice>) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/gateway/Notices") {}
