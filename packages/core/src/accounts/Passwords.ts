/** Port: what is kept of passwords, and whether one is right. Both are slow on purpose. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unavailable } from "../Errors.ts"

export class Passwords extends Context.Service<
  Passwords,
  {
    /** A text that holds the way of hashing, a random salt and the hash: a PHC string. */
    readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<string, Unavailable>
    /**
     * Whether `hash` gave this text for the password. Where there is no text it does the same work, and says no. Fails
     * with `Unavailable` if more ask at once than can be served.
     */
    readonly verify: (
      password: Redacted.Redacted<string>,
      hashed: string | undefined
    ) => Effect.Effect<boolean, Unavailable>
  }
>()("@postcode/core/Passwords") {}
