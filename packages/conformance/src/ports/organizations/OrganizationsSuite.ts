/** Conformance suite of the port `Organizations`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { environments } from "@postcode/core/Credits"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type {
  KybSubmission,
  Organization,
  OrganizationFilter,
  OrganizationStatus,
  StatusChange
} from "@postcode/gateway/organizations/Organization"
import { type OrganizationPatch, Organizations } from "@postcode/gateway/organizations/Organizations"
import type { PageOrder, PageRequest } from "@postcode/gateway/Page"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPagingInBothOrders, readAll, wholeList } from "../../fixtures/Paging.ts"
import { newOrganization, nextTimestamp, storedOrganization, unique } from "../../fixtures/Records.ts"

/** Registers the tests of the port `Organizations`. */
export const organizationsSuite = <E>(name: string, adapter: Layer.Layer<Organizations | CreditLedger, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Organizations ${name}`, (it) => {
    it.effect("an organization is returned as stored, with and without a review", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const reviewed: Partial<Organization> = {
          rate_limit_per_minute: 90,
          review_note: "visited on 3 February",
          kyb_status: "verified",
          kyb_submission: newSubmission()
        }
        for (const fields of [{}, reviewed]) {
          const organization = newOrganization(fields)
          yield* organizations.create(organization, { test: 0, live: 0 })
          assert.deepStrictEqual(yield* organizations.get(organization.id), organization)
        }
      })
    )

    addOpeningTests(it)
    addUpdateTests(it)
    addFilterTests(it)
    addNameTests(it)
    addKybTests(it)
    addStatusTests(it)

    it.effect("an unknown organization is not found and not changed", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const id = unique("org")
        yield* failsWith(organizations.get(id), "NotFound")
        yield* failsWith(organizations.update(id, { name: "Ghost" }), "NotFound")
        yield* failsWith(organizations.get(id), "NotFound")
      })
    )

    it.effect("the list is paged in either order", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const list = (page: PageRequest) => organizations.list({}, page)
        const made = yield* Effect.replicateEffect(storedOrganization(), 5)
        const ids = made.map(({ id }) => id)
        const context = yield* Effect.context<Organizations>()
        const add = Effect.provideContext(storedOrganization(), context)
        yield* checkPagingInBothOrders({ list, idOf: ({ id }) => id, ids, isPrivate: false, add })
      })
    )
  })

type It = Vitest.MethodsNonLive<Organizations | CreditLedger>

const addUpdateTests = (it: It): void => {
  it.effect("an update changes only the fields of the patch, and returns the organization", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const patches: ReadonlyArray<OrganizationPatch> = [
        { name: "Dangote Logistics" },
        { granted_level: 5, review_note: "seen in person" },
        { kyb_status: "rejected", review_note: "another number" },
        { kyb_status: "pending" },
        { granted_level: 1 },
        { review_note: "shortened" },
        {}
      ]
      let expected: Organization = yield* storedOrganization()
      for (const patch of patches) {
        expected = { ...expected, ...patch } as Organization
        assert.deepStrictEqual(yield* organizations.update(expected.id, patch), expected)
        assert.deepStrictEqual(yield* organizations.get(expected.id), expected)
      }
    })
  )

  it.effect("a rate limit is set, changed, and removed with null", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const organization = yield* storedOrganization()
      const { id } = organization
      for (const rate_limit_per_minute of [60, 12_000, 1]) {
        const limited = { ...organization, rate_limit_per_minute }
        assert.deepStrictEqual(yield* organizations.update(id, { rate_limit_per_minute }), limited)
        assert.deepStrictEqual(yield* organizations.update(id, {}), limited)
        assert.deepStrictEqual(yield* organizations.get(id), limited)
      }
      assert.deepStrictEqual(yield* organizations.update(id, { rate_limit_per_minute: null }), organization)
      assert.deepStrictEqual(yield* organizations.get(id), organization)
    })
  )

  it.effect("concurrent changes of different fields are all kept", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* storedOrganization()
      const patches: ReadonlyArray<OrganizationPatch> = [
        { name: "Renamed" },
        { granted_level: 4 },
        { kyb_status: "verified" },
        { review_note: "noted" }
      ]
      const updates = Array.from({ length: 40 }, (_, i) => organizations.update(id, patches[i % 4] ?? {}))
      yield* Effect.all(updates, { concurrency: "unbounded" })
      assert.deepInclude(yield* organizations.get(id), Object.assign({}, ...patches) as Organization)
    })
  )
}

const addRenameTests = (it: It): void => {
  it.effect(
    "a verified organization has the name of its verification once it is renamed, until it is verified again",
    () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const { id, name: created } = yield* storedOrganization()
        const steps: ReadonlyArray<[OrganizationPatch, string | undefined]> = [
          [{ name: "Before" }, undefined],
          [{ kyb_status: "verified" }, undefined],
          [{ name: "Bank of Example" }, "Before"],
          [{ granted_level: 2 }, "Before"],
          [{ name: "Third" }, "Before"],
          [{ name: "Before" }, undefined],
          [{ name: "Third" }, "Before"],
          [{ kyb_status: "verified" }, undefined],
          [{ name: "Fourth" }, "Third"],
          [{ kyb_status: "rejected" }, undefined],
          [{ name: "Fifth" }, undefined],
          [{ kyb_status: "verified", name: "Sixth" }, undefined],
          [{ name: created }, "Sixth"]
        ]
        for (const [patch, verified_name] of steps) {
          const changed = yield* organizations.update(id, patch)
          assert.strictEqual(changed.verified_name, verified_name, JSON.stringify(patch))
          assert.deepStrictEqual(yield* organizations.get(id), changed)
        }
        const renamed = newOrganization({ kyb_status: "verified", verified_name: "Before" })
        yield* organizations.create(renamed, { test: 0, live: 0 })
        assert.deepStrictEqual(yield* organizations.get(renamed.id), renamed)
      })
  )
}

const addOpeningTests = (it: It): void => {
  it.effect("an organization starts with both balances; opening credits are the first entry", () =>
    Effect.gen(function* () {
      const ledger = yield* CreditLedger
      const { id: organization_id } = yield* storedOrganization({ test: 1_000, live: 7 })
      for (const environment of environments) {
        const opening = environment === "test" ? 1_000 : 7
        const { balance, entries } = yield* ledger.statement({ organization_id, environment }, wholeList)
        assert.strictEqual(balance, opening)
        assert.strictEqual(entries.items.length, 1)
        assert.deepInclude(entries.items[0], {
          amount: opening,
          reason: "opening",
          reference: organization_id,
          balance_after: opening
        })
      }
    })
  )

  it.effect("a balance that opens with 0 has no entry", () =>
    Effect.gen(function* () {
      const { id: organization_id } = yield* storedOrganization()
      for (const environment of environments) {
        const statement = yield* (yield* CreditLedger).statement({ organization_id, environment }, wholeList)
        assert.deepStrictEqual(statement, {
          balance: 0,
          low_balance_threshold: null,
          archived: null,
          entries: { items: [], next_cursor: null }
        })
      }
    })
  )
}

const addNameTests = (it: It): void => {
  it.effect("a searched text may be short, in any script, and anywhere in a name, also in a new one", () =>
    Effect.gen(function* () {
      const { update } = yield* Organizations
      const mark = unique("")
      const named = (name: string) => storedOrganization({}, { name: `${mark} ${name}` })
      const [short, arabic, pair] = [
        yield* named("\u0152\u0141"),
        yield* named("\u0628\u0631\u064a\u062f"),
        yield* named("\ud83d\udce6")
      ]
      const found = (name: string) =>
        Effect.map(listed({ name }), (items) => items.filter(({ name }) => name.includes(mark)))
      const cases: ReadonlyArray<readonly [string, typeof short]> = [
        ["\u0152", short],
        ["\u0152\u0141", short],
        [" \u0152\u0141", short],
        ["\u0631", arabic],
        ["\u0628\u0631", arabic],
        ["\u0628\u0631\u064a\u062f", arabic],
        ["\ud83d\udce6", pair],
        [` \ud83d\udce6`, pair],
        [`${mark} \ud83d\udce6`, pair]
      ]
      for (const [name, organization] of cases) assert.deepStrictEqual(yield* found(name), [organization], name)
      for (const name of ["\u0141\u0152", `${mark}\u0152`]) assert.deepStrictEqual(yield* found(name), [], name)
      const renamed = yield* update(short.id, { name: `${mark} \u0398\u03a9` })
      for (const name of ["\u0398", "\u0398\u03a9"]) assert.deepStrictEqual(yield* found(name), [renamed], name)
      assert.deepStrictEqual(yield* found("\u0152\u0141"), [])
      assert.includeDeepMembers([...(yield* listed({ name: "\u0301" }))], [renamed, arabic, pair])
    })
  )

  it.effect("no character of a searched name is a wildcard", () =>
    Effect.gen(function* () {
      const mark = unique("x")
      const made = yield* Effect.forEach(["100%_a\\b", "100 a", "it's [a-z]+.*"], (name) =>
        storedOrganization({}, { name: `${mark} ${name}` })
      )
      const percent = made.slice(0, 1)
      assert.deepStrictEqual(yield* listed({ name: `${mark} 100%_` }), percent)
      assert.deepStrictEqual(yield* listed({ name: `${mark} 100%_A\\B` }), percent)
      assert.deepStrictEqual(yield* listed({ name: `${mark} IT'S [a-z]+.*` }), made.slice(2))
      for (const name of [`${mark} %`, `${mark} .`, `${mark}\u0000`, "\ud800"]) {
        assert.deepStrictEqual(yield* listed({ name }), [], name)
      }
    })
  )
}

