/** Passkeys, with a software authenticator: its options, and every way in which its answer can be wrong. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { attestationBy, encodeCbor, type Misbehaviour, SoftAuthenticator } from "../../devices/index.ts"
import { cookieOf, fromOwnPage, type TestAccount } from "../../world/Operator.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received, timestamp } from "../Received.ts"

const root = "/v1/admin/account/passkeys"

interface Options {
  readonly options: { readonly challenge: string } & Readonly<Record<string, unknown>>
}

export const passkeys = (world: World): void => {
  describe("passkeys", () => {
    lifecycle(world)
    forgedAnswers(world)
    forgedPasskeys(world)
  })
}

const challengeOf = async ({ client }: World) => {
  client.newVisitor()
  return dataOf<Options>(await client.post("/v1/admin/account/passkey-challenge", {}, { headers: fromOwnPage })).options
}

const startOf = async ({ client }: World, { headers, password }: TestAccount) =>
  dataOf<Options>(await client.post("/v1/admin/account/passkey-start", { present_password: password }, { headers }))
    .options

const add = ({ client }: World, { headers }: TestAccount, credential: object): Promise<Received> =>
  client.post(root, { name: "Phone", credential }, { headers })

const signIn = ({ client }: World, credential: object): Promise<Received> =>
  client.post("/v1/admin/account/passkey-sign-in", { credential }, { headers: fromOwnPage })

/** An account with a passkey on a device. */
const registered = async (world: World) => {
  const person = await world.operator.account("owner")
  const device = new SoftAuthenticator(fromOwnPage.origin)
  const { id } = dataOf<{ readonly id: string }>(await add(world, person, device.create(await startOf(world, person))))
  return { person, device, id }
}

const lifecycle = (world: World): void => {
  it("one is created with the password, signs its account in, and shows its last use", async () => {
    const { device, id, person } = await registered(world)
    const challenge = await challengeOf(world)
    expect(challenge).toEqual({
      challenge: expect.stringMatching(/^[0-9A-Za-z]{44}$/),
      rpId: "console.example",
      timeout: 300_000,
      userVerification: "required",
      allowCredentials: []
    })
    const entered = await signIn(world, device.get(challenge))
    expect(dataOf(entered)).toMatchObject({ account: { id: person.id, email: person.email } })
    const headers = { ...fromOwnPage, cookie: cookieOf(entered) }
    const { passkeys } = dataOf<{ readonly passkeys: ReadonlyArray<object> }>(await world.client.get(root, { headers }))
    expect(passkeys).toEqual([{ id, name: "Phone", created_at: timestamp, last_used_at: timestamp }])
  })

  it("the creation options have the account, only the supported algorithms, and the existing passkeys", async () => {
    const { device, person } = await registered(world)
    expect(await startOf(world, person)).toMatchObject({
      rp: { id: "console.example" },
      user: { id: Buffer.from(person.id).toString("base64url"), name: person.email },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ type: "public-key", id: device.credential_id }]
    })
    const wrong = await world.client.post(
      "/v1/admin/account/passkey-start",
      { present_password: "not it" },
      { headers: person.headers }
    )
    expectFailure(wrong, "400 invalid_parameter", "present_password")
  })

  it("they are bound to the origin of the page, whatever X-Embedding-Origin it sends", async () => {
    for (const said of ["https://evil.example", "nonsense"]) {
      const headers = { ...fromOwnPage, "x-embedding-origin": said }
      const asked = await world.client.post("/v1/admin/account/passkey-challenge", {}, { headers })
      expect(dataOf<Options>(asked).options.rpId).toBe("console.example")
    }
  })

  it("a removed one does not sign in, and all sessions end except the new one", async () => {
    const { device, id, person } = await registered(world)
    const { headers } = person
    const stranger = await world.operator.account("owner")
    const target = `${root}/${id}`
    expectFailure(await world.client.send({ method: "DELETE", target, headers: stranger.headers }), "404 not_found")
    const removed = await world.client.send({ method: "DELETE", target, headers })
    expectFailure(await world.client.get(root, { headers }), "401 invalid_token")
    const next = await world.client.get(root, { headers: { cookie: cookieOf(removed) } })
    expect(dataOf(next)).toEqual({ passkeys: [] })
    expectFailure(await signIn(world, device.get(await challengeOf(world))), "401 invalid_token")
  })
}

