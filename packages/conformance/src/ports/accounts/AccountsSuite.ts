/** Conformance suite of the port `Accounts`. Initially the store has no operator. */
import { assert, layer, type Vitest } from "@effect/vitest"
import {
  type Account,
  type Invitation,
  maxMemberships,
  memberOf,
  membershipIn
} from "@postcode/gateway/accounts/Account"
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
    addEndingTests(it)
    addMembershipTests(it)
    addDepartureTests(it)
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
      const memberships = [{ organization_id, role: "developer", joined_at: now }]
      const account = { ...winner, is_operator: false, memberships }
      assert.deepStrictEqual(yield* accounts.find(winner.id), { account, password, epoch: 1 } as never)
      assert.deepStrictEqual(yield* accounts.findByEmail(winner.email), { account, password, epoch: 1 } as never)
      assert.strictEqual(yield* accounts.idOfEmail(winner.email), winner.id)
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
        accounts.invite(newInvitation({ organization_id, created_by: id }), unique("hash"), {
          id,
          organization_id,
          role: "owner"
        })
      yield* inviteAs(account)
      const invitations = Array.from({ length: 4 }, () => outcomeOf(inviteAs(account)))
      yield* Effect.all([...invitations, outcomeOf(accounts.remove(account.id))], { concurrency: "unbounded" })
      yield* failsWith(inviteAs(account), "InvalidToken")
      yield* member("owner", organization_id)
      const demotion = accounts.changeRole(other.id, organization_id, "billing")
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

  it.effect("a change affects only its fields, and ends sessions only if requested", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account } = yield* member("developer")
      const before = yield* accounts.find(account.id)
      const renamed = yield* accounts.change(account.id, { name: "Bola", ends_sessions: false })
      assert.deepStrictEqual(renamed, { ...before, account: { ...account, name: "Bola" } })
      const { epoch, password } = yield* accounts.change(account.id, { password: "other", ends_sessions: true })
      assert.deepStrictEqual([epoch, password], [before.epoch + 1, "other"])
      yield* failsWith(accounts.change(unique("acc"), { name: "Nobody", ends_sessions: false }), "NotFound")
    })
  )

  it.effect("a change of role is of one organization, withdraws the invitations to it, and ends no session", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, epoch, organization_id } = yield* member("developer")
      const { organization_id: other } = yield* anOrganization
      yield* accounts.addMember(account.id, { organization_id: other, role: "developer", joined_at: now })
      const { invitation } = yield* invited({ organization_id, created_by: account.id })
      const { invitation: kept } = yield* invited({ organization_id: other, created_by: account.id })
      const promoted = yield* accounts.changeRole(account.id, organization_id, "owner")
      const after = yield* accounts.find(account.id)
      assert.strictEqual(after.epoch, epoch)
      assert.deepStrictEqual(promoted, memberOf(after.account, membershipIn(after.account, organization_id)))
      assert.deepStrictEqual(
        after.account.memberships.map(({ role }) => role),
        ["owner", "developer"]
      )
      yield* failsWith(accounts.invitation(invitation.id), "NotFound")
      assert.deepStrictEqual(yield* accounts.invitation(kept.id), kept)
      const { organization_id: foreign } = yield* anOrganization
      yield* failsWith(accounts.changeRole(account.id, foreign, "owner"), "NotFound")
      yield* failsWith(accounts.changeRole(unique("acc"), organization_id, "owner"), "NotFound")
    })
  )
}

const addEndingTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("of two changes that end the same sessions, one succeeds", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, epoch } = yield* member("owner")
      const change = (password: string) => accounts.change(account.id, { password, epoch, ends_sessions: true })
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
      assert.isUndefined(yield* accounts.idOfEmail(account.email))
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
      yield* failsWith(accounts.changeRole(account.id, organization_id, "billing"), "Conflict")
      yield* failsWith(accounts.leave(account.id, organization_id), "Conflict")
      assert.deepStrictEqual(yield* accounts.find(account.id), before)
      yield* accounts.changeRole(account.id, organization_id, "owner")
    })
  )

  it.effect("of three owners that leave at the same time, each in another way, one stays", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      for (let round = 0; round < 10; round++) {
        const first = yield* member("owner")
        const { organization_id } = first
        const [second, third] = [yield* member("owner", organization_id), yield* member("owner", organization_id)]
        const outcomes = yield* Effect.all(
          [
            outcomeOf(accounts.remove(first.account.id)),
            outcomeOf(accounts.changeRole(second.account.id, organization_id, "developer")),
            outcomeOf(accounts.leave(third.account.id, organization_id))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["Conflict", "done", "done"])
      }
    })
  )

  it.effect("an account that is the last owner of one of its organizations cannot be removed", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("owner")
      yield* member("owner", organization_id)
      const { organization_id: own } = yield* anOrganization
      yield* accounts.addMember(account.id, { organization_id: own, role: "owner", joined_at: now })
      yield* failsWith(accounts.remove(account.id), "Conflict")
      assert.lengthOf((yield* accounts.find(account.id)).account.memberships, 2)
    })
  )

  it.effect("the last operator stays, also if all leave at the same time", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { hash } = yield* invited({ role: "operator" })
      yield* accounts.accept(hash, newAccount(), now)
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

const addMembershipTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("an account joins by an invitation to its address, once, also if accepted concurrently", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account } = yield* member("owner")
      const { organization_id } = yield* anOrganization
      const { hash } = yield* invited({ organization_id, role: "billing", email: account.email })
      const joining = Array.from({ length: 4 }, () => outcomeOf(accounts.join(hash, account.id, now)))
      const outcomes = yield* Effect.all(joining, { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.toSorted(), ["NotFound", "NotFound", "NotFound", "done"])
      const { memberships } = (yield* accounts.find(account.id)).account
      assert.deepStrictEqual(memberships, [
        ...account.memberships,
        { organization_id, role: "billing", joined_at: now }
      ])
      const listed = yield* readAll((page) => accounts.list({ organization_id }, page))
      assert.deepStrictEqual(listed, [memberOf(account, memberships[1])])
    })
  )

  it.effect("an invitation stays valid if the account is not the invited one, or belongs to it already", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("billing")
      const { account: other } = yield* member("owner", organization_id)
      const { hash } = yield* invited({ organization_id, role: "owner", email: account.email })
      yield* failsWith(accounts.join(hash, other.id, now), "Conflict")
      yield* failsWith(accounts.join(hash, account.id, now), "Conflict")
      yield* failsWith(accounts.join(hash, unique("acc"), now), "NotFound")
      yield* failsWith(accounts.join(unique("hash"), account.id, now), "NotFound")
      assert.isDefined(yield* accounts.invitationOf(hash, now))
      assert.deepStrictEqual((yield* accounts.find(account.id)).account, account)
    })
  )

  it.effect("a member may become an operator, and keeps its memberships", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("owner")
      yield* member("owner", organization_id)
      const { hash } = yield* invited({ role: "operator", email: account.email })
      const joined = yield* accounts.join(hash, account.id, now)
      assert.deepStrictEqual(joined, { ...account, is_operator: true })
      const { hash: again } = yield* invited({ role: "operator", email: account.email })
      yield* failsWith(accounts.join(again, account.id, now), "Conflict")
      const operators = yield* readAll((page) => accounts.list({ organization_id: undefined }, page))
      assert.deepInclude(operators, memberOf(account, undefined))
      assert.isFalse((yield* accounts.leave(account.id, organization_id)).was_removed)
      assert.deepStrictEqual((yield* accounts.find(account.id)).account.memberships, [])
      const { hash: third } = yield* invited({ role: "operator" })
      yield* accounts.accept(third, newAccount(), now)
      yield* accounts.remove(account.id)
    })
  )
}

const addDepartureTests = (it: Vitest.MethodsNonLive<Ports>): void => {
  it.effect("leaving ends one membership and its invitations; with the last one the account ends", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("developer")
      const { organization_id: second } = yield* anOrganization
      yield* accounts.addMember(account.id, { organization_id: second, role: "owner", joined_at: now })
      yield* member("owner", second)
      const { invitation } = yield* invited({ organization_id, created_by: account.id })
      const first = yield* accounts.leave(account.id, organization_id)
      assert.deepStrictEqual(first, { member: memberOf(account, account.memberships[0]), was_removed: false })
      yield* failsWith(accounts.leave(account.id, organization_id), "NotFound")
      yield* failsWith(accounts.invitation(invitation.id), "NotFound")
      assert.deepStrictEqual(yield* readAll((page) => accounts.list({ organization_id }, page)), [])
      assert.isTrue((yield* accounts.leave(account.id, second)).was_removed)
      yield* failsWith(accounts.find(account.id), "NotFound")
      assert.isUndefined(yield* accounts.findByEmail(account.email))
    })
  )

  it.effect("an account belongs to an organization once, and to at most 50 organizations", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { account, organization_id } = yield* member("owner")
      const membership = { role: "owner", joined_at: now } as const
      yield* failsWith(accounts.addMember(account.id, { organization_id, ...membership }), "Conflict")
      const joining = Array.from({ length: maxMemberships + 1 }, () =>
        outcomeOf(accounts.addMember(account.id, { organization_id: unique("org"), ...membership }))
      )
      const outcomes = yield* Effect.all(joining, { concurrency: "unbounded" })
      assert.lengthOf(
        outcomes.filter((outcome) => outcome === "done"),
        maxMemberships - 1
      )
      assert.lengthOf((yield* accounts.find(account.id)).account.memberships, maxMemberships)
    })
  )
}

const now = "2026-02-01T00:00:00.000Z"

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