const addFilterTests = (it: It): void => {
  it.effect("the list can be filtered by KYB status, a part of the name, or both", () =>
    Effect.gen(function* () {
      // The random part must not contain the searched name.
      const mark = unique("Parcels").replaceAll("ko", "k0")
      const eko = yield* storedOrganization(
        {},
        { name: `\u1eb8\u0300k\u1ecd\u0301 ${mark} Ltd`, kyb_status: "pending" }
      )
      const kano = yield* storedOrganization({}, { name: `Kano ${mark}`, kyb_status: "pending" })
      const verified = yield* storedOrganization({}, { name: `EKO ${mark}`, kyb_status: "verified" })
      yield* storedOrganization({}, { name: `Eko ${unique("Freight")}`, kyb_status: "pending" })
      const found = (filter: OrganizationFilter, order: PageOrder = "oldest") =>
        Effect.map(listed(filter, order), (items) => items.filter(({ name }) => name.includes(mark)))
      assert.deepStrictEqual(yield* found({}), [eko, kano, verified])
      assert.deepStrictEqual(yield* found({}, "newest"), [verified, kano, eko])
      assert.deepStrictEqual(yield* found({ kyb_status: "pending" }), [eko, kano])
      assert.deepStrictEqual(yield* found({ kyb_status: "pending" }, "newest"), [kano, eko])
      for (const name of ["eko", "EKO", "\u1eb9k\u1ecd", "\u1eb8\u0300K\u1ecc\u0301 pARCELS", "ko parcels"]) {
        assert.deepStrictEqual(yield* found({ name }), [eko, verified], name)
        assert.deepStrictEqual(yield* found({ name, kyb_status: "pending" }), [eko], name)
      }
      assert.deepStrictEqual(yield* found({ name: mark.toUpperCase() }), [eko, kano, verified])
    })
  )

  it.effect("the list can be filtered by status, also together with the others", () =>
    Effect.gen(function* () {
      const name = unique("Parcels")
      const made = (status: OrganizationStatus) =>
        storedOrganization({}, { name, ...(status !== "active" && changeTo(status)), kyb_status: "pending" })
      const active = yield* made("active")
      const suspended = yield* made("suspended")
      const closed = yield* made("closed")
      const other = yield* made("suspended")
      assert.deepStrictEqual(yield* listed({ name, status: "active" }), [active])
      assert.deepStrictEqual(yield* listed({ name, status: "suspended" }), [suspended, other])
      assert.deepStrictEqual(yield* listed({ name, status: "suspended" }, "newest"), [other, suspended])
      assert.deepStrictEqual(yield* listed({ name, status: "closed", kyb_status: "pending" }), [closed])
      assert.deepStrictEqual(yield* listed({ name, status: "closed", kyb_status: "verified" }), [])
      const every = yield* listed({ status: "closed" })
      assert.isTrue(every.some(({ id }) => id === closed.id))
      assert.isTrue(every.every(({ status }) => status === "closed"))
    })
  )

  it.effect("a filtered list is paged, and a page continues after organizations that no longer match", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const name = unique("Paged")
      const made = yield* Effect.replicateEffect(storedOrganization({}, { name, kyb_status: "pending" }), 5)
      const list = (page: PageRequest) => organizations.list({ name, kyb_status: "pending" }, page)
      const add = organizations.create(newOrganization({ name, kyb_status: "pending" }), { test: 0, live: 0 })
      const ids = made.map(({ id }) => id)
      yield* checkPagingInBothOrders({ list, idOf: ({ id }) => id, ids, isPrivate: true, add })
      const page = yield* list({ limit: 2, cursor: undefined, order: "oldest" })
      yield* organizations.update(ids[1] ?? "", { kyb_status: "verified" })
      const rest = yield* list({ limit: 2, cursor: page.next_cursor ?? undefined, order: "oldest" })
      assert.deepStrictEqual(rest.items, made.slice(2, 4))
    })
  )
}

