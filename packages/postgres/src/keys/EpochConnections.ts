/**
 * The two connections by which a replica hears of changes: one that asks, and one that listens. Neither comes from the
 * pool, so that no load holds them up, and both are given up as soon as an answer is late: a connection that has gone
 * silent says nothing of it. What is told of the listening one is only that it is time to ask.
 */

import { Socket } from "node:net"
import { Cause, Effect, Redacted } from "effect"
import { Client } from "pg"
import { reasonOf } from "../connection/reasonOf.ts"

/** What all epochs are, by kind, and when that was asked, as `performance.now` tells it. */
export type Publish = (epochs: ReadonlyMap<string, number>, sent_ms: number) => void

/** Between an answer and the next question. */
export const pollInterval_ms = 200
/** An answer that takes longer is hardly worth having; a new connection may still be in time. */
const pollPatience_ms = 300
const connectPatience_ms = 1_000
/** Between two attempts to connect. */
const pause_ms = 100

const heartbeat_ms = 2_000
const heartbeatPatience_ms = 1_000

/** Asks again and again, for ever; `nudge` makes it ask at once. */
export const pollEpochs = (
  url: Redacted.Redacted,
  publish: Publish
): { readonly poll: Effect.Effect<never>; readonly nudge: () => void } => {
  let nudged = false
  let wake = (): void => {}
  const nudge = (): void => {
    nudged = true
    wake()
  }

  const pause = Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), nudged ? 0 : pollInterval_ms)
    wake = () => {
      clearTimeout(timer)
      resume(Effect.void)
    }
    return Effect.sync(() => clearTimeout(timer))
  })

  const ask = (client: Client) =>
    Effect.tryPromise(async () => {
      nudged = false
      const sent_ms = performance.now()
      const { rows } = await client.query<{ kind: string; epoch: string }>(allEpochs)
      publish(new Map(rows.map(({ epoch, kind }) => [kind, Number(epoch)])), sent_ms)
    })

  const session = Effect.scoped(
    Effect.flatMap(connected(url, "postcode-gateway epochs", pollPatience_ms), (client) =>
      Effect.forever(Effect.andThen(ask(client), pause))
    )
  )
  return { poll: again(session, "the database does not say what has changed"), nudge }
}

/** Calls back with each notification on one of the channels, and when a connection begins to listen, for ever. */
export const listenForChanges = (
  url: Redacted.Redacted,
  channels: ReadonlyArray<string>,
  heard: () => void
): Effect.Effect<never> => {
  const session = Effect.scoped(
    Effect.gen(function* () {
      const client = yield* connected(url, "postcode-gateway notifications", heartbeatPatience_ms)
      client.on("notification", heard)
      yield* Effect.tryPromise(() => client.query(channels.map((channel) => `LISTEN ${channel}`).join(";")))
      heard()
      return yield* Effect.forever(Effect.andThen(Effect.sleep(heartbeat_ms), query(client, "SELECT 1")))
    })
  )
  return again(session, "the database notifies of no change")
}

const allEpochs = { name: "epochs", text: "SELECT kind, epoch FROM postcode.epochs" }

const query = (client: Client, statement: string) => Effect.tryPromise(() => client.query(statement))

/** Begins anew whenever it ends, and says so once, until it lasts again. */
const again = (session: Effect.Effect<never, unknown>, complaint: string): Effect.Effect<never> => {
  let lastEnd_ms = Number.NEGATIVE_INFINITY
  const once = Effect.catchCause(session, (cause) => {
    const since_ms = performance.now() - lastEnd_ms
    lastEnd_ms = performance.now()
    return since_ms > worthSaying_ms ? Effect.logWarning(`${complaint}: ${reasonOf(Cause.squash(cause))}`) : Effect.void
  })
  return Effect.forever(Effect.andThen(once, Effect.sleep(pause_ms)))
}

const worthSaying_ms = 10_000

/** A connection of its own until the scope closes; then, and when an answer is late, it is not waited for. */
const connected = (url: Redacted.Redacted, application_name: string, query_timeout: number) =>
  Effect.gen(function* () {
    const { client } = yield* Effect.acquireRelease(
      Effect.sync(() => open(url, application_name, query_timeout)),
      ({ client, socket }) =>
        Effect.sync(() => {
          client.end().catch(() => {})
          socket.destroySoon()
        })
    )
    yield* Effect.tryPromise(() => client.connect())
    return client
  })

const open = (url: Redacted.Redacted, application_name: string, query_timeout: number) => {
  const socket = new Socket()
  const client = new Client({
    connectionString: Redacted.value(url),
    connectionTimeoutMillis: connectPatience_ms,
    query_timeout,
    application_name,
    stream: () => socket
  })
  // A query that fails says so itself; where none is under way, the next one will.
  client.on("error", () => {})
  return { client, socket }
}
