/** What devices send is looked at here, and nowhere else: no attestation makes the service ask anybody. */
import dns from "node:dns"
import { once } from "node:events"
import net, { type AddressInfo, createServer } from "node:net"
import {
  type Attest,
  attestationBy,
  attestationFormats,
  encodeCbor,
  SoftAuthenticator
} from "@postcode/conformance/devices"
import { PasskeyCeremonies } from "@postcode/gateway/accounts/passkeys/PasskeyCeremonies"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, describe, expect, it, vi } from "vitest"
import { layerNodePasskeys } from "../../src/secrets/Passkeys.ts"

const site = { origin: "https://console.example", host: "console.example" }
const challenge = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"

const ceremonies = Effect.runSync(Effect.provide(PasskeyCeremonies, layerNodePasskeys))
const verify = (credential: object) => Effect.runPromiseExit(ceremonies.verifyNew(credential, challenge, site))
const notMade = Exit.fail(expect.objectContaining({ _tag: "InvalidParameter", parameter: "credential" }))

afterEach(() => vi.restoreAllMocks())

describe("an attestation", () => {
  it.each(attestationFormats)(
    "in the format %s opens no connection, and the passkey is created without it",
    async (format) => {
      await using listener = await countConnections()
      const ways = [vi.spyOn(globalThis, "fetch"), vi.spyOn(dns, "lookup"), vi.spyOn(net, "connect")]
      const device = new SoftAuthenticator(site.origin)
      const started_ms = performance.now()
      const exit = await verify(device.create({ challenge }, {}, attestationBy(format, listener.url)))
      expect(performance.now() - started_ms).toBeLessThan(4_000)
      for (const way of ways) expect(way).not.toHaveBeenCalled()
      expect(listener.connections()).toBe(0)
      expect(exit).toEqual(Exit.succeed(expect.objectContaining({ credential_id: device.credential_id, counter: 0 })))
    }
  )

  it("in an unknown format counts as none", async () => {
    const device = new SoftAuthenticator(site.origin)
    const unknown: Attest = () => ({ format: "unheard-of", statement: new Map([["x5c", ["nonsense"]]]) })
    expect(Exit.isSuccess(await verify(device.create({ challenge }, {}, unknown)))).toBe(true)
  })

  const noData: Readonly<Record<string, Uint8Array>> = {
    "nothing at all": Buffer.alloc(0),
    "no CBOR": Buffer.from("ff00ff", "hex"),
    "cut short": encodeCbor(new Map([["authData", Buffer.alloc(200)]])).subarray(0, 100),
    "no map": encodeCbor(["authData", Buffer.alloc(37)]),
    "without authenticator data": encodeCbor(new Map([["fmt", "none"]])),
    "with data as text": encodeCbor(new Map([["authData", "x".repeat(200)]])),
    "with data as a list": encodeCbor(new Map([["authData", Array(200).fill(0)]])),
    "with short data": encodeCbor(new Map([["authData", Buffer.alloc(36)]])),
    "with too much data": encodeCbor(new Map([["authData", Buffer.alloc(4_097, 0xc5)]])),
    "nested 10,000 deep": Buffer.concat([Buffer.alloc(10_000, 0x81), Buffer.from([0])]),
    "of a length that no message has": Buffer.from("a16861757468446174615bffffffffffffffff", "hex"),
    "of 2 ** 32 entries": Buffer.from("baffffffff", "hex"),
    "too large": encodeCbor(
      new Map([
        ["authData", Buffer.alloc(37)],
        ["attStmt", Buffer.alloc(40_000)]
      ])
    )
  }
  it.each(Object.entries(noData))("that is malformed is a malformed credential: %s", async (_, bytes) => {
    const started_ms = performance.now()
    expect(await verify(new SoftAuthenticator(site.origin).createFrom({ challenge }, bytes))).toEqual(notMade)
    expect(performance.now() - started_ms).toBeLessThan(4_000)
  })

  it("must be of its own credential", async () => {
    const device = new SoftAuthenticator(site.origin)
    for (const credential_id of ["", new SoftAuthenticator(site.origin).credential_id, "A".repeat(4_000)]) {
      expect(await verify(device.create({ challenge }, { credential_id })), credential_id).toEqual(notMade)
    }
  })
})

it("a ceremony that takes longer than 5 s fails as unavailable", async () => {
  vi.spyOn(crypto.subtle, "digest").mockReturnValue(new Promise(() => undefined))
  const device = new SoftAuthenticator(site.origin)
  const known = {
    id: "psk",
    account_id: "acc",
    name: "",
    credential_id: device.credential_id,
    public_key: "",
    counter: 0
  }
  const withinTime = <A, E>(ceremony: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(ceremony))
      yield* TestClock.adjust("5 seconds")
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
  const { verifyNew, verifyUse } = ceremonies
  const passkey = { ...known, created_at: "" }
  const unavailable = expect.objectContaining({ _tag: "Unavailable" })
  expect(await withinTime(verifyNew(device.create({ challenge }), challenge, site))).toEqual(unavailable)
  expect(await withinTime(verifyUse(device.get({ challenge }), challenge, site, passkey))).toEqual(unavailable)
})

/** A server that counts who connects, and has no list of revoked certificates. */
const countConnections = async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on("error", () => undefined).end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/crl`,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void server.close()
  }
}
