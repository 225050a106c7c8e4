/** Conformance suite of the port `Accounts`. Initially the store has no operator. */
import { assert, layer, type Vitest } from "@effect/vitest"
import type { Account, Invitation } from "@postcode/gateway/accounts/Account"
import { Accounts, type NewAccount } from "@postcode/gateway/accounts/Accounts"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPaging, readAll } from "../../fixtures/Paging.ts"
import { nextTimestamp, storedOrganization, unique } from "../../fixtures/Records.ts"

type Ports = Accounts | Organizations

/** Registers the tests of the port `Accounts`. */
export const accountsSuite = <E>(name: string, adapter: Layer.Layer<Ports, E>): void =>
  layer(adapter, { excludeTestServices: true })(`Accounts ${name}`, (it) => {
    addClaimTests(it)
    addInvitationTests(it)
    addInvitationRaces(it)
    addAccountTests(it)
    addLastOnesTests(it)
  })

const addClaimTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("of all claims of an instance at the same time, one creates its operator, and all later claims fail", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      assert.isFalse(yield* accounts.hasOperator())
      const claims = yield* Effect.replicateEffect(invited({ role: "operator", is_claim: true }), 3)
      const outcomes = yield* Effect.forEach(
        [...claims, ...claims, ...claims],
        ({ hash }) => outcomeOf(accounts.accept(hash, newAccount(), now)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(outcomes.toSorted(), [...Array.from({ length: 8 }, () => "NotFound"), "done"])
      assert.isTrue(yield* accounts.hasOperator())
      assert.lengthOf(yield* readAll((page) => accounts.list({ organization_id: undefined }, page)), 1)
      for (const { hash } of claims) assert.isUndefined(yield* accounts.invitationOf(hash, now))
      // Created by a replica just before the first operator existed.
      const late = yield* invited({ role: "operator", is_claim: true })
      assert.isUndefined(yield* accounts.invitationOf(late.hash, now))
      assert.deepStrictEqual(
        yield* readAll((page) => accounts.invitations({ organization_id: undefined }, now, page)),
        []
      )
      yield* failsWith(accounts.accept(late.hash, newAccount(), now), "NotFound")
      const regular = yield* invited({ role: "operator" })
      yield* accounts.accept(regular.hash, newAccount(), now)
    })
  )
}

const addInvitationTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("an invitation creates one account, with its role and organization, also if accepted concurrently", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { organization_id } = yield* anOrganization
      const { hash, invitation } = yield* invited({ organization_id, role: "developer" })
      assert.deepStrictEqual(yield* accounts.invitationOf(hash, now), invitation)
      assert.deepStrictEqual(yield* accounts.invitation(invitation.id), invitation)
      const people = Array.from({ length: 8 }, () => newAccount())
      const outcomes = yield* Effect.forEach(people, (person) => outcomeOf(accounts.accept(hash, person, now)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(outcomes.toSorted(), [...Array.from({ length: 7 }, () => "NotFound"), "done"])
      const { password, ...winner } = people[outcomes.indexOf("done")] as NewAccount
      const account = { ...winner, role: "developer", organization_id }
      assert.deepStrictEqual(yield* accounts.find(winner.id), { account, password, epoch: 1 } as never)
      assert.deepStrictEqual(yield* accounts.findByEmail(winner.email), { account, password, epoch: 1 } as never)
      yield* failsWith(accounts.invitation(invitation.id), "NotFound")
    })
  )

  it.effect("an email has one account; accepting an invitation for it fails, and the invitation stays valid", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const first = yield* member("owner")
      const { hash } = yield* invited({ organization_id: first.organization_id, role: "owner" })
      const again = newAccount({ email: first.account.email })
      yield* failsWith(accounts.accept(hash, again, now), "Conflict")
      yield* failsWith(accounts.find(again.id), "NotFound")
      yield* accounts.accept(hash, newAccount(), now)
    })
  )

  it.effect("an expired or withdrawn invitation is invalid, and one of an unknown organization is not stored", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { organization_id } = yield* anOrganization
      const { hash, invitation } = yield* invited({ organization_id })
      for (const late of [invitation.expires_at, "2031-01-01T00:00:00.000Z"]) {
        assert.isUndefined(yield* accounts.invitationOf(hash, late))
        yield* failsWith(accounts.accept(hash, newAccount(), late), "NotFound")
        assert.deepStrictEqual(yield* readAll((page) => accounts.invitations({ organization_id }, late, page)), [])
      }
      yield* accounts.withdraw(invitation.id)
      yield* failsWith(accounts.withdraw(invitation.id), "NotFound")
      yield* failsWith(accounts.accept(hash, newAccount(), now), "NotFound")
      yield* failsWith(accounts.accept(unique("hash"), newAccount(), now), "NotFound")
      const nowhere = newInvitation({ organization_id: unique("org"), role: "owner" })
      yield* failsWith(accounts.invite(nowhere, unique("hash")), "NotFound")
      yield* failsWith(accounts.invitation(nowhere.id), "NotFound")
    })
  )

  it.effect("the list of an organization's invitations has only its own, newest first", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { organization_id } = yield* anOrganization
      const made = yield* Effect.replicateEffect(invited({ organization_id }), 5)
      yield* invited({ organization_id: (yield* anOrganization).organization_id })
      yield* invited({ role: "operator" })
      yield* checkPaging({
        list: (page) => accounts.invitations({ organization_id }, now, page),
        idOf: ({ id }) => id,
        ids: made.map(({ invitation }) => invitation.id),
        isPrivate: true,
        add: Effect.provide(invited({ organization_id }), yield* Effect.context<Ports>())
      })
    })
  )
}

