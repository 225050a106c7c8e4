/** Poolers between the service and PostgreSQL: what they must keep, and what they must let through. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { makeTestDatabase } from "@postcode/drills/postgres"
import { Effect, Redacted } from "effect"
import { layerDatabase } from "../../src/connection/Database.ts"
import { prepareDatabase } from "../../src/connection/prepareDatabase.ts"
import { requireSessions } from "../../src/connection/requireSessions.ts"
import { transactionPooler } from "../TransactionPooler.ts"

const required = (url: string) =>
  Effect.provide(requireSessions, layerDatabase({ url: Redacted.make(url), maxConnections: 2 }))

describe("sessions", () => {
  it.live("are kept by PostgreSQL itself", () =>
    Effect.gen(function* () {
      const { url, drop } = yield* Effect.promise(makeTestDatabase)
      yield* required(url)
      yield* Effect.promise(drop)
    })
  )

  it.live("are not kept by a pooler in transaction mode, which is refused with the mode that it needs", () =>
    Effect.gen(function* () {
      const { url, drop } = yield* Effect.promise(makeTestDatabase)
      const pooler = yield* transactionPooler(url)
      const refused = yield* Effect.flip(required(pooler.url))
      assert.strictEqual(refused._tag, "SessionsNotKept")
      assert.include(refused.message, "pool_mode = session")
      yield* Effect.promise(drop)
    }).pipe(Effect.scoped)
  )
})

describe("a pooler that refuses the parameters of connections", () => {
  it.live("ends the preparation immediately, with the setting that it needs", () =>
    Effect.gen(function* () {
      const server = createServer((socket) => {
        const fields = "SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0"
        const head = Buffer.alloc(5, "E")
        head.writeInt32BE(4 + fields.length, 1)
        socket
          .on("error", () => {})
          .on("data", (bytes) => {
            if (bytes.length === 8) socket.write("N")
            else socket.end(Buffer.concat([head, Buffer.from(fields)]))
          })
      }).listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const url = `postgresql://someone@127.0.0.1:${(server.address() as AddressInfo).port}/postcode`
      const waits: Array<string> = []
      const { message } = yield* Effect.flip(
        Effect.provide(
          prepareDatabase({ onWait: (reason) => waits.push(reason) }),
          layerDatabase({ url: Redacted.make(url), maxConnections: 1 })
        )
      )
      assert.include(message, "ignore_startup_parameters = extra_float_digits, statement_timeout")
      assert.deepStrictEqual(waits, [])
    }).pipe(Effect.scoped)
  )
})
