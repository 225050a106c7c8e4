/** Bookmarks that end users save themselves, in sessions with a proof, and the settings and keys behind them. */
import { Secrets } from "@postcode/gateway/store/Secrets"
import { OwnBookmarks } from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { postcodes } from "../../world/FixtureDirectory.ts"
import type { TestKey } from "../../world/Operator.ts"
import { type TestClient, url } from "../../world/TestClient.ts"
import { proofOf, type Voucher } from "../../world/UserProofs.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure, outcomeOf, type Received } from "../Received.ts"

export const ownBookmarks = (world: World): void => {
  describe("own bookmarks of end users", () => {
    keeping(world)
    isolation(world)
  })
  describe("proofs of end users", () => proofs(world))
  describe("settings of widget sessions", () => settings(world))
}

const path = "/v1/widget/bookmarks"
const home = { postcode: postcodes.full, label: "Home" }
const shop = { postcode: postcodes.bare, label: "Ilé ìtajà" }

let people = 0
const newPerson = (): string => `person.${++people}.${Date.now()}@own.example`

/** A shop whose end users may keep bookmarks. */
interface Shop extends Voucher {
  readonly key: TestKey
}

const target = ({ organization_id }: TestKey): string => `/v1/admin/organizations/${organization_id}/widget`

const proofKey = async (world: World, key: TestKey): Promise<string> =>
  dataOf<{ readonly secret: string }>(await world.operator.call("POST", `${target(key)}/proof-key`)).secret

const set = async (world: World, key: TestKey, changes: object): Promise<unknown> =>
  dataOf(await world.operator.call("PATCH", target(key), changes))

const openShop = async (world: World): Promise<Shop> => {
  const key = await world.operator.key({ kind: "publishable" })
  await set(world, key, { own_bookmarks: true })
  return { key, organization_id: key.organization_id, secret: await proofKey(world, key) }
}

const start = (client: TestClient, key: TestKey, body: object): Promise<Received> =>
  client.post("/v1/widget/session", body, { key: key.secret })

/** The token of a session with a proof. */
const proven = async (world: World, seller: Shop, identifier: string): Promise<string> => {
  const proof = proofOf(seller, identifier)
  world.client.newVisitor()
  return dataOf<{ readonly token: string }>(await start(world.client, seller.key, { identifier, proof })).token
}

const list = async (client: TestClient, token: string): Promise<unknown> =>
  dataOf<{ readonly bookmarks: unknown }>(await client.get(path, { token })).bookmarks

const save = (client: TestClient, token: string, bookmark: object): Promise<Received> =>
  client.post(path, bookmark, { token })

const remove = (client: TestClient, token: string, code: string): Promise<Received> =>
  client.send({ method: "DELETE", target: url(path, { code }), token })

const keeping = (world: World): void => {
  it("a session with a proof saves, lists and removes them, over all replicas; the newest is first", async () => {
    const seller = await openShop(world)
    const token = await proven(world, seller, newPerson())
    const replica = await world.serveAnother()
    const saved = await save(world.client, token, home)
    expect(saved.status).toBe(201)
    expect(dataOf(saved)).toEqual(home)
    expect(outcomeOf(await save(replica.client, token, { ...shop, postcode: "la12a03bg08" }))).toBe("201")
    expect(await list(world.client, token)).toEqual([shop, home])
    expect(outcomeOf(await save(world.client, token, { ...home, label: "Old home" }))).toBe("201")
    expect(await list(replica.client, token)).toEqual([{ ...home, label: "Old home" }, shop])
    expect(dataOf(await remove(replica.client, token, " la 12 a03 bg 07 "))).toEqual({ removed: true })
    expectFailure(await remove(world.client, token, home.postcode), "404 not_found")
    expect(await list(world.client, token)).toEqual([shop])
  })

  it("they stand before those of the account, once for each postcode; those of the account cannot be removed", async () => {
    const person = newPerson()
    const ofAccount = [
      { postcode: postcodes.full, label: "Home, by the operator" },
      { postcode: postcodes.partly, label: "Work" }
    ]
    await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [person], bookmarks: ofAccount })
    const token = await proven(world, await openShop(world), person)
    expect(await list(world.client, token)).toEqual(ofAccount)
    await save(world.client, token, shop)
    await save(world.client, token, home)
    expect(await list(world.client, token)).toEqual([home, shop, ofAccount[1]])
    expectFailure(await remove(world.client, token, postcodes.partly), "404 not_found")
    await remove(world.client, token, home.postcode)
    expect(await list(world.client, token)).toEqual([shop, ...ofAccount])
  })

  it("a malformed postcode or label is 400 and is not saved", async () => {
    const token = await proven(world, await openShop(world), newPerson())
    for (const [body, name] of [
      [{ ...home, postcode: "LA-12" }, "postcode"],
      [{ label: "Home" }, "postcode"],
      [{ ...home, label: "" }, "label"],
      [{ ...home, label: "x".repeat(101) }, "label"]
    ] as const) {
      expectFailure(await save(world.client, token, body), "400 invalid_parameter", `${name}: `)
    }
    expectFailure(await remove(world.client, token, "LA-12"), "400 invalid_parameter", "code: ")
    expect(await list(world.client, token)).toEqual([])
  })

  it("a session changes 30; then it is 429, and the list stays", async () => {
    const token = await proven(world, await openShop(world), newPerson())
    for (let i = 0; i < 30; i++) expect(outcomeOf(await save(world.client, token, home))).toBe("201")
    for (const received of [await save(world.client, token, shop), await remove(world.client, token, home.postcode)]) {
      expectFailure(received, "429 rate_limit_exceeded", "its 30 changes of bookmarks", "start another session")
    }
    expect(await list(world.client, token)).toEqual([home])
  })
}

