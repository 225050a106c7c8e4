/** Signing in, console sessions and their end, as an attacker on another account would try them. */

import { ConsoleSessions } from "@postcode/gateway/accounts/sessions/ConsoleSessions"
import { Unavailable } from "@postcode/gateway/Errors"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { SoftAuthenticator } from "../../devices/index.ts"
import { postcodes } from "../../world/FixtureDirectory.ts"
import { cookieOf, fromOwnPage, newEmail, type TestAccount } from "../../world/Operator.ts"
import { operatorToken } from "../../world/OperatorToken.ts"
import { json, url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

const own = "/v1/admin/account"

export const consoleSessions = (world: World): void => {
  describe("console sessions", () => {
    signingIn(world)
    guessingAtOneAccount(world)
    bruteForce(world)
    invitations(world)
    invitedAddresses(world)
    ends(world)
    cookies(world)
    otherSites(world)
    audit(world)

    it("are 503 with Retry-After while the store is down, and the operator token is still valid", async () => {
      const unavailable = Effect.fail(new Unavailable({ retry_after_s: 3 }))
      const { client } = await world.serveAnother({}, (effect) =>
        Effect.flatMap(ConsoleSessions, (sessions) =>
          Effect.provideService(effect, ConsoleSessions, {
            ...sessions,
            find: () => unavailable,
            start: () => unavailable
          })
        )
      )
      const person = await world.operator.account("owner")
      const received = await client.get(own, { headers: person.headers })
      expectFailure(received, "503 service_unavailable")
      expect(received.headers["retry-after"]).toBe("3")
      expectFailure(await signIn({ client }, person), "503 service_unavailable")
      expect((await client.get("/v1/admin/organizations", { token: operatorToken })).status).toBe(200)
    })
  })
}

const signIn = (
  { client }: Pick<World, "client">,
  { email, password }: Pick<TestAccount, "email" | "password">,
  headers: Readonly<Record<string, string>> = {}
): Promise<Received> => client.post(`${own}/sign-in`, { email, password }, { headers: { ...fromOwnPage, ...headers } })

const withoutId = ({ headers }: Received): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(x-request-id|x-ratelimit-.*|date)$/.test(name)))

const signingIn = (world: World): void => {
  it("email and password start a session, with the email in any case", async () => {
    const person = await world.operator.account("owner")
    const received = await signIn(world, { ...person, email: ` ${person.email.toUpperCase()}` })
    const { account } = dataOf<{ readonly account: { readonly id: string; readonly email: string } }>(received)
    expect(account).toMatchObject({ id: person.id, email: person.email, memberships: [{ role: "owner" }] })
    const me = await world.client.get(own, { headers: { cookie: cookieOf(received) } })
    expect(dataOf(me)).toEqual(account)
  })

  it("a wrong password and an unknown email get the same answer, byte for byte", async () => {
    const person = await world.operator.account("owner")
    const wrong = await signIn(world, { email: person.email, password: `${person.password}x` })
    expectFailure(wrong, "401 invalid_token")
    for (const email of ["nobody@people.example", "no address", "48210957361", "ünknown@people.example"]) {
      world.client.newVisitor()
      const unknown = await signIn(world, { email, password: person.password })
      expect(unknown.text).toBe(wrong.text)
      expect(withoutId(unknown)).toEqual(withoutId(wrong))
    }
  })

  it("each sign-in starts a new session: a cookie that was planted before it stays invalid", async () => {
    const person = await world.operator.account("owner")
    const planted = `__Host-postcode_session=${"a".repeat(43)}`
    const received = await signIn(world, person, { cookie: planted })
    expect(cookieOf(received)).not.toBe(planted)
    expectFailure(await world.client.get(own, { headers: { cookie: planted } }), "401 invalid_token")
    expect(cookieOf(await signIn(world, person))).not.toBe(cookieOf(received))
  })
}

