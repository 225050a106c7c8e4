/** Signing up, a forgotten password and another address, as a stranger and an attacker would try them. */

import type { NoticeKind } from "@postcode/gateway/notices/Notice"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Notices } from "@postcode/gateway/notices/Notices"
import { Effect, Redacted } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { cookieOf, fromOwnPage, newEmail, signUpPassword, type TestAccount } from "../../world/Operator.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received } from "../Received.ts"

const own = "/v1/admin/account"

export const signUps = (world: World): void => {
  // Tests of all calls stop them.
  beforeAll(async () => void dataOf(await world.operator.call("PUT", "/v1/admin/sign-up", { is_stopped: false })))
  describe("signing up", () => {
    openings(world)
    unknownOrKnown(world)
    refusedLinks(world)
    theSwitch(world)
    otherOrganizations(world)
  })
  describe("a forgotten password", () => forgotten(world))
  describe("another email address", () => addresses(world))
}

const post = ({ client }: Pick<World, "client">, path: string, body: object): Promise<Received> =>
  client.post(`${own}/${path}`, body, { headers: fromOwnPage })

const signUp = (world: Pick<World, "client">, email: string, fields: object = {}): Promise<Received> =>
  post(world, "sign-up", { email, password: signUpPassword, ...fields })

const confirm = (world: World, token: string, fields: object = {}): Promise<Received> =>
  post(world, "sign-up/confirm", {
    token,
    password: signUpPassword,
    name: "Ada",
    organization_name: "Kano Parcels",
    ...fields
  })

/** The mails to an address, newest first, except the invitation of its account. */
const mailsTo = async (world: World, email: string): Promise<ReadonlyArray<Mail>> =>
  (await allMailsTo(world, email)).filter(({ kind }) => kind !== "invitation")

/** All mails to an address, newest first, with the tokens of their links. */
const allMailsTo = (world: World, email: string) =>
  world.run(
    Effect.gen(function* () {
      const notices = yield* Notices
      const { open } = yield* NoticeSecrets
      const leased = yield* notices.lease(10_000, 1)
      const tokens = new Map(leased.map(({ notice, sealed_token }) => [notice.id, sealed_token]))
      yield* Effect.forEach(leased, (one) => notices.settle(one, { status: "pending", after_ms: 0 }))
      const { items } = yield* notices.list({ email }, { limit: 20, cursor: undefined })
      return items.map(({ id, kind, status }): Mail => {
        const sealed = tokens.get(id)
        const token = sealed === undefined ? undefined : open(id, sealed)
        return { kind, status, token: token === undefined ? "" : Redacted.value(token) }
      })
    })
  )

interface Mail {
  readonly kind: NoticeKind
  readonly status: string
  readonly token: string
}

