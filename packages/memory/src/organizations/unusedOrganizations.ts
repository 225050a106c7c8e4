/** Organizations that were never used, and are to be closed. */
import type { Credentials } from "@postcode/gateway/accounts/Accounts"
import { closingAge, closingTime } from "@postcode/gateway/organizations/Organization"
import {
  type ClosingOrganization,
  maxTakenOrganizations,
  type Organizations
} from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import type { StoredOrganization } from "../MemoryState.ts"

/** @param inOrder all organizations, in order of creation */
export const unusedOrganizations = (
  inOrder: ReadonlyArray<StoredOrganization>,
  accounts: ReadonlyMap<string, Credentials>
): Pick<Organizations["Service"], "listClosing" | "takeUnused"> => ({
  takeUnused: (now, rule) =>
    Effect.sync(() => {
      const age = closingAge(now, rule)
      const owned = ownedOrganizations(accounts)
      const taken: Array<ClosingOrganization> = []
      for (const stored of inOrder) {
        const { created_at, id } = stored.record
        if (stored.closes_at !== undefined || created_at > age || !isUnused(stored, owned)) continue
        stored.closes_at = closingTime(created_at, now, rule)
        taken.push({ id, closes_at: stored.closes_at })
        if (taken.length === maxTakenOrganizations) break
      }
      return taken
    }),

  listClosing: (now) =>
    Effect.sync(() => {
      const owned = ownedOrganizations(accounts)
      const isDue = ({ closes_at }: StoredOrganization) => closes_at !== undefined && closes_at <= now
      return inOrder
        .filter((stored) => isDue(stored) && isUnused(stored, owned))
        .slice(0, maxTakenOrganizations)
        .map(({ record }) => record.id)
    })
})

const ownedOrganizations = (accounts: ReadonlyMap<string, Credentials>): ReadonlySet<string> =>
  new Set(
    [...accounts.values()].flatMap(({ account }) =>
      account.memberships.flatMap(({ organization_id, role }) => (role === "owner" ? [organization_id] : []))
    )
  )

/** See `Organizations.takeUnused`. */
const isUnused = (
  { accounts, hasRequested, keys, record }: StoredOrganization,
  owned: ReadonlySet<string>
): boolean => {
  const { granted_level, id, kyb_status, kyb_submission, status } = record
  return (
    status === "active" &&
    granted_level === 1 &&
    kyb_status === "unverified" &&
    kyb_submission === undefined &&
    !hasRequested &&
    !accounts.test.isUsed &&
    !accounts.live.isUsed &&
    keys.every((key) => key.last_used_at === undefined) &&
    owned.has(id)
  )
}
