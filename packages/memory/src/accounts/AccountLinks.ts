/** Links that were sent by mail, in memory, and the switch of sign-ups. */
import { type AccountLink, SignUpLimits, type SignUpOrigin } from "@postcode/gateway/accounts/links/AccountLink"
import { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import { Effect, Layer } from "effect"

export const layerAccountLinks: Layer.Layer<AccountLinks> = Layer.effect(
  AccountLinks,
  Effect.map(SignUpLimits, (limits) => {
    const byHash = new Map<string, Stored>()
    let isStopped = false

    const add = (hash: string, link: AccountLink, origin?: SignUpOrigin) => {
      const kept_from = isoBefore(link.created_at, day_ms)
      for (const [other, { link: old }] of byHash) {
        if (old.expires_at <= link.created_at && old.created_at <= kept_from) byHash.delete(other)
      }
      byHash.set(hash, { link, origin, isUsed: false })
    }

    const find = (...[hash, kind, now]: Parameters<Service["find"]>) => {
      const stored = byHash.get(hash)
      const works =
        stored !== undefined &&
        !stored.isUsed &&
        stored.link.kind === kind &&
        !stored.link.is_void &&
        now < stored.link.expires_at
      return works ? stored : undefined
    }

    const isWithin = (now: string, { client_hash, network_hash }: SignUpOrigin): boolean => {
      const from_day = isoBefore(now, day_ms)
      const from_hour = isoBefore(now, hour_ms)
      const today = [...byHash.values()].filter(
        ({ link, origin }) => origin !== undefined && link.created_at > from_day
      )
      const recent = today.filter(({ link }) => link.created_at > from_hour)
      return (
        today.length < limits.all_per_day &&
        recent.filter(({ origin }) => origin?.client_hash === client_hash).length < limits.client_per_hour &&
        recent.filter(({ origin }) => origin?.network_hash === network_hash).length < limits.network_per_hour
      )
    }

    return {
      add: (hash, link) => Effect.sync(() => add(hash, link)),
      addSignUp: (hash, link, origin) =>
        Effect.sync(() => {
          if (!isWithin(link.created_at, origin)) return false
          add(hash, link, origin)
          return true
        }),
      find: (...key) => Effect.sync(() => find(...key)?.link),
      take: (...key) =>
        Effect.sync(() => {
          const stored = find(...key)
          if (stored !== undefined) stored.isUsed = true
          return stored?.link
        }),
      end: (account_id, kind) =>
        Effect.sync(() => {
          for (const stored of byHash.values()) {
            if (stored.link.account_id === account_id && stored.link.kind === kind) stored.isUsed = true
          }
        }),
      isSignUpStopped: () => Effect.sync(() => isStopped),
      stopSignUp: (next) =>
        Effect.sync(() => {
          const isChange = next !== isStopped
          isStopped = next
          return isChange
        })
    }
  })
)

type Service = AccountLinks["Service"]

interface Stored {
  readonly link: AccountLink
  /** Only of sign-ups. */
  readonly origin: SignUpOrigin | undefined
  /** A used link stays to be counted. */
  isUsed: boolean
}

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms

const isoBefore = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString()