const addInvitationRaces = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("an invitation that is withdrawn while it is accepted is either accepted or withdrawn, never both", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { organization_id } = yield* anOrganization
      for (let round = 0; round < 10; round++) {
        const { hash, invitation } = yield* invited({ organization_id })
        const outcomes = yield* Effect.all(
          [outcomeOf(accounts.accept(hash, newAccount(), now)), outcomeOf(accounts.withdraw(invitation.id))],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["NotFound", "done"])
      }
    })
  )

  it.effect("an account that is removed or changes its role leaves no invitation that it was creating", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("owner")
      const { account: other } = yield* member("owner", organization_id)
      const inviteAs = ({ id }: Account) =>
        accounts.invite(newInvitation({ organization_id, created_by: id }), unique("hash"), { id, role: "owner" })
      yield* inviteAs(account)
      const invitations = Array.from({ length: 4 }, () => outcomeOf(inviteAs(account)))
      yield* Effect.all([...invitations, outcomeOf(accounts.remove(account.id))], { concurrency: "unbounded" })
      yield* failsWith(inviteAs(account), "InvalidToken")
      yield* member("owner", organization_id)
      const demotion = accounts.change(other.id, { role: "billing", ...endsAll })
      yield* Effect.all([outcomeOf(inviteAs(other)), outcomeOf(demotion)], { concurrency: "unbounded" })
      yield* failsWith(inviteAs(other), "InvalidToken")
      const left = yield* readAll((page) => accounts.invitations({ organization_id }, now, page))
      assert.deepStrictEqual(left, [])
    })
  )
}

const addAccountTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("the list of an organization's members has only its own, newest first, without removed ones", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { organization_id } = yield* anOrganization
      const made = yield* Effect.replicateEffect(member("developer", organization_id), 6)
      yield* member("developer")
      const [gone, ...others] = made.map(({ account }) => account.id)
      yield* accounts.remove(gone as string)
      yield* checkPaging({
        list: (page) => accounts.list({ organization_id }, page),
        idOf: ({ id }) => id,
        ids: others,
        isPrivate: true,
        add: Effect.provide(member("billing", organization_id), yield* Effect.context<Ports>())
      })
    })
  )

  it.effect("a change affects only its fields, and ends sessions and invitations only if requested", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("developer")
      const { invitation } = yield* invited({ organization_id, created_by: account.id })
      const keep = { ends_sessions: false, withdraws_invitations: false }
      const before = yield* accounts.find(account.id)
      const renamed = yield* accounts.change(account.id, { name: "Bola", ...keep })
      assert.deepStrictEqual(renamed, { ...before, account: { ...account, name: "Bola" } })
      const { epoch, password } = yield* accounts.change(account.id, {
        password: "other",
        ...keep,
        ends_sessions: true
      })
      assert.deepStrictEqual([epoch, password], [before.epoch + 1, "other"])
      assert.deepStrictEqual(yield* accounts.invitation(invitation.id), invitation)
      const promoted = yield* accounts.change(account.id, { role: "owner", ...keep, withdraws_invitations: true })
      assert.deepStrictEqual(promoted, yield* accounts.find(account.id))
      assert.deepStrictEqual(promoted.account, { ...account, name: "Bola", role: "owner" })
      yield* failsWith(accounts.invitation(invitation.id), "NotFound")
      yield* failsWith(accounts.change(unique("acc"), { name: "Nobody", ...keep }), "NotFound")
    })
  )

  it.effect("of two changes that end the same sessions, one succeeds", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, epoch } = yield* member("owner")
      const change = (password: string) =>
        accounts.change(account.id, { password, epoch, ends_sessions: true, withdraws_invitations: false })
      const passwords = ["first", "second"]
      const outcomes = yield* Effect.forEach(passwords, (it) => outcomeOf(change(it)), { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.toSorted(), ["NotFound", "done"])
      const after = yield* accounts.find(account.id)
      assert.deepStrictEqual([after.epoch, after.password], [epoch + 1, passwords[outcomes.indexOf("done")]])
      yield* failsWith(change("third"), "NotFound")
      assert.deepStrictEqual(yield* accounts.find(account.id), after)
    })
  )

  it.effect("a removed account leaves nothing: its email is free, and its invitations are withdrawn", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("billing")
      const { hash, invitation } = yield* invited({ organization_id, created_by: account.id })
      yield* accounts.remove(account.id)
      yield* failsWith(accounts.find(account.id), "NotFound")
      yield* failsWith(accounts.remove(account.id), "NotFound")
      assert.isUndefined(yield* accounts.findByEmail(account.email))
      yield* failsWith(accounts.invitation(invitation.id), "NotFound")
      yield* failsWith(accounts.accept(hash, newAccount(), now), "NotFound")
      const again = yield* invited({ organization_id })
      yield* accounts.accept(again.hash, newAccount({ email: account.email }), now)
    })
  )
}

const addLastOnesTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("an organization's last owner stays an owner, with any other members", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("owner")
      yield* member("developer", organization_id)
      yield* member("owner")
      const before = yield* accounts.find(account.id)
      yield* failsWith(accounts.remove(account.id), "Conflict")
      yield* failsWith(accounts.change(account.id, { role: "billing", ...endsAll }), "Conflict")
      assert.deepStrictEqual(yield* accounts.find(account.id), before)
      yield* accounts.change(account.id, { role: "owner", ...endsAll })
    })
  )

  it.effect("of two owners that leave at the same time, in any way, one stays", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      for (let round = 0; round < 10; round++) {
        const first = yield* member("owner")
        const second = yield* member("owner", first.organization_id)
        const outcomes = yield* Effect.all(
          [
            outcomeOf(accounts.remove(first.account.id)),
            outcomeOf(accounts.change(second.account.id, { role: "developer", ...endsAll }))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["Conflict", "done"])
      }
    })
  )

  it.effect("the last operator stays, also if all leave at the same time, and cannot get another role", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { hash } = yield* invited({ role: "operator" })
      const { account } = yield* accounts.accept(hash, newAccount(), now)
      yield* failsWith(accounts.change(account.id, { role: "owner", ...endsAll }), "Conflict")
      const all = yield* readAll((page) => accounts.list({ organization_id: undefined }, page))
      assert.isAbove(all.length, 1)
      yield* Effect.forEach(all, ({ id }) => outcomeOf(accounts.remove(id)), { concurrency: "unbounded" })
      const [last, ...others] = yield* readAll((page) => accounts.list({ organization_id: undefined }, page))
      assert.deepStrictEqual(others, [])
      assert.isTrue(yield* accounts.hasOperator())
      yield* failsWith(accounts.remove(last?.id ?? ""), "Conflict")
    })
  )
}

const now = "2026-02-01T00:00:00.000Z"
const endsAll = { ends_sessions: true, withdraws_invitations: true }

/** An invitation with these fields overridden. */
export const newInvitation = (fields: Partial<Invitation> = {}): Invitation => ({
  id: unique("inv"),
  role: fields.role ?? "developer",
  created_by: "operator",
  created_at: nextTimestamp(),
  // After all timestamps of the suites.
  expires_at: "2030-03-01T00:00:00.000Z",
  is_claim: false,
  ...(fields.is_claim !== true && { email: `${unique("bisi").toLowerCase()}@people.example` }),
  ...fields
})

/** An account with these fields overridden. */
export const newAccount = (fields: Partial<NewAccount> = {}): NewAccount => ({
  id: unique("acc"),
  email: `${unique("ada").toLowerCase()}@people.example`,
  name: "Ada",
  created_at: nextTimestamp(),
  password: unique("$argon2id$"),
  ...fields
})

const invited = Effect.fnUntraced(function* (fields: Partial<Invitation>) {
  const invitation = newInvitation(fields)
  const hash = unique("hash")
  yield* (yield* Accounts).invite(invitation, hash)
  return { invitation, hash }
})

const anOrganization = Effect.map(storedOrganization(), ({ id }) => ({ organization_id: id }))

/** A member in a role, by default of a new organization. */
export const member = Effect.fnUntraced(function* (role: Invitation["role"], of?: string) {
  const organization_id = of ?? (yield* storedOrganization()).id
  const { hash } = yield* invited({ role, organization_id })
  const { account, epoch } = yield* (yield* Accounts).accept(hash, newAccount(), now)
  return { account, epoch, organization_id }
})

/** An operator. */
export const operatorAccount = Effect.gen(function* () {
  const { hash } = yield* invited({ role: "operator" })
  return (yield* (yield* Accounts).accept(hash, newAccount(), now)).account
})

const outcomeOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })
