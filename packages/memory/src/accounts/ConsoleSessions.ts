/**
 * Console sessions in memory. Starting a session removes expired ones, and the oldest session of an account above
 * `maxSessions`.
 */
import { type ConsoleSession, ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"

export const layerConsoleSessions: Layer.Layer<ConsoleSessions, never, MemoryState> = Layer.effect(
  ConsoleSessions,
  Effect.gen(function* () {
    const { accounts } = yield* MemoryState
    const sessions = new Map<string, ConsoleSession>()

    const accountOf = ({ account_id, epoch }: ConsoleSession) => {
      const stored = accounts.get(account_id)
      return stored?.epoch === epoch ? stored.account : undefined
    }

    const find = (hash: string, now: string) => {
      const session = sessions.get(hash)
      if (session === undefined || session.ends_at <= now) return undefined
      const account = accountOf(session)
      return account === undefined ? undefined : { session, account }
    }

    const forgetEnded = (now: string) => {
      for (const [hash, session] of sessions) {
        if (session.ends_at <= now || accountOf(session) === undefined) sessions.delete(hash)
      }
    }

    /** In order of creation. */
    const evictOldestOf = (account_id: string) => {
      const own = [...sessions].filter(([, session]) => session.account_id === account_id)
      for (const [hash] of own.slice(0, -maxSessions)) sessions.delete(hash)
    }

    return ConsoleSessions.of({
      start: (hash, session) =>
        Effect.sync(() => {
          forgetEnded(session.created_at)
          sessions.set(hash, session)
          evictOldestOf(session.account_id)
        }),
      find: (hash, now) => Effect.sync(() => find(hash, now)),
      extend: (hash, ends_at) =>
        Effect.sync(() => {
          const session = sessions.get(hash)
          if (session !== undefined) sessions.set(hash, { ...session, ends_at })
        }),
      end: (hash) => Effect.sync(() => void sessions.delete(hash))
    })
  })
)

/** Maximum number of sessions of an account, far above a person's number of devices. */
const maxSessions = 100