const guessingAtOneAccount = (world: World): void => {
  const guess = async (world: World, { email }: TestAccount, address: string): Promise<string> => {
    const body = { email, password: "a guess of many" }
    const received = await world.client.post(`${own}/sign-in`, body, { headers: fromOwnPage, address })
    if (received.status === 429) expect(Number(received.headers["retry-after"])).toBeLessThanOrEqual(60)
    return outcomeOf(received)
  }
  const wrong = "401 invalid_token"
  const slowed = "429 rate_limit_exceeded"

  it("an address that has exhausted its attempts at an account does not lock out its owner", async () => {
    const [person, other] = [await world.operator.account("owner"), await world.operator.account("owner")]
    const device = new SoftAuthenticator(fromOwnPage.origin)
    await world.operator.passkey(person, device)
    const address = world.client.newVisitor()
    const outcomes: Array<string> = []
    for (let i = 0; i < 14; i++) outcomes.push(await guess(world, person, address))
    expect(outcomes.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => wrong))
    expect(outcomes.slice(10)).toEqual(Array.from({ length: 4 }, () => slowed))
    // From that address even the right password fails, or it would reveal a correct guess. Other accounts and passkeys
    // work.
    expectFailure(await signIn(world, person), slowed)
    expect((await signIn(world, other)).status).toBe(200)
    const credential = device.get(await world.operator.passkeyChallenge())
    const body = { credential }
    expect((await world.client.post(`${own}/passkey-sign-in`, body, { headers: fromOwnPage })).status).toBe(200)
    world.client.newVisitor()
    expect((await signIn(world, person)).status).toBe(200)
    const passwords = { present_password: person.password, password: "rain on the roof of zinc" }
    expect((await world.client.post(`${own}/password`, passwords, { headers: person.headers })).status).toBe(200)
  })

  it("guessing at an account from many addresses is limited to 60 a minute; other accounts sign in meanwhile", async () => {
    const [person, other] = [await world.operator.account("owner"), await world.operator.account("owner")]
    const outcomes: Array<string> = []
    for (let i = 0; i < 66; i++) outcomes.push(await guess(world, person, world.client.newVisitor()))
    expect(outcomes.slice(0, 57)).toEqual(Array.from({ length: 57 }, () => wrong))
    expect(outcomes.slice(60)).toEqual(Array.from({ length: 6 }, () => slowed))
    world.client.newVisitor()
    expectFailure(await signIn(world, person), slowed)
    expect((await world.client.get(own, { headers: person.headers })).status).toBe(200)
    expect((await signIn(world, other)).status).toBe(200)
  })

  it.each([
    ["one /64 of IPv6", (i: number) => `2001:db8:77:1::${(i + 1).toString(16)}`],
    ["one address of IPv4, in two notations", (i: number) => (i % 2 === 0 ? "192.0.2.77" : "::ffff:192.0.2.77")]
  ])("%s can use at most a sixth of the attempts at an account", async (_, addressOf) => {
    const person = await world.operator.account("owner")
    const outcomes: Array<string> = []
    for (let i = 0; i < 90; i++) outcomes.push(await guess(world, person, addressOf(i)))
    expect(outcomes.filter((outcome) => outcome === wrong).length).toBeLessThanOrEqual(10)
    // If all of them counted, nobody could sign in.
    for (let i = 0; i < 45; i++) await guess(world, person, world.client.newVisitor())
    world.client.newVisitor()
    expect((await signIn(world, person)).status).toBe(200)
  })
}

const bruteForce = (world: World): void => {
  it("an address that guesses at many accounts, or at invitations, is limited", async () => {
    const outcomes: Array<number> = []
    for (let i = 0; i < 24; i++) {
      const received =
        i % 2 === 0
          ? await signIn(world, { email: `guess${i}@people.example`, password: "password of many" })
          : i % 4 === 1
            ? await accept(world, "x".repeat(43), { email: `guess${i}@people.example` })
            : await look(world, "x".repeat(43))
      outcomes.push(received.status)
    }
    expect(outcomes.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 401))
    expect(outcomes.slice(21)).toEqual([429, 429, 429])
  })

  it("of two concurrent changes with the right old password, one succeeds, and ends the other's session", async () => {
    const person = await world.operator.account("owner")
    const sessions = [person.headers, { ...fromOwnPage, cookie: cookieOf(await signIn(world, person)) }]
    const passwords = ["harmattan over kano", "rain on the roof of zinc"]
    const both = await Promise.all(
      sessions.map((headers, i) =>
        world.client.post(`${own}/password`, { present_password: person.password, password: passwords[i] }, { headers })
      )
    )
    const won = both.findIndex(({ status }) => status === 200)
    expect(both.map(({ status }) => status === 200).toSorted()).toEqual([false, true])
    expect((await signIn(world, { ...person, password: passwords[won] ?? "" })).status).toBe(200)
    expectFailure(await signIn(world, { ...person, password: passwords[1 - won] ?? "" }), "401 invalid_token")
  })

  it("guessing the present password in an open session is also limited", async () => {
    const { headers } = await world.operator.account("owner")
    const outcomes: Array<number> = []
    for (let i = 0; i < 13; i++) {
      const body = { present_password: `guess number ${i}`, password: "a better password" }
      outcomes.push((await world.client.post(`${own}/password`, body, { headers })).status)
    }
    expect(outcomes.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 400))
    expect(outcomes.slice(11)).toEqual([429, 429])
  })
}

