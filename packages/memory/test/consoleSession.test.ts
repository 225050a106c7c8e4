/** Sessions of the console, in time, and who is let in to begin one. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { sessionIdle_ms, sessionLifetime_ms } from "@postcode/gateway/accounts/Account"
import { authenticateManager } from "@postcode/gateway/accounts/authenticateManager"
import { claimInstance, type InstanceClaim } from "@postcode/gateway/accounts/claimInstance"
import { acceptInvitation } from "@postcode/gateway/accounts/invitations/acceptInvitation"
import { type CreatedInvitation, manageInvitations } from "@postcode/gateway/accounts/invitations/manageInvitations"
import { manageAccounts } from "@postcode/gateway/accounts/manageAccounts"
import { Passwords } from "@postcode/gateway/accounts/Passwords"
import { signIn } from "@postcode/gateway/accounts/sessions/signIn"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { manageOrganizations } from "@postcode/gateway/organizations/manageOrganizations"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, auditTrail, ports } from "./Store.ts"

const password = Redacted.make("harmattan over kano")
const person = { email: "Ada@People.example", name: "Ada", password, address: "192.0.2.1" }

/** What is sent with an invitation, which has the address. */
const { email: _, ...invitedPerson } = person

const claim = Effect.flatMap(claimInstance, (make) => make)

/** The first operator, who has just claimed the instance. */
const claimed = Effect.gen(function* () {
  const { token } = (yield* claim) ?? {}
  if (token === undefined) throw new Error("there is an operator already")
  return yield* (yield* acceptInvitation)({ ...person, token })
})

const managerOf = (token: Redacted.Redacted<string>) =>
  Effect.flatMap(authenticateManager(Redacted.make("operator-token-1")), (identify) =>
    identify({ _tag: "Session", token }, "getOwnAccount", () => "192.0.2.1")
  )

describe("a console session", () => {
  it.effect("identifies its account, and ends after its idle time", () =>
    Effect.gen(function* () {
      yield* atNoon
      const { account, token } = yield* claimed
      const manager = yield* managerOf(token)
      assert.deepInclude(manager, { kind: "operator", actor: account.id, organization_id: undefined })
      yield* TestClock.adjust(sessionIdle_ms - 1)
      yield* managerOf(token)
      yield* TestClock.adjust(sessionIdle_ms - 1)
      yield* managerOf(token)
      yield* TestClock.adjust(sessionIdle_ms)
      yield* failsWith(managerOf(token), "InvalidToken")
    }).pipe(Effect.provide(ports))
  )

  it.effect("ends after its lifetime, even if it is used", () =>
    Effect.gen(function* () {
      yield* atNoon
      const { token } = yield* claimed
      const step_ms = 3_600_000
      for (let passed_ms = step_ms; passed_ms < sessionLifetime_ms; passed_ms += step_ms) {
        yield* TestClock.adjust(step_ms)
        yield* managerOf(token)
      }
      yield* TestClock.adjust(step_ms)
      yield* failsWith(managerOf(token), "InvalidToken")
    }).pipe(Effect.provide(ports))
  )
})