const openings = (world: World): void => {
  it("the link in the mail opens the account and the organization, and signs in", async () => {
    const email = newEmail()
    const sent = await signUp(world, ` ${email.toUpperCase()}`)
    expect([sent.status, dataOf(sent)]).toEqual([202, { sent: true }])
    const [mail, ...others] = await mailsTo(world, email)
    expect([mail?.kind, others]).toEqual(["confirm_address", []])
    const opened = await confirm(world, mail?.token ?? "")
    expect(opened.status).toBe(201)
    const { account } = dataOf<{ readonly account: { readonly memberships: ReadonlyArray<Membership> } }>(opened)
    expect(account).toMatchObject({ email, name: "Ada", is_operator: false, memberships: [{ role: "owner" }] })
    const headers = { ...fromOwnPage, cookie: cookieOf(opened) }
    const { organization_id = "" } = account.memberships[0] ?? {}
    const organization = dataOf(await world.client.get(`/v1/admin/organizations/${organization_id}`, { headers }))
    expect(organization).toMatchObject({ name: "Kano Parcels", kyb_status: "unverified", granted_level: 1 })
    const statement = await world.operator.statement(organization_id, "test")
    expect(statement.balance).toBe(1_000)
    expect((await post(world, "sign-in", { email, password: signUpPassword })).status).toBe(200)
    const log = await world.client.get("/v1/admin/audit", { headers })
    expect(log.text).not.toContain(email)
    const { events } = dataOf<{ readonly events: ReadonlyArray<{ readonly action: string }> }>(log)
    expect(events.map(({ action }) => action)).toEqual(["account.signed_in", "account.created", "organization.created"])
  })

  it("a link opens one account, also if it is used twice at once", async () => {
    const token = await world.operator.link("sign_up", newEmail())
    const both = await Promise.all([confirm(world, token), confirm(world, token)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401])
    expectFailure(await confirm(world, token), "401 invalid_token")
  })

  it("only who knows the password of the sign-up can open the account", async () => {
    const token = await world.operator.link("sign_up", newEmail())
    const wrong = await confirm(world, token, { password: "another password than that" })
    expectFailure(wrong, "400 invalid_parameter", "password")
    expect((await confirm(world, token)).status).toBe(201)
  })

  it("a weak password, no address, and documents that were not shown are 400", async () => {
    const email = newEmail()
    for (const password of ["short", "password1234", "Lagos123456!", email]) {
      expectFailure(await signUp(world, email, { password }), "400 invalid_parameter", "password")
    }
    for (const email of ["nobody", "", "a@b", "ada@people.example, eve@people.example"]) {
      expectFailure(await signUp(world, email), "400 invalid_parameter", "email")
    }
    expectFailure(
      await signUp(world, newEmail(), { accepted: "terms 2020-01-01" }),
      "400 invalid_parameter",
      "accepted"
    )
    expectFailure(await confirm(world, "x"), "400 invalid_parameter", "token")
    const elsewhere = { origin: "https://evil.example" }
    const body = { email: newEmail(), password: signUpPassword }
    expectFailure(await world.client.post(`${own}/sign-up`, body, { headers: elsewhere }), "403 origin_not_allowed")
  })
}

interface Membership {
  readonly organization_id: string
}

const withoutId = ({ headers }: Received): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(x-request-id|x-ratelimit-.*|date)$/.test(name)))

const unknownOrKnown = (world: World): void => {
  it.each([
    ["sign-up", { password: signUpPassword }],
    ["forgotten-password", {}]
  ] as const)(
    "%s answers the same for an address with an account and for one without, byte for byte",
    async (path, body) => {
      const { email: known } = await world.operator.account("owner")
      const unknown = newEmail()
      world.client.newVisitor()
      const answers = [
        await post(world, path, { ...body, email: known }),
        await post(world, path, { ...body, email: unknown })
      ]
      const [first, second] = answers as [Received, Received]
      expect([first.status, first.text, withoutId(first)]).toEqual([second.status, second.text, withoutId(second)])
      const mails = [await mailsTo(world, known), await mailsTo(world, unknown)].map((list) =>
        list.map(({ kind, status }) => `${kind} ${status}`)
      )
      expect(mails).toEqual(
        path === "sign-up"
          ? [["already_has_account pending"], ["confirm_address pending"]]
          : [["reset_password pending"], ["reset_password skipped"]]
      )
    }
  )

  it("an address gets at most 5 mails an hour, and a client 10 sign-ups; further answers reveal nothing", async () => {
    const { email: known } = await world.operator.account("owner")
    for (const email of [known, newEmail()]) {
      world.client.newVisitor()
      for (let i = 0; i < 7; i++) expect((await signUp(world, email)).status).toBe(202)
      expect(await allMailsTo(world, email)).toHaveLength(5)
    }
    world.client.newVisitor()
    for (let i = 0; i < 10; i++) expect((await signUp(world, newEmail())).status).toBe(202)
    for (const email of [newEmail(), known]) expectFailure(await signUp(world, email), "429 rate_limit_exceeded")
  })
}

