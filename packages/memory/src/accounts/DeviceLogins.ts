/** Logins of devices in memory. */
import {
  type DeviceDecision,
  type DeviceLogin,
  maxDeviceLogins,
  minPoll_ms
} from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { DeviceLogins } from "@postcode/gateway/accounts/deviceLogins/DeviceLogins"
import { Effect, Layer } from "effect"

export const layerDeviceLogins: Layer.Layer<DeviceLogins> = Layer.sync(DeviceLogins, () => {
  const byDevice = new Map<string, Stored>()
  const byUser = new Map<string, Stored>()

  const remove = ({ login }: Stored): void => {
    byDevice.delete(login.device_hash)
    byUser.delete(login.user_hash)
  }

  const undecided = (user_hash: string, now: string): Stored | undefined => {
    const stored = byUser.get(user_hash)
    return stored === undefined || stored.decision !== undefined || stored.login.expires_at <= now ? undefined : stored
  }

  return {
    add: (login) =>
      Effect.sync(() => {
        for (const stored of byDevice.values()) if (stored.login.expires_at <= login.created_at) remove(stored)
        if (byUser.has(login.user_hash)) return "taken"
        if (byDevice.size >= maxDeviceLogins) return "full"
        const stored: Stored = { login, decision: undefined, polled_at: undefined }
        byDevice.set(login.device_hash, stored)
        byUser.set(login.user_hash, stored)
        return "added"
      }),
    find: (user_hash, now) => Effect.sync(() => undecided(user_hash, now)?.login),
    decide: (user_hash, decision, now) =>
      Effect.sync(() => {
        const stored = undecided(user_hash, now)
        if (stored !== undefined) stored.decision = decision
        return stored?.login
      }),
    poll: (device_hash, now) =>
      Effect.sync(() => {
        const stored = byDevice.get(device_hash)
        if (stored === undefined) return { _tag: "Gone" }
        if (stored.login.expires_at <= now) return { _tag: "Expired" }
        const { decision, login, polled_at } = stored
        if (decision !== undefined) {
          remove(stored)
          return { _tag: "Decided", login, decision }
        }
        stored.polled_at = now
        const isTooSoon = polled_at !== undefined && Date.parse(now) - Date.parse(polled_at) < minPoll_ms
        return { _tag: isTooSoon ? "TooSoon" : "Pending" }
      })
  }
})

interface Stored {
  readonly login: DeviceLogin
  decision: DeviceDecision | undefined
  polled_at: string | undefined
}
