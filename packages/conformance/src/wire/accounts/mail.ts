/** Mail: what raises a notice, what operators see of it, and what an account switches off. */
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Notices } from "@postcode/gateway/notices/Notices"
import { unsubscribeToken } from "@postcode/gateway/notices/unsubscribe"
import { SupportContact } from "@postcode/gateway/SupportContact"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { newEmail, type TestAccount } from "../../world/Operator.ts"
import { json } from "../../world/TestClient.ts"
import type { MakePorts, World } from "../../world/World.ts"
import { dataOf, expectFailure, type Received, timestamp } from "../Received.ts"

/** The ports of a store that keeps notices. */
export const withMail =
  (makePorts: MakePorts): MakePorts =>
  (fixture) =>
    Layer.provide(
      makePorts(fixture),
      Layer.succeed(NoticeLimits, { isOn: true, address_per_hour: 5, client_per_hour: 20, per_day: 10_000 })
    )

/** @param world of ports `withMail` */
export const mail = (world: World): void => {
  describe("notices", () => raised(world))
  describe("the list of notices", () => listed(world))
  describe("the preferences of an account", () => preferences(world))
  describe("reviews that wait", () => reviews(world))
  describe("the support contact", () => contact(world))
}

type Fields = Readonly<Record<string, unknown>>

const send = (
  world: World,
  { headers }: TestAccount,
  method: string,
  target: string,
  body?: object
): Promise<Received> =>
  world.client.send({ method, target, ...(body === undefined ? { headers } : json(body, { headers })) })

const noticesTo = async (world: World, email: string): Promise<ReadonlyArray<Fields>> => {
  const received = await world.operator.call("GET", `/v1/admin/notices?email=${encodeURIComponent(email)}`)
  return dataOf<{ readonly notices: ReadonlyArray<Fields> }>(received).notices
}

const kindsTo = async (world: World, email: string) => (await noticesTo(world, email)).map(({ kind }) => kind)

const raised = (world: World): void => {
  it("an invitation is told to its address, and its token is nowhere in the list", async () => {
    const organization_id = await world.operator.organization()
    const { email, token } = await world.operator.invitation("developer", organization_id, newEmail())
    const listed = await world.operator.call("GET", `/v1/admin/notices?email=${email}`)
    expect(dataOf(listed)).toEqual({
      notices: [
        {
          id: expect.stringMatching(/^ntc_\w{20}$/),
          kind: "invitation",
          email,
          organization_id,
          status: "pending",
          attempts: 0,
          created_at: timestamp,
          next_attempt_at: timestamp
        }
      ],
      next_cursor: null
    })
    expect(listed.text).not.toContain(token)
    const found = await world.run(Effect.flatMap(Notices, (notices) => notices.lease(100, 60_000)))
    const leased = found.find(({ notice }) => notice.email === email)
    expect(leased?.sealed_token).toMatch(/^1\./)
    expect(JSON.stringify(found)).not.toContain(token)
  })

  it("an owner gets no link: with it, an account for an address of somebody else could be opened", async () => {
    const organization_id = await world.operator.organization()
    const owner = await world.operator.account("owner", organization_id)
    const email = newEmail()
    const invited = await send(world, owner, "POST", `/v1/admin/organizations/${organization_id}/invitations`, {
      role: "owner",
      email
    })
    expect(dataOf(invited)).toEqual({
      id: expect.stringMatching(/^inv_\w+$/),
      role: "owner",
      email,
      organization_id,
      created_by: owner.id,
      created_at: timestamp,
      expires_at: timestamp
    })
    expect(await kindsTo(world, email)).toEqual(["invitation"])
  })

  it("what changes the safety of an account is told to the account", async () => {
    const person = await world.operator.account("owner", await world.operator.organization())
    const next = "another long password of mine"
    const body = { present_password: person.password, password: next }
    const changed = await send(world, person, "POST", "/v1/admin/account/password", body)
    const cookie = String(changed.headers["set-cookie"]).split(";")[0] ?? ""
    const again = { ...person, headers: { ...person.headers, cookie } }
    await send(world, again, "POST", "/v1/admin/account/sign-out-everywhere")
    expect(await kindsTo(world, person.email)).toEqual(["signed_out_everywhere", "password_changed", "invitation"])
    const [ended] = await noticesTo(world, person.email)
    expect(ended).toMatchObject({ account_id: person.id })
  })

  it("a decision is told to owners only, and a wrong password changes nothing", async () => {
    const id = await world.operator.organization({ kyb_status: "unverified" })
    const owner = await world.operator.account("owner", id)
    const developer = await world.operator.account("developer", id)
    await send(world, owner, "POST", `/v1/admin/organizations/${id}/kyb`, {
      business_name: "Example",
      registration_number: "RC 1"
    })
    await world.operator.call("PATCH", `/v1/admin/organizations/${id}`, {
      kyb_status: "verified",
      review_note: "checked"
    })
    const body = { present_password: "wrong wrong wrong", password: "another long password of mine" }
    expectFailure(await send(world, owner, "POST", "/v1/admin/account/password", body), "400 invalid_parameter")
    expect(await kindsTo(world, owner.email)).toEqual(["verification_decided", "invitation"])
    expect(await kindsTo(world, developer.email)).toEqual(["invitation"])
  })
}