const isolation = (world: World): void => {
  it("other organizations, other end users, and sessions without a proof do not see them", async () => {
    const person = newPerson()
    const [seller, other] = [await openShop(world), await openShop(world)]
    const token = await proven(world, seller, person)
    await save(world.client, token, home)
    for (const stranger of [
      await proven(world, other, person),
      await proven(world, seller, newPerson()),
      await world.operator.session(seller.key, person)
    ]) {
      expect(await list(world.client, stranger)).toEqual([])
    }
    expectFailure(await remove(world.client, await proven(world, other, person), home.postcode), "404 not_found")
    expect(await list(world.client, await proven(world, seller, person))).toEqual([home])
  })

  it("without a proof, saving and removing are 403 insufficient_scope, with and without an identifier", async () => {
    const { key } = await openShop(world)
    const anonymous = dataOf<{ readonly token: string }>(await start(world.client, key, {})).token
    for (const token of [await world.operator.session(key), anonymous]) {
      expectFailure(await save(world.client, token, home), "403 insufficient_scope", "proof")
      expectFailure(await remove(world.client, token, home.postcode), "403 insufficient_scope", "proof")
    }
  })

  it("when the organization turns them off, they are hidden and cannot be changed, also during a session", async () => {
    const seller = await openShop(world)
    const token = await proven(world, seller, newPerson())
    await save(world.client, token, home)
    await set(world, seller.key, { own_bookmarks: false })
    expect(await list(world.client, token)).toEqual([])
    expectFailure(await save(world.client, token, shop), "403 insufficient_scope", "own_bookmarks")
    await set(world, seller.key, { own_bookmarks: true })
    expect(await list(world.client, token)).toEqual([home])
  })

  it("without proof, bookmarks of the account are shown, unless the organization turns that off", async () => {
    const person = newPerson()
    await world.operator.call("PUT", "/v1/admin/end-users", { identifiers: [person], bookmarks: [home] })
    const seller = await openShop(world)
    const [token, withProof] = [await world.operator.session(seller.key, person), await proven(world, seller, person)]
    expect(await list(world.client, token)).toEqual([home])
    await set(world, seller.key, { bookmarks_without_proof: false })
    expect(await list(world.client, token)).toEqual([])
    expect(await list(world.client, withProof)).toEqual([home])
  })

  it("closing an organization removes them", async () => {
    const person = newPerson()
    const seller = await openShop(world)
    await save(world.client, await proven(world, seller, person), home)
    const { organization_id } = seller.key
    const stored = () =>
      world.run(
        Effect.gen(function* () {
          const own = yield* OwnBookmarks
          const identifier_hashes = (yield* Secrets).identifierHashes(Redacted.make(person))
          return yield* own.list({ organization_id, environment: "test", identifier_hashes })
        })
      )
    expect(await stored()).toEqual([home])
    for (const change of ["suspend", "close"]) {
      const at = `/v1/admin/organizations/${organization_id}/${change}`
      dataOf(await world.operator.call("POST", at, { reason: "for a test" }))
    }
    expect(await stored()).toEqual([])
  })
}

