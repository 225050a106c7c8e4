/** Port: logins of devices that wait for an account. The store has hashes of their codes, never the codes. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../../Errors.ts"
import type { DeviceDecision, DeviceLogin, DevicePoll } from "./DeviceLogin.ts"

export class DeviceLogins extends Context.Service<
  DeviceLogins,
  {
    /**
     * Stores a login, and removes expired ones. `taken`, without storing it, if another one has the user code; `full` if
     * `maxDeviceLogins` wait. Concurrent calls may exceed that slightly.
     */
    readonly add: (login: DeviceLogin) => Effect.Effect<"added" | "full" | "taken", Unavailable>
    /** The undecided login of a user code; undefined if it is unknown, decided, or expired at `now`. */
    readonly find: (user_hash: string, now: string) => Effect.Effect<DeviceLogin | undefined, Unavailable>
    /** The same, and stores a decision: of concurrent calls, one gets it. */
    readonly decide: (
      user_hash: string,
      decision: DeviceDecision,
      now: string
    ) => Effect.Effect<DeviceLogin | undefined, Unavailable>
    /**
     * The state of a login. A decision is returned once, and removes the login. `TooSoon` if the last request was less
     * than `minPoll_ms` before `now`; `Expired` until an expired login is removed, then `Gone`, as for an unknown one.
     */
    readonly poll: (device_hash: string, now: string) => Effect.Effect<DevicePoll, Unavailable>
  }
>()("@postcode/gateway/DeviceLogins") {}