const listed = (world: World): void => {
  it("is for operators", async () => {
    const owner = await world.operator.account("owner", await world.operator.organization())
    const operator = await world.operator.account("operator")
    expectFailure(await send(world, owner, "GET", "/v1/admin/notices"), "403 insufficient_scope")
    expect((await send(world, operator, "GET", "/v1/admin/notices?limit=1")).status).toBe(200)
  })

  it.each([
    ["status=lost", 400],
    ["kind=spam", 400],
    ["limit=0", 400],
    ["cursor=x", 400],
    ["email=nobody", 200],
    ["email=a%00b", 200],
    ["status=failed&kind=invitation", 200]
  ])("%s: %i", async (query, status) => {
    const received = await world.operator.call("GET", `/v1/admin/notices?${query}`)
    expect(received.status).toBe(status)
    if (status === 200) expect(dataOf(received)).toEqual({ notices: [], next_cursor: null })
  })

  it("finds an address however it is written", async () => {
    const email = newEmail()
    await world.operator.invitation("owner", await world.operator.organization(), email)
    expect(await kindsTo(world, ` ${email.toUpperCase()} `)).toEqual(["invitation"])
  })
}

const preferences = (world: World): void => {
  const own = "/v1/admin/account/mail"

  const offOf = (received: Received) =>
    dataOf<{ readonly notices: ReadonlyArray<{ readonly kind: string; readonly is_on: boolean }> }>(received)
      .notices.filter(({ is_on }) => !is_on)
      .map(({ kind }) => kind)

  it("are those of its role, all on at first", async () => {
    const organization_id = await world.operator.organization()
    const kindsOf = async (person: TestAccount) =>
      dataOf<{ readonly notices: ReadonlyArray<Fields> }>(await send(world, person, "GET", own)).notices
    const on = (kind: string) => ({ kind, is_on: true })
    const billing = await world.operator.account("billing", organization_id)
    expect(await kindsOf(billing)).toEqual(["balance_low", "balance_used_up"].map(on))
    const developer = await world.operator.account("developer", organization_id)
    expect(await kindsOf(developer)).toEqual(["daily_limit_reached", "key_expires", "webhook_disabled"].map(on))
    expect(await kindsOf(await world.operator.account("operator"))).toEqual([on("review_waiting")])
  })

  it("are replaced, and what is not of the role is ignored", async () => {
    const person = await world.operator.account("billing", await world.operator.organization())
    const put = (off: ReadonlyArray<string>) => send(world, person, "PUT", own, { off })
    expect(offOf(await put(["balance_low", "review_waiting"]))).toEqual(["balance_low"])
    expect(offOf(await put(["balance_used_up"]))).toEqual(["balance_used_up"])
    expect(offOf(await put([]))).toEqual([])
    for (const off of [["password_changed"], ["balance_low", "balance_low"], "all", [1]]) {
      expectFailure(await put(off as ReadonlyArray<string>), "400 invalid_parameter")
    }
    expect(offOf(await send(world, person, "GET", own))).toEqual([])
  })

  it("are changed by a mail program with one click, without a credential or a page, and as often as it likes", async () => {
    const person = await world.operator.account("billing", await world.operator.organization())
    const token = await world.run(
      Effect.map(NoticeSecrets, (links) => unsubscribeToken(links, { account_id: person.id, kind: "balance_low" }))
    )
    const click = (sent: string, headers = form) =>
      world.client.send({
        method: "POST",
        target: `/v1/mail/unsubscribe?token=${sent}`,
        headers,
        body: "List-Unsubscribe=One-Click"
      })
    for (let i = 0; i < 2; i++) expect(dataOf(await click(token))).toEqual({ kind: "balance_low" })
    expect(offOf(await send(world, person, "GET", own))).toEqual(["balance_low"])
    expectFailure(await click(`${token.slice(0, -4)}AAAA`), "401 invalid_token")
    expectFailure(await click("x"), "400 invalid_parameter")
    expect((await world.client.send({ method: "GET", target: `/v1/mail/unsubscribe?token=${token}` })).status).toBe(405)
    const events = await world.operator.call("GET", `/v1/admin/audit?action=account.mail_changed&actor=${person.id}`)
    expect(dataOf<{ readonly events: ReadonlyArray<Fields> }>(events).events).toHaveLength(1)
  })

  const form = { "content-type": "application/x-www-form-urlencoded" }
}

