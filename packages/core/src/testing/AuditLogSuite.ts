/** What every adapter of the port `AuditLog` must do. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { type AuditFilter, AuditLog } from "../ports/AuditLog.ts"
import { newEvent, unique } from "./Fixtures.ts"
import { checkPaging, readAll } from "./Paging.ts"

export const auditLogSuite = <E>(name: string, adapter: Layer.Layer<AuditLog, E>): void =>
  layer(adapter, { excludeTestServices: true })(`AuditLog ${name}`, (it) => {
    addManyTests(it)

    it.effect("an event is listed as it was appended", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const organization_id = unique("org")
        const events = [
          newEvent({ organization_id, details: {} }),
          newEvent({ organization_id, details: { name: 'Ẹ̀kọ́ & "sons"', level: 4, prefix: "svc_pk_AbCd" } })
        ]
        yield* Effect.forEach(events, log.append)
        assert.deepStrictEqual(yield* readEvents({ organization_id }), [...events].reverse())
      })
    )

    it.effect("an event of no organization is listed where no organization is asked for", () =>
      Effect.gen(function* () {
        const event = newEvent({ action: "end_user.saved" })
        yield* (yield* AuditLog).append(event)
        const listed = yield* readEvents({ action: "end_user.saved" })
        assert.deepStrictEqual(
          listed.find(({ id }) => id === event.id),
          event
        )
      })
    )

    it.effect("the list can be narrowed to an organization, an action, or both", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const [mine, other] = [unique("org"), unique("org")]
        const created = newEvent({ organization_id: mine, action: "key.created" })
        const revoked = newEvent({ organization_id: mine, action: "key.revoked" })
        const elsewhere = newEvent({ organization_id: other, action: "key.created" })
        yield* Effect.forEach([created, revoked, elsewhere], log.append)
        const appended = new Set([created.id, revoked.id, elsewhere.id])
        const found = (filter: AuditFilter) =>
          Effect.map(readEvents(filter), (events) => events.map(({ id }) => id).filter((id) => appended.has(id)))
        assert.deepStrictEqual(yield* found({}), [elsewhere.id, revoked.id, created.id])
        assert.deepStrictEqual(yield* found({ organization_id: mine }), [revoked.id, created.id])
        assert.deepStrictEqual(yield* found({ action: "key.created" }), [elsewhere.id, created.id])
        assert.deepStrictEqual(yield* found({ organization_id: mine, action: "key.created" }), [created.id])
        assert.deepStrictEqual(yield* found({ organization_id: other, action: "key.revoked" }), [])
        for (const organization_id of [unique("org"), "", `${mine}\u0000`, "\ud800"]) {
          assert.deepStrictEqual(yield* found({ organization_id }), [])
        }
      })
    )

    it.effect("events that are appended at the same time are all kept", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const organization_id = unique("org")
        const events = Array.from({ length: 100 }, () => newEvent({ organization_id }))
        yield* Effect.forEach(events, log.append, { concurrency: "unbounded" })
        assert.sameDeepMembers([...(yield* readEvents({ organization_id }))], events)
      })
    )

    it.effect("every list is paged, newest first", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const organization_id = unique("org")
        const wanted: Array<string> = []
        for (let i = 0; i < 6; i++) {
          const event = newEvent({ organization_id, action: "key.created" })
          wanted.push(event.id)
          yield* log.append(event)
          yield* log.append(newEvent({ organization_id, action: "key.revoked" }))
        }
        for (const filter of [{ organization_id, action: "key.created" }, { action: "key.created" }] as const) {
          yield* checkPaging({
            list: (page) => log.list(filter, page),
            idOf: ({ id }) => id,
            ids: wanted,
            isPrivate: false,
            add: log.append(newEvent({ organization_id, action: "key.created" }))
          })
        }
      })
    )
  })

/** What holds for events that are appended together. */
const addManyTests = (it: Vitest.MethodsNonLive<AuditLog>): void => {
  it.effect("events that are appended together are listed in their order, newest first", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const organization_id = unique("org")
      const first = newEvent({ organization_id })
      const together = Array.from({ length: 500 }, () => newEvent({ organization_id }))
      const last = newEvent({ organization_id })
      yield* log.append(first)
      yield* log.appendAll(together)
      yield* log.appendAll([])
      yield* log.append(last)
      assert.deepStrictEqual(yield* readEvents({ organization_id }), [first, ...together, last].reverse())
    })
  )
}

const readEvents = (filter: AuditFilter) => Effect.flatMap(AuditLog, (log) => readAll((page) => log.list(filter, page)))