const refusedLinks = (world: World): void => {
  it("a link of another kind, an invented one and one for an address with an account get the same 401", async () => {
    const person = await world.operator.account("owner")
    const tokens = [
      "x".repeat(43),
      await world.operator.link("reset_password", person.email, person.id),
      await world.operator.link("sign_up", person.email)
    ]
    const answers = await Promise.all(tokens.map((token) => confirm(world, token)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expectFailure(answers[0] as Received, "401 invalid_token")
    expect((await post(world, "sign-in", person)).status).not.toBe(500)
  })
}

const theSwitch = (world: World): void => {
  it("an operator stops sign-ups at once on all replicas; links that were sent stay valid", async () => {
    const token = await world.operator.link("sign_up", newEmail())
    const { client } = await world.serveAnother()
    const stop = (is_stopped: boolean) => world.operator.call("PUT", "/v1/admin/sign-up", { is_stopped })
    expect(dataOf(await stop(true))).toEqual({ mode: "open", domains: [], sends_mail: true, is_stopped: true })
    try {
      for (const one of [world, { client }]) {
        expectFailure(await signUp(one, newEmail()), "403 insufficient_scope", "at the moment")
        const state = await one.client.get(`${own}/sign-up`, { headers: fromOwnPage })
        expect(dataOf(state)).toMatchObject({ is_open: false, closed: "stopped" })
      }
      expect((await confirm(world, token)).status).toBe(201)
    } finally {
      expect(dataOf(await stop(false))).toMatchObject({ is_stopped: false })
    }
    expect((await signUp(world, newEmail())).status).toBe(202)
    const log = await world.operator.call("GET", "/v1/admin/audit?action=sign_up.stopped,sign_up.resumed&limit=2")
    expect(dataOf(log)).toMatchObject({ events: [{ action: "sign_up.resumed" }, { action: "sign_up.stopped" }] })
  })
}

const otherOrganizations = (world: World): void => {
  it("an account opens other organizations, as their owner, until it owns five", async () => {
    const person = await world.operator.account("owner")
    const open = () => world.client.post(`${own}/organizations`, { name: "Another" }, { headers: person.headers })
    for (let i = 1; i < 5; i++) expect((await open()).status).toBe(201)
    expectFailure(await open(), "403 insufficient_scope", "5 organizations")
    const listed = dataOf<{ readonly organizations: ReadonlyArray<object> }>(
      await world.client.get(`${own}/organizations`, { headers: person.headers })
    )
    expect(listed.organizations).toHaveLength(5)
    expect(listed.organizations[4]).toMatchObject({ organization_name: "Another", role: "owner" })
  })
}

const signIn = (world: World, { email, password }: Pick<TestAccount, "email" | "password">) =>
  post(world, "sign-in", { email, password })

const forgotten = (world: World): void => {
  const next = "rain on the roof of zinc"

  it("is replaced by the link of the mail, once, which ends all sessions; passkeys and roles stay", async () => {
    const person = await world.operator.account("owner")
    expect((await post(world, "forgotten-password", { email: person.email })).status).toBe(202)
    expect((await post(world, "forgotten-password", { email: person.email })).status).toBe(202)
    const [second, first] = (await mailsTo(world, person.email)) as [Mail, Mail]
    for (const password of ["password1234", person.email]) {
      const refused = await post(world, "reset-password", { token: first.token, password })
      expectFailure(refused, "400 invalid_parameter", "password")
    }
    const reset = await post(world, "reset-password", { token: first.token, password: next })
    expect(dataOf(reset)).toMatchObject({ account: { id: person.id, memberships: [{ role: "owner" }] } })
    expectFailure(await world.client.get(own, { headers: person.headers }), "401 invalid_token")
    expect((await world.client.get(own, { headers: { ...fromOwnPage, cookie: cookieOf(reset) } })).status).toBe(200)
    for (const { token } of [first, second]) {
      expectFailure(await post(world, "reset-password", { token, password: next }), "401 invalid_token")
    }
    expectFailure(await signIn(world, person), "401 invalid_token")
    expect((await signIn(world, { ...person, password: next })).status).toBe(200)
    const [told] = await mailsTo(world, person.email)
    expect(told?.kind).toBe("password_changed")
  })

  it("a link resets one password, also if it is used twice at once", async () => {
    const { email, id } = await world.operator.account("owner")
    const token = await world.operator.link("reset_password", email, id)
    const passwords = [next, "harmattan over kano"]
    const both = await Promise.all(passwords.map((password) => post(world, "reset-password", { token, password })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
    const won = passwords[both.findIndex(({ status }) => status === 200)] ?? ""
    expect((await signIn(world, { email, password: won })).status).toBe(200)
  })

  it("a link does not work after the address was changed, nor for an account that was removed", async () => {
    await world.operator.account("operator")
    const person = await world.operator.account("operator")
    const stale = await world.operator.link("reset_password", newEmail(), person.id)
    expectFailure(await post(world, "reset-password", { token: stale, password: next }), "401 invalid_token")
    const token = await world.operator.link("reset_password", person.email, person.id)
    dataOf(await world.operator.call("DELETE", `/v1/admin/accounts/${person.id}`))
    expectFailure(await post(world, "reset-password", { token, password: next }), "401 invalid_token")
  })
}

const addresses = (world: World): void => {
  const request = ({ client }: World, { headers, password }: TestAccount, email: string) =>
    client.post(`${own}/address`, { email, present_password: password }, { headers })

  it("counts when its link is opened, and the former one can undo it with a new password", async () => {
    const person = await world.operator.account("owner")
    const email = newEmail()
    expect((await request(world, person, email)).status).toBe(202)
    expect((await signIn(world, person)).status).toBe(200)
    const [mail] = await mailsTo(world, email)
    expect(dataOf(await post(world, "address/confirm", { token: mail?.token }))).toEqual({ email })
    expectFailure(await post(world, "address/confirm", { token: mail?.token }), "401 invalid_token")
    expect((await signIn(world, { ...person, email })).status).toBe(200)
    expectFailure(await signIn(world, person), "401 invalid_token")
    const [told] = await mailsTo(world, person.email)
    expect(told?.kind).toBe("address_changed")
    const password = "rain on the roof of zinc"
    const undone = await post(world, "address/undo", { token: told?.token, password })
    expect(dataOf(undone)).toMatchObject({ account: { id: person.id, email: person.email } })
    expectFailure(await world.client.get(own, { headers: person.headers }), "401 invalid_token")
    expectFailure(await signIn(world, { ...person, email }), "401 invalid_token")
    expectFailure(await signIn(world, person), "401 invalid_token")
    expect((await signIn(world, { ...person, password })).status).toBe(200)
    expectFailure(await post(world, "address/undo", { token: told?.token, password }), "401 invalid_token")
  })

  it("that has an account changes nothing, and the answer does not tell", async () => {
    const [person, other] = [await world.operator.account("owner"), await world.operator.account("owner")]
    const [taken, free] = [await request(world, person, other.email), await request(world, person, newEmail())]
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const [mail] = await mailsTo(world, other.email)
    expect(mail).toMatchObject({ kind: "confirm_new_address", status: "skipped", token: "" })
    const token = await world.operator.link("new_address", other.email, person.id)
    expectFailure(await post(world, "address/confirm", { token }), "401 invalid_token")
    expect((await signIn(world, person)).status).toBe(200)
  })

  it("needs the password, and a second request replaces the first", async () => {
    const person = await world.operator.account("owner")
    const wrong = await request(world, { ...person, password: "not the password" }, newEmail())
    expectFailure(wrong, "400 invalid_parameter", "present_password")
    const [first, second] = [newEmail(), newEmail()]
    for (const email of [first, second]) expect((await request(world, person, email)).status).toBe(202)
    const [old] = await mailsTo(world, first)
    expectFailure(await post(world, "address/confirm", { token: old?.token }), "401 invalid_token")
    const [mail] = await mailsTo(world, second)
    expect(dataOf(await post(world, "address/confirm", { token: mail?.token }))).toEqual({ email: second })
  })
}