const addKybTests = (it: It): void => {
  addRenameTests(it)

  it.effect("a submission is stored, sets the status to pending, and replaces the previous one", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      for (const kyb_status of ["unverified", "rejected"] as const) {
        const stored = yield* storedOrganization({}, { kyb_status, review_note: "from before" })
        for (const kyb_submission of [
          newSubmission(),
          newSubmission({ note: "as of \u1eccj\u1ecd\u0301b\u1ecd\u0300" })
        ]) {
          const expected: Organization = { ...stored, kyb_status: "pending", kyb_submission }
          assert.deepStrictEqual(yield* organizations.submitKyb(stored.id, kyb_submission), expected)
          assert.deepStrictEqual(yield* organizations.get(stored.id), expected)
          yield* organizations.update(stored.id, { kyb_status: "rejected" })
        }
      }
    })
  )

  it.effect("a pending or verified organization keeps its submission", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      for (const kyb_status of ["pending", "verified"] as const) {
        const stored = yield* storedOrganization({}, { kyb_status, kyb_submission: newSubmission() })
        yield* failsWith(organizations.submitKyb(stored.id, newSubmission()), "Conflict")
        assert.deepStrictEqual(yield* organizations.get(stored.id), stored)
      }
      yield* failsWith(organizations.submitKyb(unique("org"), newSubmission()), "NotFound")
    })
  )

  it.effect("of concurrent submissions one is stored", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* storedOrganization()
      const submissions = Array.from({ length: 20 }, () => newSubmission())
      const taken = yield* Effect.forEach(
        submissions,
        (submission) =>
          Effect.match(organizations.submitKyb(id, submission), {
            onSuccess: ({ kyb_submission }) => kyb_submission,
            onFailure: () => undefined
          }),
        { concurrency: "unbounded" }
      )
      const [kyb_submission, ...others] = taken.filter((submission) => submission !== undefined)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual((yield* organizations.get(id)).kyb_submission, kyb_submission)
    })
  )
}

