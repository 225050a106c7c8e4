/** Conformance suite of the port `AccessRequests`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import {
  type AccessDecision,
  type AccessRequestFilter,
  AccessRequests
} from "@postcode/gateway/organizations/AccessRequests"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import type { PageOrder, PageRequest } from "@postcode/gateway/Page"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPagingInBothOrders, readAll } from "../../fixtures/Paging.ts"
import { newAccessRequest, nextTimestamp, storedOrganization, unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<AccessRequests | Organizations>

/** Registers the tests of the port `AccessRequests`. */
export const accessRequestsSuite = <E>(name: string, adapter: Layer.Layer<AccessRequests | Organizations, E>): void =>
  layer(adapter, { excludeTestServices: true })(`AccessRequests ${name}`, (it) => {
    addRequestTests(it)
    addScopeTests(it)
    addDecisionTests(it)
    addWaitingTests(it)
  })

const addWaitingTests = (it: It): void => {
  it.effect("verifications and requests wait until they are decided", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organizations = yield* Organizations
      const before = yield* requests.waiting()
      const early = "2001-01-01T00:00:00.000Z"
      const { id } = yield* storedOrganization()
      yield* organizations.submitKyb(id, { business_name: "A", registration_number: "RC 1", submitted_at: early })
      const request = newAccessRequest(id)
      yield* requests.create(request)
      assert.deepStrictEqual(yield* requests.waiting(), { count: before.count + 2, oldest_at: early })
      yield* organizations.update(id, { kyb_status: "verified" })
      const { count, oldest_at = "" } = yield* requests.waiting()
      assert.strictEqual(count, before.count + 1)
      assert.isTrue(oldest_at > early && oldest_at <= request.created_at)
      yield* requests.decide(request.id, approval())
      assert.deepStrictEqual(yield* requests.waiting(), before)
    })
  )
}

const addRequestTests = (it: It): void => {
  it.effect("a request is returned as stored", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const request = newAccessRequest((yield* storedOrganization()).id)
      yield* requests.create(request)
      assert.deepStrictEqual(yield* listed(request.id), request)
    })
  )

  it.effect("a request of an unknown organization is not stored", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const request = newAccessRequest(unique("org"))
      yield* failsWith(requests.create(request), "NotFound")
      assert.isUndefined(yield* listed(request.id))
    })
  )

  it.effect("an unknown request cannot be decided", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      yield* failsWith(requests.decide(unique("acr"), approval()), "NotFound")
    })
  )

  it.effect("one request per level may be pending; after its decision, another may be", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const { id } = yield* storedOrganization()
      const first = newAccessRequest(id)
      const second = newAccessRequest(id)
      yield* requests.create(first)
      yield* failsWith(requests.create(second), "Conflict")
      assert.isUndefined(yield* listed(second.id))
      yield* requests.create(newAccessRequest(id, { level: 5 }))
      yield* requests.create(newAccessRequest((yield* storedOrganization()).id))
      yield* requests.decide(first.id, { ...approval(), status: "rejected" })
      yield* requests.create(second)
      assert.deepStrictEqual(yield* listed(second.id), second)
    })
  )

  it.effect("of equal concurrent requests one is stored", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const { id } = yield* storedOrganization()
      const asked = Array.from({ length: 20 }, () => newAccessRequest(id))
      const stored = yield* Effect.all(
        asked.map((request) => succeededOrConflict(requests.create(request))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(stored.filter(Boolean).length, 1)
      for (const [i, request] of asked.entries()) {
        if (stored[i]) assert.deepStrictEqual(yield* listed(request.id), request)
        else assert.isUndefined(yield* listed(request.id))
      }
    })
  )

  it.effect("the list is paged in either order, with any status", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organizations = yield* Effect.replicateEffect(storedOrganization(), 6)
      const [another, ...asking] = organizations.map(({ id }) => newAccessRequest(id))
      yield* Effect.forEach(asking, requests.create)
      yield* requests.decide(asking[1]?.id ?? "", approval())
      yield* checkPagingInBothOrders({
        list: (page) => requests.list({}, page),
        idOf: ({ id }) => id,
        ids: asking.map(({ id }) => id),
        isPrivate: false,
        add: another === undefined ? Effect.die("no request") : requests.create(another)
      })
    })
  )
}