const forgedAnswers = (world: World): void => {
  const wrong: Readonly<Record<string, Misbehaviour>> = {
    "made for another site": { origin: "https://console.example.evil" },
    "made over plain http": { origin: "http://console.example" },
    "bound to another host": { host: "evil.example" },
    "without the person there": { present: false },
    "without having seen who it is": { verified: false },
    "meant for a new passkey": { type: "webauthn.create" },
    "made in a frame of another site": { crossOrigin: true },
    "with a challenge of its own": { challenge: "x".repeat(44) },
    "with a count that is behind": { counter: 0 }
  }
  it("an answer of a device with any one error does not sign in, and all errors get the same answer", async () => {
    const { device } = await registered(world)
    expect((await signIn(world, device.get(await challengeOf(world)))).status).toBe(200)
    const texts = new Set<string>()
    for (const [what, misbehaviour] of Object.entries(wrong)) {
      const received = await signIn(world, device.get(await challengeOf(world), misbehaviour))
      expect(outcomeOf(received), what).toBe("401 invalid_token")
      texts.add(received.text)
    }
    const stranger = new SoftAuthenticator(fromOwnPage.origin)
    texts.add((await signIn(world, stranger.get(await challengeOf(world)))).text)
    // Another key with the id of this one.
    const forged = { ...stranger.get(await challengeOf(world)), id: device.credential_id, rawId: device.credential_id }
    texts.add((await signIn(world, forged)).text)
    expect(texts.size).toBe(1)
    expect((await signIn(world, device.get(await challengeOf(world)))).status).toBe(200)
  })

  it("an answer of a device is accepted once, even if it is sent twice at the same time", async () => {
    const { device } = await registered(world)
    const answer = device.get(await challengeOf(world))
    const both = await Promise.all([signIn(world, answer), signIn(world, answer)])
    expect(both.map(outcomeOf).toSorted()).toEqual(["200", "401 invalid_token"])
    expectFailure(await signIn(world, answer), "401 invalid_token")
  })

  it("a cloned device is detected by its counter: the clone with the lower counter does not sign in", async () => {
    const { device } = await registered(world)
    expect((await signIn(world, device.get(await challengeOf(world), { counter: 7 }))).status).toBe(200)
    for (const counter of [7, 6, 0]) {
      const received = await signIn(world, device.get(await challengeOf(world), { counter }))
      expectFailure(received, "401 invalid_token")
    }
    expect((await signIn(world, device.get(await challengeOf(world), { counter: 8 }))).status).toBe(200)
  })

  it("a credential with an invalid id is 400, not 500", async () => {
    const [person, device] = [await world.operator.account("owner"), new SoftAuthenticator(fromOwnPage.origin)]
    for (const name of ["", "a\0b", "\0", "a b", "a+/=", "x".repeat(1_365)]) {
      const used = { ...device.get(await challengeOf(world)), id: name, rawId: name }
      expectFailure(await signIn(world, used), "400 invalid_parameter", "credential.id")
      const made = { ...device.create(await startOf(world, person)), id: name, rawId: name }
      expectFailure(await add(world, person, made), "400 invalid_parameter", "credential.id")
    }
  })

  it("a challenge for a new passkey does not sign in", async () => {
    const { device, person } = await registered(world)
    expectFailure(await signIn(world, device.get(await startOf(world, person))), "401 invalid_token")
  })
}

const forgedPasskeys = (world: World): void => {
  it("a passkey that is invalid, of another site or of another account is not added", async () => {
    const [person, other] = [await world.operator.account("owner"), await world.operator.account("owner")]
    const device = new SoftAuthenticator(fromOwnPage.origin)
    const wrong: ReadonlyArray<Misbehaviour> = [
      { origin: "https://evil.example" },
      { host: "evil.example" },
      { verified: false },
      { type: "webauthn.get" },
      { crossOrigin: true },
      { challenge: "x".repeat(44) }
    ]
    // Attempts of an account are limited, and each start counts.
    for (const misbehaviour of wrong) {
      const received = await add(world, person, device.create(await startOf(world, person), misbehaviour))
      expectFailure(received, "400 invalid_parameter", "credential")
    }
    for (const challenge of [await startOf(world, other), await challengeOf(world)]) {
      expectFailure(await add(world, person, device.create(challenge)), "400 invalid_parameter", "credential")
    }
    const made = device.create(await startOf(world, person))
    expect((await add(world, person, made)).status).toBe(201)
    expectFailure(await add(world, person, made), "400 invalid_parameter", "credential")
    expectFailure(await add(world, other, device.create(await startOf(world, other))), "409 conflict")
  })

  it("one with a malformed attestation, or with that of another credential, is a malformed credential", async () => {
    const person = await world.operator.account("owner")
    const device = new SoftAuthenticator(fromOwnPage.origin)
    const texts = new Set<string>()
    const malformed: ReadonlyArray<Uint8Array> = [
      Buffer.from("no CBOR"),
      encodeCbor(new Map([["authData", "text"]])),
      encodeCbor(new Map([["authData", Buffer.alloc(20_000)]])),
      Buffer.alloc(20_000, 0x81)
    ]
    for (const bytes of malformed) {
      texts.add(expectInvalid(await add(world, person, device.createFrom(await startOf(world, person), bytes))))
    }
    // PostgreSQL cannot index a value as long as the second.
    for (const credential_id of [new SoftAuthenticator(fromOwnPage.origin).credential_id, longId()]) {
      const made = device.create(await startOf(world, person), { credential_id })
      texts.add(expectInvalid(await add(world, person, made)))
    }
    expect(texts.size).toBe(1)
  })

  it("an attested one is created without the attestation", async () => {
    const person = await world.operator.account("owner")
    const device = new SoftAuthenticator(fromOwnPage.origin)
    const attest = attestationBy("android-key", "http://127.0.0.1:9/crl")
    expect((await add(world, person, device.create(await startOf(world, person), {}, attest))).status).toBe(201)
    expect((await signIn(world, device.get(await challengeOf(world)))).status).toBe(200)
  })
}

const expectInvalid = (received: Received): string => {
  expectFailure(received, "400 invalid_parameter", "credential")
  return received.text
}

/** 3,000 bytes that cannot be compressed. */
const longId = (): string =>
  Buffer.concat(Array.from({ length: 94 }, (_, at) => createHash("sha256").update(`${at}`).digest())).toString(
    "base64url"
  )