const addStatusTests = (it: It): void => {
  it.effect("a change of the status is stored with its reason and time; repeating it changes nothing", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      let organization = yield* storedOrganization({}, { review_note: "from before" })
      for (const status of ["suspended", "active", "suspended", "closed"] as const) {
        const change = changeTo(status)
        organization = { ...organization, ...change }
        const changed = yield* organizations.changeStatus(organization.id, change)
        assert.deepStrictEqual(changed, { organization, repeated: false, revoked_keys: 0 })
        const again = yield* organizations.changeStatus(organization.id, changeTo(status))
        assert.deepStrictEqual(again, { organization, repeated: true, revoked_keys: 0 })
        assert.deepStrictEqual(yield* organizations.get(organization.id), organization)
      }
    })
  )

  it.effect("an active organization is not closed, and a closed one stays closed", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const active = yield* storedOrganization()
      yield* failsWith(organizations.changeStatus(active.id, changeTo("closed")), "Conflict")
      assert.deepStrictEqual(yield* organizations.get(active.id), active)
      const closed = yield* storedOrganization({}, changeTo("closed"))
      assert.deepStrictEqual(yield* organizations.get(closed.id), closed)
      for (const status of ["active", "suspended"] as const) {
        yield* failsWith(organizations.changeStatus(closed.id, changeTo(status)), "Conflict")
        assert.deepStrictEqual(yield* organizations.get(closed.id), closed)
      }
      yield* failsWith(organizations.changeStatus(unique("org"), changeTo("suspended")), "NotFound")
    })
  )

  it.effect("of concurrent changes to one status, one counts", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* storedOrganization()
      const changes = Array.from({ length: 20 }, () => changeTo("suspended"))
      const results = yield* Effect.forEach(changes, (change) => organizations.changeStatus(id, change), {
        concurrency: "unbounded"
      })
      assert.strictEqual(results.filter(({ repeated }) => !repeated).length, 1)
      const organization = yield* organizations.get(id)
      for (const result of results) assert.deepStrictEqual(result.organization, organization)
    })
  )
}

const changeTo = (status: OrganizationStatus): StatusChange => ({
  status,
  status_reason: unique("reason"),
  status_changed_at: nextTimestamp()
})

const newSubmission = (fields: Partial<KybSubmission> = {}): KybSubmission => ({
  business_name: "Dangote Parcels Ltd",
  registration_number: unique("RC"),
  submitted_at: nextTimestamp(),
  ...fields
})

const listed = (filter: OrganizationFilter, order: PageOrder = "oldest") =>
  Effect.flatMap(Organizations, ({ list }) => readAll((page) => list(filter, { ...page, order })))