const accept = (
  { client }: Pick<World, "client">,
  token: string,
  { email, password = "a password of one's own" }: { readonly email?: string; readonly password?: string } = {}
): Promise<Received> =>
  client.post(
    `${own}/accept`,
    { token, ...(email !== undefined && { email }), name: "Ada", password },
    { headers: fromOwnPage }
  )

const look = ({ client }: Pick<World, "client">, token: string): Promise<Received> =>
  client.post(`${own}/invitation`, { token }, { headers: fromOwnPage })

const invitations = (world: World): void => {
  it("an invitation that is accepted twice at once creates one account, and is then invalid", async () => {
    const organization = await world.operator.organization()
    const { token } = await world.operator.invitation("billing", organization)
    const both = await Promise.all([1, 2].map(() => accept(world, token)))
    expect(both.map(outcomeOf).toSorted()).toEqual(["201", "401 invalid_token"])
    expectFailure(await accept(world, token), "401 invalid_token")
    const members = dataOf<{ readonly accounts: ReadonlyArray<object> }>(
      await world.operator.call("GET", `/v1/admin/organizations/${organization}/members`)
    )
    expect(members.accounts).toHaveLength(1)
    expect(members.accounts[0]).toMatchObject({ role: "billing", organization_id: organization })
  })

  it("a withdrawn token, an invented one and a session token create no account, with the same message", async () => {
    const { id, token } = await world.operator.invitation("operator")
    dataOf(await world.operator.call("DELETE", `/v1/admin/invitations/${id}`))
    const { headers } = await world.operator.account("owner")
    const session = headers.cookie?.split("=")[1] ?? ""
    const answers = [token, "x".repeat(43), session].map((sent) => accept(world, sent))
    const texts = new Set((await Promise.all(answers)).map((received) => `${received.status} ${received.text}`))
    expect(texts.size).toBe(1)
    expect([...texts][0]).toMatch(/^401 /)
  })

  it("the token shows an invitation any number of times until it is accepted", async () => {
    const organization = await world.operator.organization({ name: "Kano Parcels" })
    const { email, token } = await world.operator.invitation("billing", organization)
    const { email: operatorEmail, token: another } = await world.operator.invitation("operator")
    const expires_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const shown = { role: "billing", email, organization_name: "Kano Parcels", expires_at }
    for (let i = 0; i < 2; i++) expect(dataOf(await look(world, token))).toEqual(shown)
    expect(dataOf(await look(world, another))).toEqual({ role: "operator", email: operatorEmail, expires_at })
    const gone = await accept(world, "x".repeat(43))
    expect((await accept(world, token)).status).toBe(201)
    for (const ended of [token, "x".repeat(43)]) {
      const received = await look(world, ended)
      expectFailure(received, "401 invalid_token")
      expect(received.text).toBe(gone.text)
    }
    const elsewhere = { origin: "https://evil.example" }
    const body = { token: another }
    expectFailure(await world.client.post(`${own}/invitation`, body, { headers: elsewhere }), "403 origin_not_allowed")
  })

  const weak = [
    "short",
    "12345678901",
    "aaaaaaaaaaaaaaaa",
    "password1234",
    "Qwertyuiop123",
    "1234567890123",
    "Lagos123456!"
  ]
  it.each(weak)("a weak password is 400, and the invitation stays valid: %s", async (password) => {
    const { token } = await world.operator.invitation("operator")
    expectFailure(await accept(world, token, { password }), "400 invalid_parameter", "password")
    expect((await accept(world, token, { password: "harmattan over kano" })).status).toBe(201)
  })
}