describe("claimInstance", () => {
  it.effect("each start creates a claim while there is no operator, and all claims end when one is accepted", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* claim, yield* claim]
      const accept = yield* acceptInvitation
      if (first === undefined || second === undefined) throw new Error("there is an operator already")
      assert.deepStrictEqual([yield* first.isOpen, yield* second.isOpen], [true, true])
      const { account } = yield* accept({ ...person, token: second.token })
      assert.deepInclude(account, { email: "ada@people.example", is_operator: true })
      const late = { ...person, email: "eve@people.example" }
      yield* failsWith(accept({ ...late, token: first.token }), "InvalidToken")
      yield* failsWith(accept({ ...late, token: second.token }), "InvalidToken")
      assert.deepStrictEqual([yield* first.isOpen, yield* second.isOpen], [false, false])
      assert.isUndefined(yield* claim)
      const made = (yield* auditTrail).filter(({ action }) => action === "invitation.created")
      assert.deepStrictEqual(
        made.map(({ actor, details }) => ({ actor, details })),
        [1, 2].map(() => ({ actor: "service", details: { role: "operator" } }))
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("a claim expires after a week", () =>
    Effect.gen(function* () {
      const { isOpen, token } = (yield* claim) as InstanceClaim
      yield* TestClock.adjust(7 * 86_400_000 - 1)
      assert.isTrue(yield* isOpen)
      yield* TestClock.adjust(1)
      assert.isFalse(yield* isOpen)
      yield* failsWith((yield* acceptInvitation)({ ...person, token }), "InvalidToken")
    }).pipe(Effect.provide(ports))
  )
})

describe("signIn", () => {
  it.effect("does the same work on a password for a known and an unknown email", () =>
    Effect.gen(function* () {
      const { verify } = yield* Passwords
      const verified: Array<boolean> = []
      const watched = {
        ...(yield* Passwords),
        verify: (...args: Parameters<typeof verify>) => {
          verified.push(args[1] === undefined)
          return verify(...args)
        }
      }
      yield* claimed
      const enter = yield* Effect.provideService(signIn, Passwords, watched)
      const wrong = Redacted.make("another password")
      const known = yield* failsWith(enter({ ...person, password: wrong }), "InvalidToken")
      const unknown = yield* failsWith(enter({ ...person, email: "eve@people.example" }), "InvalidToken")
      const noAddress = yield* failsWith(enter({ ...person, email: "eve" }), "InvalidToken")
      assert.deepStrictEqual(verified, [false, true, true])
      assert.strictEqual(new Set([known.message, unknown.message, noAddress.message]).size, 1)
    }).pipe(Effect.provide(ports))
  )

  it.effect("no work is done after too many attempts", () =>
    Effect.gen(function* () {
      yield* claimed
      let worked = 0
      const passwords = {
        ...(yield* Passwords),
        verify: () => Effect.sync(() => ++worked > 1_000)
      }
      const enter = yield* Effect.provideService(signIn, Passwords, passwords)
      for (let i = 0; i < 40; i++) yield* Effect.flip(enter(person))
      assert.strictEqual(worked, 10)
      for (let i = 0; i < 80; i++) yield* Effect.flip(enter({ ...person, address: `192.0.2.${100 + i}` }))
      assert.strictEqual(worked, 60)
      yield* TestClock.adjust(61_000)
      yield* Effect.flip(enter(person))
      assert.strictEqual(worked, 61)
    }).pipe(Effect.provide(ports))
  )
})

describe("a client that guesses passwords", () => {
  const noted = Effect.andThen(
    Effect.yieldNow,
    Effect.map(auditTrail, (events) => events.filter(({ action }) => action === "account.sign_in_failed"))
  )

  /** Wrong passwords, each from an address of its own, and so far apart that none is refused. */
  const guesser = Effect.map(
    signIn,
    (enter) => (email: string, times: number) =>
      Effect.gen(function* () {
        for (let i = 0; i < times; i++) {
          yield* TestClock.adjust(10_000)
          const wrong = { email, address: `192.0.2.${i}`, password: Redacted.make("another password") }
          yield* failsWith(enter(wrong), "InvalidToken")
        }
      })
  )

  it.effect("is in the audit log after five attempts, once an hour, by the account's id only", () =>
    Effect.gen(function* () {
      yield* atNoon
      const { account } = yield* claimed
      const guess = yield* guesser
      yield* guess(person.email, 4)
      assert.deepStrictEqual(yield* noted, [])
      yield* guess(person.email, 1)
      const details = { role: "operator", wrong_passwords: 5 }
      const expected = { actor: "nobody", subject: account.id, details }
      assert.deepStrictEqual(
        (yield* noted).map(({ actor, details, subject }) => ({ actor, subject, details })),
        [expected]
      )
      yield* guess(person.email, 40)
      assert.lengthOf(yield* noted, 1)
      yield* TestClock.adjust(3_600_000)
      yield* guess(person.email, 4)
      assert.lengthOf(yield* noted, 1)
      yield* guess(person.email, 1)
      assert.lengthOf(yield* noted, 2)
      assert.notInclude(JSON.stringify(yield* noted), "example")
    }).pipe(Effect.provide(ports))
  )

  it.effect("is not in the audit log if the email has no account", () =>
    Effect.gen(function* () {
      yield* atNoon
      yield* claimed
      yield* (yield* guesser)("eve@people.example", 12)
      assert.deepStrictEqual(yield* noted, [])
    }).pipe(Effect.provide(ports))
  )
})

describe("invitations", () => {
  it.effect("the audit log names the inviter, the invitation and the new account, without email, name or token", () =>
    Effect.gen(function* () {
      yield* atNoon
      yield* claimed
      const { invitation, token } = yield* (yield* manageInvitations).inviteOperator("eve@people.example", tokenManager)
      const { account } = yield* (yield* acceptInvitation)({ ...invitedPerson, token })
      // After those of the claim.
      const [, , ...events] = yield* auditTrail
      const { id } = invitation
      assert.deepStrictEqual(
        events.map(({ action, actor, details, subject }) => ({ action, actor, details, subject })),
        [
          { action: "invitation.created", actor: "operator", details: { role: "operator" }, subject: id },
          {
            action: "account.created",
            actor: account.id,
            details: { role: "operator", invitation: id },
            subject: account.id
          }
        ]
      )
      const written = JSON.stringify(events)
      for (const secret of ["eve@", "Ada", Redacted.value(token), Redacted.value(password)]) {
        assert.notInclude(written, secret)
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("are refused if the account was removed after the session was found", () =>
    Effect.gen(function* () {
      yield* claimed
      const invite = yield* manageInvitations
      const { token } = yield* invite.inviteOperator("eve@people.example", tokenManager)
      const second = yield* (yield* acceptInvitation)({ ...invitedPerson, token })
      const manager = yield* managerOf(second.token)
      yield* invite.inviteOperator("bisi@people.example", manager)
      yield* (yield* manageAccounts).remove(second.account.id, tokenManager)
      const trail = yield* auditTrail
      yield* failsWith(invite.inviteOperator("bisi@people.example", manager), "InvalidToken")
      assert.deepStrictEqual(yield* auditTrail, trail)
      const { items } = yield* invite.list(undefined, { limit: 10, cursor: undefined }, tokenManager)
      assert.deepStrictEqual(items, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "do the same work on a password and fail with the same error, for a used one and for an address that is taken",
    () =>
      Effect.gen(function* () {
        yield* claimed
        let hashed = 0
        const passwords = yield* Passwords
        const hash: typeof passwords.hash = (password) =>
          Effect.andThen(
            Effect.sync(() => hashed++),
            passwords.hash(password)
          )
        const accept = yield* Effect.provideService(acceptInvitation, Passwords, { ...passwords, hash })
        const invite = yield* manageInvitations
        const used = yield* invite.inviteOperator("eve@people.example", tokenManager)
        yield* accept({ ...invitedPerson, token: used.token })
        const taken = yield* invite.inviteOperator(person.email, tokenManager)
        const unknown = Redacted.make("x".repeat(43))
        const messages = new Set<string>()
        for (const token of [used.token, taken.token, unknown]) {
          messages.add((yield* failsWith(accept({ ...invitedPerson, token }), "InvalidToken")).message)
        }
        assert.strictEqual(messages.size, 1)
        assert.strictEqual(hashed, 4)
      }).pipe(Effect.provide(ports))
  )

  it.effect("only a claim needs an address, and reports if that has an account", () =>
    Effect.gen(function* () {
      const accept = yield* acceptInvitation
      const { id } = yield* (yield* manageOrganizations).create("Shop", tokenManager)
      const member = { role: "owner", email: "eve@people.example" } as const
      const { token } = (yield* (yield* manageInvitations).inviteMember(id, member, tokenManager)) as CreatedInvitation
      yield* accept({ ...invitedPerson, token })
      const { token: claimToken } = (yield* claim) as InstanceClaim
      yield* failsWith(accept({ ...invitedPerson, token: claimToken }), "InvalidParameter")
      yield* failsWith(accept({ ...person, email: "Eve@people.example", token: claimToken }), "Conflict")
      const { account } = yield* accept({ ...person, token: claimToken })
      assert.deepInclude(account, { email: "ada@people.example", is_operator: true })
    }).pipe(Effect.provide(ports))
  )
})
