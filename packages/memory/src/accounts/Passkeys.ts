/**
 * Passkeys and challenges in memory. Storing a challenge evicts expired ones, and the oldest at capacity, because
 * anybody can request challenges.
 */

import {
  type Challenge,
  maxPasskeys,
  type Passkey,
  passkeyTaken,
  tooManyPasskeys
} from "@postcode/gateway/accounts/passkeys/Passkey"
import { Passkeys } from "@postcode/gateway/accounts/passkeys/Passkeys"
import { notFound } from "@postcode/gateway/Errors"
import { Clock, Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { NewestKept } from "../retention/NewestKept.ts"
import { Retention } from "../retention/Retention.ts"

export const layerPasskeys: Layer.Layer<Passkeys, never, MemoryState> = Layer.effect(
  Passkeys,
  Effect.gen(function* () {
    const { accounts } = yield* MemoryState
    const clock = yield* Clock.Clock
    const { challenges: maxChallenges } = yield* Retention
    const challenges = new Map<string, Challenge>()
    /** In order of creation, which is also the order of expiry; includes used challenges. */
    const inOrder = new NewestKept<{ readonly hash: string; readonly expires_at: string }>()
    const byCredential = new Map<string, Passkey>()

    /** The passkeys of an account, oldest first. Passkeys of removed accounts remain but are unreachable. */
    const held = (account_id: string): ReadonlyArray<Passkey> =>
      [...byCredential.values()].filter((passkey) => passkey.account_id === account_id)

    const add: Passkeys["Service"]["add"] = (passkey) => {
      if (!accounts.has(passkey.account_id)) return Effect.fail(notFound("account"))
      if (byCredential.has(passkey.credential_id)) return Effect.fail(passkeyTaken)
      if (held(passkey.account_id).length >= maxPasskeys) return Effect.fail(tooManyPasskeys)
      byCredential.set(passkey.credential_id, passkey)
      return Effect.void
    }

    const find = (credential_id: string) => {
      const passkey = byCredential.get(credential_id)
      const credentials = passkey && accounts.get(passkey.account_id)
      return passkey === undefined || credentials === undefined ? undefined : { passkey, credentials }
    }

    const use = (id: string, counter: number, last_used_at: string): boolean => {
      const passkey = [...byCredential.values()].find((passkey) => passkey.id === id)
      if (passkey === undefined || !(counter > passkey.counter || (counter === 0 && passkey.counter === 0)))
        return false
      byCredential.set(passkey.credential_id, { ...passkey, counter, last_used_at })
      return true
    }

    const remove = (account_id: string, id: string) => {
      const passkey = held(account_id).find((passkey) => passkey.id === id)
      if (passkey === undefined) return Effect.fail(notFound("passkey"))
      byCredential.delete(passkey.credential_id)
      return Effect.void
    }

    const keepChallenge = (hash: string, challenge: Challenge) => {
      challenges.set(hash, challenge)
      inOrder.push({ hash, expires_at: challenge.expires_at })
      const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
      for (;;) {
        const oldest = inOrder.at(inOrder.first)
        if (oldest === undefined || (now < oldest.expires_at && inOrder.size <= maxChallenges)) return
        inOrder.evictOldest()
        challenges.delete(oldest.hash)
      }
    }

    return Passkeys.of({
      keepChallenge: (hash, challenge) => Effect.sync(() => keepChallenge(hash, challenge)),
      takeChallenge: (hash, now) =>
        Effect.sync(() => {
          const challenge = challenges.get(hash)
          challenges.delete(hash)
          return challenge !== undefined && now < challenge.expires_at ? challenge : undefined
        }),
      add: (passkey) => Effect.suspend(() => add(passkey)),
      list: (account_id) => Effect.sync(() => held(account_id).toReversed()),
      find: (credential_id) => Effect.sync(() => find(credential_id)),
      use: (id, counter, last_used_at) => Effect.sync(() => use(id, counter, last_used_at)),
      remove: (account_id, id) => Effect.suspend(() => remove(account_id, id))
    })
  })
)