const reviews = (world: World): void => {
  const waiting = async () =>
    dataOf<{ readonly count: number; readonly oldest_at: string | null }>(
      await world.operator.call("GET", "/v1/admin/reviews")
    )

  it("are counted, and told to operators at most once an hour", async () => {
    const operator = await world.operator.account("operator")
    const before = await waiting()
    const id = await world.operator.organization({ granted_level: 1 })
    for (const level of [2, 3]) {
      await world.operator.call("POST", `/v1/admin/organizations/${id}/access-requests`, { level, reason: "a test" })
    }
    const after = await waiting()
    expect(after.count).toBe(before.count + 2)
    expect(after.oldest_at).toEqual(before.oldest_at ?? timestamp)
    expect(await kindsTo(world, operator.email)).toEqual(["review_waiting", "invitation"])
  })
}

const contact = (world: World): void => {
  const asking = (contact: string | undefined) =>
    world.serveAnother({}, (effect) => Effect.provideService(effect, SupportContact, contact))

  it("is in the errors that only the operator can help with, and in the description of a caller", async () => {
    const live = await world.operator.key({ environment: "live", max_level: 3 })
    const { organization_id } = live
    await world.operator.change(organization_id, { kyb_status: "rejected", review_note: "for a test" })
    const poor = await world.operator.key({ environment: "live", max_level: 3 })
    const { client, operator } = await asking("help@postcode.example")
    const lookup = (key: string) =>
      client.send({ method: "GET", target: "/v1/lookup?code=LA-12-A03-BG-07&level=3", key })
    for (const [key, code] of [
      [live.secret, "kyb_required"],
      [poor.secret, "insufficient_credits"]
    ] as const) {
      const { text } = await lookup(key)
      const { error } = JSON.parse(text) as { readonly error: { readonly code: string; readonly message: string } }
      expect(error.code).toBe(code)
      expect(error.message).toMatch(/; questions: help@postcode\.example$/)
    }
    const missing = await client.send({ method: "GET", target: "/v1/nothing" })
    expect(missing.text).not.toContain("questions")
    expect(dataOf(await operator.call("GET", "/v1/admin/whoami"))).toEqual({
      credential: "operator_token",
      actor: "operator",
      role: "operator",
      support_contact: "help@postcode.example",
      sends_mail: true,
      has_sandbox: false
    })
  })
}
