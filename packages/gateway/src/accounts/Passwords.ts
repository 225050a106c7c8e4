/** Port: hashes of passwords and their verification. Both are deliberately slow. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unavailable } from "../Errors.ts"

export class Passwords extends Context.Service<
  Passwords,
  {
    /** A PHC string: algorithm, random salt and hash. */
    readonly hash: (password: Redacted.Redacted<string>) => Effect.Effect<string, Unavailable>
    /**
     * Whether the hash is of the password. Without a hash it does the same work and returns false. Fails with
     * `Unavailable` if too many verifications are pending.
     */
    readonly verify: (
      password: Redacted.Redacted<string>,
      hashed: string | undefined
    ) => Effect.Effect<boolean, Unavailable>
  }
>()("@postcode/gateway/Passwords") {}