const addScopeTests = (it: It): void => {
  it.effect("the list of one organization contains only its requests", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const [{ id }, other] = [yield* storedOrganization(), yield* storedOrganization()]
      const [first, second] = [newAccessRequest(id, { level: 4 }), newAccessRequest(id, { level: 5 })]
      yield* Effect.forEach([first, newAccessRequest(other.id), second], requests.create)
      const page = yield* requests.list({ organization_id: id }, { limit: 1, cursor: undefined })
      assert.deepStrictEqual(page.items, [second])
      const rest = yield* requests.list({ organization_id: id }, { limit: 9, cursor: page.next_cursor ?? undefined })
      assert.deepStrictEqual(rest, { items: [first], next_cursor: null })
      for (const organization_id of [unique("org"), "", `${id}\u0000`, "\ud800"]) {
        assert.deepStrictEqual((yield* requests.list({ organization_id }, { limit: 9, cursor: undefined })).items, [])
      }
    })
  )

  it.effect("the list can be filtered by status, for all organizations or one, in either order", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organizations = yield* Effect.replicateEffect(storedOrganization(), 5)
      const made = organizations.map(({ id }) => newAccessRequest(id))
      yield* Effect.forEach(made, requests.create)
      const [first, second, ...others] = made.map(({ id }) => id)
      yield* requests.decide(first ?? "", approval())
      yield* requests.decide(second ?? "", { ...approval(), status: "rejected" })
      const found = (filter: AccessRequestFilter, order: PageOrder) =>
        Effect.map(
          readAll((page) => requests.list(filter, { ...page, order })),
          (items) => items.map(({ id }) => id).filter((id) => made.some((request) => request.id === id))
        )
      assert.deepStrictEqual(yield* found({ status: "pending" }, "oldest"), others)
      assert.deepStrictEqual(yield* found({ status: "pending" }, "newest"), others.toReversed())
      assert.deepStrictEqual(yield* found({ status: "approved" }, "oldest"), [first])
      assert.deepStrictEqual(yield* found({ status: "rejected" }, "newest"), [second])
      const organization_id = organizations[0]?.id ?? ""
      assert.deepStrictEqual(yield* found({ organization_id, status: "approved" }, "oldest"), [first])
      assert.deepStrictEqual(yield* found({ organization_id, status: "pending" }, "oldest"), [])
    })
  )

  it.effect("a page continues after requests that were decided meanwhile", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organizations = yield* Effect.replicateEffect(storedOrganization(), 4)
      const made = organizations.map(({ id }) => newAccessRequest(id))
      yield* Effect.forEach(made, requests.create)
      const pending = (page: PageRequest) => requests.list({ status: "pending" }, { ...page, order: "oldest" })
      const before = yield* readAll(pending)
      const page = yield* pending({ limit: before.length - 2, cursor: undefined })
      yield* requests.decide(made[1]?.id ?? "", approval())
      const rest = yield* pending({ limit: 9, cursor: page.next_cursor ?? undefined })
      assert.deepStrictEqual(rest.items, made.slice(2))
    })
  )
}

const addDecisionTests = (it: It): void => {
  it.effect("an approval raises the grant, and its note becomes the review note", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organization = yield* storedOrganization({}, { granted_level: 2, kyb_status: "verified" })
      const request = newAccessRequest(organization.id, { level: 5 })
      yield* requests.create(request)
      const decision = approval()
      assert.deepStrictEqual(yield* requests.decide(request.id, decision), { ...request, ...decision })
      assert.deepStrictEqual(yield* listed(request.id), { ...request, ...decision })
      assert.deepStrictEqual(yield* (yield* Organizations).get(organization.id), {
        ...organization,
        granted_level: 5,
        review_note: decision.note
      })
    })
  )

  it.effect("an approval never lowers a grant that was raised meanwhile", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const requests = yield* AccessRequests
      const { id } = yield* storedOrganization({}, { granted_level: 1 })
      const request = newAccessRequest(id, { level: 2 })
      yield* requests.create(request)
      yield* organizations.update(id, { granted_level: 4 })
      const decision = approval()
      yield* requests.decide(request.id, decision)
      assert.deepInclude(yield* organizations.get(id), { granted_level: 4, review_note: decision.note })
    })
  )

  it.effect("a rejection does not change the organization", () =>
    Effect.gen(function* () {
      const requests = yield* AccessRequests
      const organization = yield* storedOrganization({}, { review_note: "from before" })
      const request = newAccessRequest(organization.id)
      yield* requests.create(request)
      const decision: AccessDecision = { ...approval(), status: "rejected" }
      assert.deepStrictEqual(yield* requests.decide(request.id, decision), { ...request, ...decision })
      assert.deepStrictEqual(yield* (yield* Organizations).get(organization.id), organization)
    })
  )

  it.effect("a request is decided once; of two concurrent decisions one is a conflict", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const requests = yield* AccessRequests
      for (let round = 0; round < 10; round++) {
        const organization = yield* storedOrganization({}, { granted_level: 1 })
        const request = newAccessRequest(organization.id)
        yield* requests.create(request)
        const yes = approval()
        const no: AccessDecision = { ...approval(), status: "rejected" }
        const [approved, rejected] = yield* Effect.all(
          [succeededOrConflict(requests.decide(request.id, yes)), succeededOrConflict(requests.decide(request.id, no))],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(approved, !rejected)
        yield* failsWith(requests.decide(request.id, approval()), "Conflict")
        assert.deepStrictEqual(yield* listed(request.id), { ...request, ...(approved ? yes : no) })
        assert.propertyVal(yield* organizations.get(organization.id), "granted_level", approved ? 4 : 1)
      }
    })
  )
}

/** A request in the list. */
const listed = (id: string) =>
  Effect.flatMap(AccessRequests, ({ list }) =>
    Effect.map(
      readAll((page) => list({}, page)),
      (requests) => requests.find((request) => request.id === id)
    )
  )

const approval = (): AccessDecision => ({
  status: "approved",
  note: "seen their delivery contract",
  decided_at: nextTimestamp()
})

/** Whether an effect succeeded. Any failure but a conflict is a defect. */
const succeededOrConflict = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.matchEffect(effect, {
    onSuccess: () => Effect.succeed(true),
    onFailure: (error) => Effect.as(failsWith(Effect.fail(error), "Conflict" as E["_tag"]), false)
  })
