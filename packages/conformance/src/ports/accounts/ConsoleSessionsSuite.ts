/** Conformance suite of the port `ConsoleSessions`. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { type ConsoleSession, ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, type Layer } from "effect"
import { unique } from "../../fixtures/Records.ts"
import { member } from "./AccountsSuite.ts"

/** Registers the tests of the port `ConsoleSessions`. */
export const consoleSessionsSuite = <E>(
  name: string,
  adapter: Layer.Layer<Accounts | ConsoleSessions | Organizations, E>
): void =>
  layer(adapter, { excludeTestServices: true })(`ConsoleSessions ${name}`, (it) => {
    it.effect("a session is found by its token's hash until its end, with its account's current state", () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const { account, hash, session } = yield* started
        assert.deepStrictEqual(yield* sessions.find(hash, noon), { session, account })
        yield* (yield* Accounts).change(account.id, { name: "Bola", ...keepsAll })
        assert.deepStrictEqual((yield* sessions.find(hash, noon))?.account, { ...account, name: "Bola" })
        assert.isUndefined(yield* sessions.find(hash, session.ends_at))
        assert.isUndefined(yield* sessions.find(unique("hash"), noon))
      })
    )

    it.effect("an extended session lasts longer; extending an unknown session starts none", () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const { account, hash, session } = yield* started
        yield* sessions.extend(hash, later)
        const extended = { session: { ...session, ends_at: later }, account }
        assert.deepStrictEqual(yield* sessions.find(hash, session.ends_at), extended)
        assert.isUndefined(yield* sessions.find(hash, later))
        const never = unique("hash")
        yield* sessions.extend(never, later)
        yield* sessions.end(never)
        assert.isUndefined(yield* sessions.find(never, noon))
      })
    )

    it.effect("an ended session is not found; others of the account are", () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const { hash, session } = yield* started
        const other = unique("hash")
        yield* sessions.start(other, session)
        yield* sessions.end(hash)
        yield* sessions.extend(hash, later)
        assert.isUndefined(yield* sessions.find(hash, noon))
        assert.isDefined(yield* sessions.find(other, noon))
      })
    )

    it.effect("all sessions of an account end with a change that requests it, also one that is just starting", () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const { account, hash, session } = yield* started
        const { epoch } = yield* (yield* Accounts).change(account.id, { ...keepsAll, ends_sessions: true })
        assert.isUndefined(yield* sessions.find(hash, noon))
        // Its password was verified before the change.
        const late = unique("hash")
        yield* sessions.start(late, session)
        assert.isUndefined(yield* sessions.find(late, noon))
        const fresh = unique("hash")
        yield* sessions.start(fresh, { ...session, epoch })
        assert.isDefined(yield* sessions.find(fresh, noon))
      })
    )

    it.effect("a removed account loses its sessions, and gets no other", () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const { account, hash, session } = yield* started
        yield* (yield* Accounts).remove(account.id)
        const late = unique("hash")
        yield* sessions.start(late, session)
        assert.isUndefined(yield* sessions.find(hash, noon))
        assert.isUndefined(yield* sessions.find(late, noon))
      })
    )
  })

const noon = "2026-02-01T12:00:00.000Z"
const later = "2026-02-03T00:00:00.000Z"
const keepsAll = { ends_sessions: false }

/** A session of a new account that ends at midnight. */
const started = Effect.gen(function* () {
  const { account, epoch } = yield* member("developer")
  const hash = unique("hash")
  const session: ConsoleSession = {
    account_id: account.id,
    epoch,
    created_at: "2026-02-01T00:00:00.000Z",
    ends_at: "2026-02-02T00:00:00.000Z"
  }
  yield* (yield* ConsoleSessions).start(hash, session)
  return { account, hash, session }
})