const proofs = (world: World): void => {
  it("an invalid proof is 401 invalid_token, always in the same words, and costs nothing", async () => {
    const seller = await openShop(world)
    const other = await openShop(world)
    const person = newPerson()
    const now_s = Math.floor(Date.now() / 1000)
    const invalid = [
      "x.y.z",
      proofOf({ ...seller, secret: other.secret }, person),
      proofOf(other, person),
      proofOf(seller, newPerson()),
      proofOf(seller, person, { exp: now_s - 1 }),
      proofOf(seller, person, { exp: now_s + 700 }),
      proofOf(seller, person, { exp: undefined }),
      proofOf(seller, person, { aud: "elsewhere" })
    ]
    const messages = new Set<string>()
    for (const proof of invalid) {
      world.client.newVisitor()
      const received = await start(world.client, seller.key, { identifier: person, proof })
      expectFailure(received, "401 invalid_token", "proof: expected a JWT")
      messages.add(received.text)
      expect(received.text).not.toContain(proof)
      expect(received.text).not.toContain(person)
    }
    expect(messages.size).toBe(1)
    const { entries } = await world.operator.statement(seller.key.organization_id, "test")
    expect(entries.map(({ reason }) => reason)).toEqual(["opening"])
  })

  it("of an organization without a proof key every proof is invalid", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    const person = newPerson()
    const proof = proofOf({ organization_id: key.organization_id, secret: "svc_proof_none" }, person)
    expectFailure(await start(world.client, key, { identifier: person, proof }), "401 invalid_token")
  })

  it("a proof without an identifier, or in another form, is 400", async () => {
    const seller = await openShop(world)
    const proof = proofOf(seller, newPerson())
    expectFailure(
      await start(world.client, seller.key, { proof }),
      "400 invalid_parameter",
      "proof: expected an identifier"
    )
    for (const malformed of [7, null, "", "x", "x.y", `${proof}=`, ` ${proof}`, `${proof}.x`, "x".repeat(3_000)]) {
      const received = await start(world.client, seller.key, { identifier: newPerson(), proof: malformed })
      expectFailure(received, "400 invalid_parameter", "proof: ")
    }
  })

  it("the previous key stays valid beside a new one, and ends with the one after it", async () => {
    const seller = await openShop(world)
    const startWith = async (secret: string): Promise<string> => {
      const person = newPerson()
      world.client.newVisitor()
      return outcomeOf(
        await start(world.client, seller.key, { identifier: person, proof: proofOf({ ...seller, secret }, person) })
      )
    }
    const second = await proofKey(world, seller.key)
    expect([await startWith(seller.secret), await startWith(second)]).toEqual(["200", "200"])
    const third = await proofKey(world, seller.key)
    expect(await startWith(seller.secret)).toBe("401 invalid_token")
    expect([await startWith(second), await startWith(third)]).toEqual(["200", "200"])
  })

  it("the token of a session with a proof is as long as one without, and the audit log notes the proof", async () => {
    const seller = await openShop(world)
    const person = newPerson()
    const token = await proven(world, seller, person)
    expect(token.length).toBe((await world.operator.session(seller.key, person)).length)
    const events = dataOf<{ readonly events: ReadonlyArray<{ readonly details: object }> }>(
      await world.operator.call(
        "GET",
        `/v1/admin/audit?action=widget_session.requested&organization_id=${seller.key.organization_id}`
      )
    ).events
    expect(events.map(({ details }) => "proven" in details)).toEqual([false, true])
  })
}

const settings = (world: World): void => {
  it("are off for own bookmarks and on for reading by default, and fields that are missing stay", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    const byDefault = { own_bookmarks: false, bookmarks_without_proof: true, proof_key_created_at: null }
    expect(dataOf(await world.operator.call("GET", target(key)))).toEqual(byDefault)
    expect(await set(world, key, { own_bookmarks: true })).toEqual({ ...byDefault, own_bookmarks: true })
    expect(await set(world, key, {})).toEqual({ ...byDefault, own_bookmarks: true })
    expect(await set(world, key, { bookmarks_without_proof: false })).toMatchObject({
      own_bookmarks: true,
      bookmarks_without_proof: false
    })
  })

  it("a proof key is shown once, and when it was created after that", async () => {
    const key = await world.operator.key({ kind: "publishable" })
    const created = await world.operator.call("POST", `${target(key)}/proof-key`)
    expect(created.status).toBe(201)
    const { created_at, former_until, secret } = dataOf<Readonly<Record<string, string | null>>>(created)
    expect(secret).toMatch(/^svc_proof_[\w-]{43}$/)
    expect(former_until).toBeNull()
    const shown = await world.operator.call("GET", target(key))
    expect(dataOf(shown)).toMatchObject({ proof_key_created_at: created_at })
    expect(shown.text).not.toContain(secret)
    const again = dataOf<{ readonly former_until: string }>(
      await world.operator.call("POST", `${target(key)}/proof-key`)
    )
    expect(Date.parse(again.former_until) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  })

  it.each(["own_bookmarks", "bookmarks_without_proof"])("%s is true or false", async (name) => {
    const key = await world.operator.key({ kind: "publishable" })
    for (const value of ["true", 1, null]) {
      const received = await world.operator.call("PATCH", target(key), { [name]: value })
      expectFailure(received, "400 invalid_parameter", name)
    }
  })

  it("of an unknown organization are 404", async () => {
    for (const [method, end] of [
      ["GET", ""],
      ["PATCH", ""],
      ["POST", "/proof-key"]
    ] as const) {
      const at = `/v1/admin/organizations/org_none/widget${end}`
      const received = await world.operator.call(method, at, method === "PATCH" ? {} : undefined)
      expectFailure(received, "404 not_found")
    }
  })
}
