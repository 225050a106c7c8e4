/** Conformance suite of the port `AuditLog`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { type AuditFilter, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { Effect, type Layer } from "effect"
import { checkPaging, readAll, readPages } from "../fixtures/Paging.ts"
import { newEvent, nextTimestamp, unique } from "../fixtures/Records.ts"

/** Registers the tests of the port `AuditLog`. */
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

    it.effect("an event without an organization is listed without a filter by organization", () =>
      Effect.gen(function* () {
        const event = newEvent({ action: "end_user.saved" })
        yield* (yield* AuditLog).append(event)
        const listed = yield* readEvents({ actions: ["end_user.saved"] })
        assert.deepStrictEqual(
          listed.find(({ id }) => id === event.id),
          event
        )
      })
    )

    addFilterTests(it)
    addTimeTests(it)

    it.effect("concurrent events are all kept", () =>
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
        const filters: ReadonlyArray<AuditFilter> = [
          { organization_id, actions: ["key.created"] },
          { organization_id, actions: ["key.created", "key.rotated"], from: "2026-01-01T00:00:00.000Z" },
          { actions: ["key.created"] }
        ]
        for (const filter of filters) {
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

/** Tests of `appendAll`. */
const addManyTests = (it: Vitest.MethodsNonLive<AuditLog>): void => {
  it.effect("events of one batch are listed in order, newest first", () =>
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

const addFilterTests = (it: Vitest.MethodsNonLive<AuditLog>): void => {
  it.effect("the list can be filtered by an organization, an action, or both", () =>
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
      assert.deepStrictEqual(yield* found({ actions: ["key.created"] }), [elsewhere.id, created.id])
      assert.deepStrictEqual(yield* found({ organization_id: mine, actions: ["key.created"] }), [created.id])
      assert.deepStrictEqual(yield* found({ organization_id: other, actions: ["key.revoked"] }), [])
      for (const organization_id of [unique("org"), "", `${mine}\u0000`, "\ud800"]) {
        assert.deepStrictEqual(yield* found({ organization_id }), [])
      }
    })
  )

  it.effect("several actions are listed together in order, and an empty list of actions matches nothing", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const organization_id = unique("org")
      const actions = ["key.created", "key.revoked", "key.rotated", "key.created", "key.revoked"] as const
      const events = actions.map((action) => newEvent({ organization_id, action }))
      yield* log.appendAll(events)
      const wanted = events.filter(({ action }) => action !== "key.rotated").toReversed()
      const filter: AuditFilter = { organization_id, actions: ["key.revoked", "key.created", "key.revoked"] }
      assert.deepStrictEqual(yield* readEvents(filter), wanted)
      const pages = yield* readPages((page) => log.list(filter, page), 3)
      assert.deepStrictEqual(
        pages.map(({ items }) => items),
        [wanted.slice(0, 3), wanted.slice(3)]
      )
      assert.deepStrictEqual(yield* readEvents({ organization_id, actions: [] }), [])
    })
  )

  it.effect("the list can be filtered by actor and by subject", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const [organization_id, actor, subject] = [unique("org"), unique("acc"), unique("key")]
      const both = newEvent({ organization_id, actor, subject })
      const own = newEvent({ organization_id, actor })
      const elsewhere = newEvent({ organization_id: unique("org"), actor, subject, action: "key.revoked" })
      yield* log.appendAll([both, own, newEvent({ organization_id, subject: unique("key") }), elsewhere])
      assert.deepStrictEqual(yield* readEvents({ actor }), [elsewhere, own, both])
      assert.deepStrictEqual(yield* readEvents({ subject }), [elsewhere, both])
      assert.deepStrictEqual(yield* readEvents({ actor, organization_id }), [own, both])
      assert.deepStrictEqual(yield* readEvents({ actor, subject, organization_id }), [both])
      assert.deepStrictEqual(yield* readEvents({ actor, actions: ["key.revoked"] }), [elsewhere])
      for (const nobody of ["", `${actor}\u0000`, "\ud800"]) {
        assert.deepStrictEqual(yield* readEvents({ actor: nobody }), [])
        assert.deepStrictEqual(yield* readEvents({ subject: nobody }), [])
      }
    })
  )
}

/** Tests of filters by time. Events arrive approximately in order of time. */
const addTimeTests = (it: Vitest.MethodsNonLive<AuditLog>): void => {
  it.effect("the list can be filtered by time: from one, and before another", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const organization_id = unique("org")
      const events = Array.from({ length: 200 }, () => newEvent({ organization_id }))
      yield* log.appendAll(events)
      const at = (index: number): string => events[index]?.at ?? ""
      const found = (filter: AuditFilter) =>
        Effect.map(readEvents({ organization_id, ...filter }), (list) => list.toReversed())
      for (const [first, end] of [
        [0, 1],
        [10, 190],
        [130, 131],
        [150, 150],
        [190, 10]
      ] as const) {
        assert.deepStrictEqual(yield* found({ from: at(first), to: at(end) }), events.slice(first, end))
      }
      assert.deepStrictEqual(yield* found({ from: at(120) }), events.slice(120))
      assert.deepStrictEqual(yield* found({ to: at(120) }), events.slice(0, 120))
      assert.deepStrictEqual(yield* found({ from: at(7), actions: ["organization.updated"] }), events.slice(7))
      assert.deepStrictEqual(yield* found({ from: "2999-01-01T00:00:00.000Z" }), [])
      assert.deepStrictEqual(yield* found({ to: "1999-01-01T00:00:00.000Z" }), [])
      assert.deepStrictEqual(yield* found({ to: "2999-01-01T00:00:00.000Z" }), events)
    })
  )

  it.effect("clocks that differ by minutes hide no event", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const organization_id = unique("org")
      // One minute apart.
      const moments = Array.from({ length: 100 }, nextTimestamp)
      const at = (minutes: number): string => moments[50 + minutes] ?? ""
      const events = [0, 40, -10, 30, 5, 35].map((minutes) => newEvent({ organization_id, at: at(minutes) }))
      yield* log.appendAll(events)
      const ids = events.map(({ id }) => id)
      const found = (filter: AuditFilter) =>
        Effect.map(readEvents({ organization_id, ...filter }), (list) => list.map(({ id }) => ids.indexOf(id)))
      assert.deepStrictEqual(yield* found({ from: at(5), to: at(40) }), [5, 4, 3])
      assert.deepStrictEqual(yield* found({ from: at(5) }), [5, 4, 3, 1])
      assert.deepStrictEqual(yield* found({ to: at(40) }), [5, 4, 3, 2, 0])
    })
  )
}

const readEvents = (filter: AuditFilter) => Effect.flatMap(AuditLog, (log) => readAll((page) => log.list(filter, page)))