const invitedAddresses = (world: World): void => {
  it("an account gets the address of its invitation, which may be repeated but not changed", async () => {
    const organization = await world.operator.organization()
    const { email: taken } = await world.operator.account("owner")
    const email = newEmail()
    const { token } = await world.operator.invitation("billing", organization, ` ${email.toUpperCase()}`)
    const path = `/v1/admin/organizations/${organization}/invitations`
    const listed = dataOf<{ readonly invitations: ReadonlyArray<object> }>(await world.operator.call("GET", path))
    expect(listed.invitations).toEqual([expect.objectContaining({ role: "billing", email })])
    const texts = new Set<string>()
    for (const other of [taken, newEmail()]) {
      const received = await accept(world, token, { email: other })
      expectFailure(received, "400 invalid_parameter", "email")
      texts.add(received.text)
    }
    expect(texts.size).toBe(1)
    const accepted = await accept(world, token, { email: email.toUpperCase() })
    expect(dataOf(accepted)).toMatchObject({ account: { email, memberships: [{ role: "billing" }] } })
  })

  it("neither an invitation nor its acceptance reveals whether an address has an account", async () => {
    const { email: taken } = await world.operator.account("owner")
    const organization = await world.operator.organization()
    const invite = (email: string) =>
      world.operator.call("POST", `/v1/admin/organizations/${organization}/invitations`, { role: "billing", email })
    const [known, unknown] = [await invite(taken), await invite(newEmail())]
    expect(Object.keys(dataOf<object>(known))).toEqual(Object.keys(dataOf<object>(unknown)))
    expect(known.status).toBe(unknown.status)
    const { token } = dataOf<{ readonly token: string }>(known)
    expect(dataOf(await look(world, token))).toMatchObject({ email: taken, role: "billing" })
    const withdrawn = await world.operator.invitation("operator")
    dataOf(await world.operator.call("DELETE", `/v1/admin/invitations/${withdrawn.id}`))
    const used = await world.operator.invitation("operator")
    expect((await accept(world, used.token)).status).toBe(201)
    world.client.newVisitor()
    const answers: Array<Received> = []
    for (const sent of [token, withdrawn.token, used.token, "x".repeat(43)]) answers.push(await accept(world, sent))
    for (const answer of answers) {
      expectFailure(answer, "401 invalid_token")
      expect(withoutId(answer)).toEqual(withoutId(answers[0] as Received))
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it("an invitation needs a valid address: a missing or invalid one is 400", async () => {
    const organization = await world.operator.organization()
    for (const email of ["nobody", "", undefined]) {
      const member = { role: "billing", ...(email !== undefined && { email }) }
      const body = { ...(email !== undefined && { email }) }
      const path = `/v1/admin/organizations/${organization}/invitations`
      expectFailure(await world.operator.call("POST", path, member), "400 invalid_parameter", "email")
      const received = await world.operator.call("POST", "/v1/admin/operators/invitations", body)
      expectFailure(received, "400 invalid_parameter", "email")
    }
  })
}

const ends = (world: World): void => {
  const expectEnded = async (cookie: string | undefined): Promise<void> => {
    const received = await world.client.get(own, { headers: { cookie: cookie ?? "" } })
    expectFailure(received, "401 invalid_token", "sign in")
  }

  it("signing out ends this session, signing out everywhere ends all; a replayed cookie is 401", async () => {
    const person = await world.operator.account("owner")
    const others = [cookieOf(await signIn(world, person)), cookieOf(await signIn(world, person))]
    const out = await world.client.send({ method: "POST", target: `${own}/sign-out`, headers: person.headers })
    expect(out.headers["set-cookie"]).toContain("__Host-postcode_session=; Path=/; Max-Age=0;")
    await expectEnded(person.headers.cookie)
    const headers = { ...fromOwnPage, cookie: others[0] as string }
    expect((await world.client.get(own, { headers })).status).toBe(200)
    dataOf(await world.client.send({ method: "POST", target: `${own}/sign-out-everywhere`, headers }))
    for (const cookie of others) await expectEnded(cookie)
    expect((await signIn(world, person)).status).toBe(200)
  })

  it("a new password replaces the old one, ends all sessions and starts one", async () => {
    const person = await world.operator.account("owner")
    const other = cookieOf(await signIn(world, person))
    const password = "rain on the roof of zinc"
    const send = (present_password: string) =>
      world.client.post(`${own}/password`, { present_password, password }, { headers: person.headers })
    expectFailure(await send("not the password"), "400 invalid_parameter", "present_password")
    const changed = await send(person.password)
    await expectEnded(other)
    await expectEnded(person.headers.cookie)
    expect((await world.client.get(own, { headers: { cookie: cookieOf(changed) } })).status).toBe(200)
    expectFailure(await signIn(world, person), "401 invalid_token")
    expect((await signIn(world, { ...person, password })).status).toBe(200)
  })

  it("a change of role counts from the next request on, and a removal ends all sessions at once", async () => {
    const organization = await world.operator.organization()
    const [owner, member] = [
      await world.operator.account("owner", organization),
      await world.operator.account("owner", organization)
    ]
    const members = `/v1/admin/organizations/${organization}/members`
    const target = `${members}/${member.id}`
    const { headers } = owner
    dataOf(await world.client.send({ method: "PATCH", target, ...json({ role: "billing" }, { headers }) }))
    const role = { memberships: [{ role: "billing" }] }
    expect(dataOf(await world.client.get(own, { headers: member.headers }))).toMatchObject(role)
    expectFailure(
      await world.client.send({ method: "DELETE", target, headers: member.headers }),
      "403 insufficient_scope"
    )
    expectFailure(
      await world.client.send({ method: "DELETE", target: `${members}/${owner.id}`, headers }),
      "409 conflict"
    )
    dataOf(await world.client.send({ method: "DELETE", target, headers }))
    await expectEnded(member.headers.cookie)
    expectFailure(await signIn(world, member), "401 invalid_token")
  })
}

const cookies = (world: World): void => {
  it("a cookie that is forged, altered, empty, too long or repeated is not a session", async () => {
    const { headers } = await world.operator.account("operator")
    const token = headers.cookie?.split("=")[1] ?? ""
    const name = "__Host-postcode_session"
    const altered = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`
    for (const cookie of [`${name}=${altered}`, `${name}=${token}a`, `${name}=${operatorToken.replaceAll("-", "")}`]) {
      expectFailure(await world.client.get(own, { headers: { cookie } }), "401 invalid_token")
    }
    const none = [`${name}=`, `${name}="${token}"`, `${name}=${"a".repeat(200)}`, `postcode_session=${token}`]
    for (const cookie of [...none, `${name}=${token}; ${name}=${token}`, `x${name}=${token}`, token]) {
      expectFailure(await world.client.get(own, { headers: { cookie } }), "401 auth_required")
    }
    const beside = { cookie: `a=b; ${name}=${token}; c="d"` }
    expect((await world.client.get(own, { headers: beside })).status).toBe(200)
    expectFailure(await world.client.get(own, { token }), "401 invalid_token")
  })

  it("with any Authorization header, the cookie is ignored", async () => {
    const { headers } = await world.operator.account("operator")
    for (const authorization of ["Bearer wrong-token-wrong-token", "Basic b3BlcmF0b3I6", ""]) {
      const received = await world.client.get("/v1/admin/audit", { headers: { ...headers, authorization } })
      expect(received.status).toBe(401)
    }
    const cookie = "__Host-postcode_session=forged"
    expect((await world.client.get("/v1/admin/audit", { token: operatorToken, headers: { cookie } })).status).toBe(200)
  })

  it("the cookie is ignored outside the management API", async () => {
    const { headers } = await world.operator.account("operator")
    const lookup = url("/v1/lookup", { code: postcodes.full, level: 2 })
    for (const target of [lookup, "/v1/reference/states", "/v1/widget/bookmarks"]) {
      expectFailure(await world.client.get(target, { headers }), "401 auth_required")
    }
  })
}

const otherSites = (world: World): void => {
  const post = (
    target: string,
    person: TestAccount,
    headers: Readonly<Record<string, string>>,
    port = world.client.port
  ) => {
    const { cookie = "" } = person.headers
    return world.client.send({
      method: "PATCH",
      target,
      ...json({ name: "Eve" }, { headers: { cookie, host: `127.0.0.1:${port}`, ...headers } })
    })
  }

  it("a request with the cookie from another site is 403 origin_not_allowed, and changes nothing", async () => {
    const person = await world.operator.account("owner")
    const self = `http://127.0.0.1:${world.client.port}`
    const elsewhere: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: `${self}0` },
      { origin: `http://127.0.0.1` },
      { origin: `${self}.evil.example` },
      { origin: self, "sec-fetch-site": "cross-site" },
      { origin: self, "sec-fetch-site": "same-site" },
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      // Headers that a page can set, such as the widget's, are ignored.
      { "x-embedding-origin": self },
      { origin: "https://evil.example", "x-embedding-origin": self }
    ]
    for (const headers of elsewhere) expectFailure(await post(own, person, headers), "403 origin_not_allowed")
    const { name } = dataOf<{ readonly name: string }>(await world.client.get(own, { headers: person.headers }))
    expect(name).toBe("Test")
    const site = { "sec-fetch-site": "same-origin" }
    const framed = { origin: self, "x-embedding-origin": "https://evil.example" }
    for (const headers of [{ origin: self }, site, { origin: self, ...site }, framed]) {
      expect((await post(own, person, headers)).status).toBe(200)
    }
  })

  it("only the service's own pages and the address bar can read with the cookie", async () => {
    const { cookie = "" } = (await world.operator.account("owner")).headers
    for (const site of ["cross-site", "same-site"]) {
      const received = await world.client.get(own, { headers: { cookie, "sec-fetch-site": site } })
      expectFailure(received, "403 origin_not_allowed")
    }
    for (const site of ["same-origin", "none"]) {
      expect((await world.client.get(own, { headers: { cookie, "sec-fetch-site": site } })).status).toBe(200)
    }
  })

  it("pages of other sites can neither sign in nor accept an invitation", async () => {
    const person = await world.operator.account("owner")
    const { token } = await world.operator.invitation("operator")
    const said = { "x-embedding-origin": `http://127.0.0.1:${world.client.port}` }
    for (const headers of [{}, said, { origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const { email, password } = person
      expectFailure(
        await world.client.post(`${own}/sign-in`, { email, password }, { headers }),
        "403 origin_not_allowed"
      )
      const body = { token, email: "eve@people.example", name: "Eve", password: "a password of eve" }
      expectFailure(await world.client.post(`${own}/accept`, body, { headers }), "403 origin_not_allowed")
    }
  })

  it("a form can neither sign in nor use the cookie, because bodies are JSON", async () => {
    const person = await world.operator.account("owner")
    for (const type of ["application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "text/plain"]) {
      const headers = { ...person.headers, "content-type": type }
      const received = await world.client.send({ method: "POST", target: `${own}/sign-in`, headers, body: "{}" })
      expectFailure(received, "415 unsupported_media_type")
    }
  })

  it("a configured public origin is the service's origin, and the Host is ignored", async () => {
    const person = await world.operator.account("owner")
    const { client } = await world.serveAnother({ publicOrigin: "https://console.example" })
    const send = (origin: string) =>
      client.send({
        method: "PATCH",
        target: own,
        ...json({ name: "Ada" }, { headers: { cookie: person.headers.cookie ?? "", origin } })
      })
    expect((await send("https://console.example")).status).toBe(200)
    for (const origin of [
      `http://127.0.0.1:${client.port}`,
      "http://console.example",
      "https://console.example:8443"
    ]) {
      expectFailure(await send(origin), "403 origin_not_allowed", "POSTCODE_PUBLIC_URL")
    }
  })
}

const audit = (world: World): void => {
  it("calls are audited with the account's id, and without emails, names or secrets", async () => {
    const organization = await world.operator.organization()
    const owner = await world.operator.account("owner", organization)
    const { headers } = owner
    const created = await world.client.send({
      method: "POST",
      target: `/v1/admin/organizations/${organization}/invitations`,
      ...json({ role: "developer", email: newEmail() }, { headers })
    })
    const { id, token } = dataOf<{ readonly id: string; readonly token: string }>(created)
    dataOf(await world.client.send({ method: "DELETE", target: `/v1/admin/invitations/${id}`, headers }))
    dataOf(await world.client.send({ method: "PATCH", target: own, ...json({ name: "Ngozi Adeyemi" }, { headers }) }))
    const again = cookieOf(await signIn(world, owner))
    dataOf(
      await world.client.send({ method: "POST", target: `${own}/sign-out`, headers: { ...headers, cookie: again } })
    )
    const received = await world.client.get("/v1/admin/audit?limit=100", { headers })
    const { events } = dataOf<{ readonly events: ReadonlyArray<Readonly<Record<string, unknown>>> }>(received)
    const done = events.filter(({ actor }) => actor === owner.id).map(({ action, subject }) => [action, subject])
    expect(done).toEqual([
      ["account.signed_out", owner.id],
      ["account.signed_in", owner.id],
      ["account.renamed", owner.id],
      ["invitation.withdrawn", id],
      ["invitation.created", id],
      ["account.created", owner.id]
    ])
    for (const secret of [owner.email, owner.password, token, again, "Ngozi", "@"]) {
      expect(received.text).not.toContain(secret)
    }
  })
}
