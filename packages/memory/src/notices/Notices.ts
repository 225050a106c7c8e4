/** The port `Notices` in memory. */
import { notFound } from "@postcode/gateway/Errors"
import type { NoticeSettlement } from "@postcode/gateway/notices/Notice"
import { type LeasedNotice, type NoticeFilter, Notices } from "@postcode/gateway/notices/Notices"
import { Clock, Effect, Layer } from "effect"
import { MemoryState, type StoredOrganization } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { type NoticeRow, type StoredNotices, shownNotice, switchedOffIn } from "./StoredNotices.ts"

export const layerNotices: Layer.Layer<Notices, never, MemoryState> = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const { accounts, notices, organizations } = yield* MemoryState
    const clock = yield* Clock.Clock
    const now = () => clock.currentTimeMillisUnsafe()
    return Notices.of({
      isOn: () => notices.limits.isOn,
      add: (notice) =>
        Effect.sync(() => ("id" in notice ? notices.addPersonal(notice, now()) : notices.addForRoles(notice, now()))),
      lease: (limit, duration_ms) => Effect.sync(() => lease(notices, organizations, limit, duration_ms, now())),
      settle: (leased, settlement) => Effect.sync(() => settle(notices, leased, settlement, now())),
      list: (filter, page) =>
        Effect.suspend(() =>
          newestFirst(notices.rows.length, (index) => shownIf(notices.rows.at(index), filter), page, notices.rows.first)
        ),
      get: (id) =>
        Effect.suspend(() => {
          const row = notices.byId.get(id)
          return row === undefined ? Effect.fail(notFound("notice")) : Effect.succeed(shownNotice(row))
        }),
      switchedOff: (account_id) => Effect.sync(() => switchedOffIn(notices.switchedOff.get(account_id))),
      switchOff: (account_id, kinds) =>
        Effect.sync(() => {
          if (accounts.has(account_id)) notices.switchedOff.set(account_id, new Set(kinds))
        })
    })
  })
)

const shownIf = (row: NoticeRow | undefined, { email, kind, status }: NoticeFilter) => {
  if (row === undefined) return undefined
  const { record } = row
  const isAsked =
    (email === undefined || record.email === email) &&
    (kind === undefined || record.kind === kind) &&
    (status === undefined || record.status === status)
  return isAsked ? shownNotice(row) : undefined
}

const lease = (
  notices: StoredNotices,
  organizations: ReadonlyMap<string, StoredOrganization>,
  limit: number,
  duration_ms: number,
  now_ms: number
): ReadonlyArray<LeasedNotice> => {
  const due: Array<NoticeRow> = []
  for (const row of notices.byId.values()) {
    if (row.record.status === "pending" && row.due_ms <= now_ms && row.leased_until_ms <= now_ms) due.push(row)
  }
  if (due.length === 0) return []
  const free = Math.max(0, Math.min(limit, notices.limits.per_day - notices.sentBefore(now_ms)))
  return due
    .sort((a, b) => Number(a.class === "other") - Number(b.class === "other") || a.due_ms - b.due_ms)
    .slice(0, free)
    .map((row) => {
      row.leased_until_ms = now_ms + duration_ms
      row.record = { ...row.record, attempts: row.record.attempts + 1 }
      return {
        notice: shownNotice(row),
        sealed_token: row.sealed_token,
        organization_name: organizations.get(row.record.organization_id ?? "")?.record.name
      }
    })
}

const settle = (
  notices: StoredNotices,
  { notice: { attempts, id } }: LeasedNotice,
  { after_ms, fault, status }: NoticeSettlement,
  now_ms: number
): void => {
  const row = notices.byId.get(id)
  if (row === undefined || row.record.attempts !== attempts || row.record.status !== "pending") return
  const { fault: _, ...record } = row.record
  row.record = {
    ...record,
    status,
    ...(fault !== undefined && { fault }),
    last_attempt_at: new Date(now_ms).toISOString()
  }
  row.leased_until_ms = 0
  row.due_ms = now_ms + (after_ms ?? 0)
  if (status === "sent") row.sent_ms = now_ms
  if (status !== "pending") row.sealed_token = undefined
}
