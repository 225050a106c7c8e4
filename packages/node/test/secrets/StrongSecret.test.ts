import { randomBytes } from "node:crypto"
import { weakSecrets } from "@postcode/conformance/devices"
import { isStrongSecret } from "@postcode/gateway/store/StrongSecret"
import { layerNodeSecrets, layerSessionTokens, type Pepper, randomAlphanumeric } from "@postcode/node/secrets"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"

const strong = "q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe"
const pepper = (secret: string, version = 1): Pepper => ({ version, secret: Redacted.make(secret) })

describe("a secret", () => {
  it.each(Object.entries(weakSecrets))("%s is none", (_, text) => {
    expect(isStrongSecret(text)).toBe(false)
  })

  it("of random digits is accepted in any notation", () => {
    for (let i = 0; i < 10_000; i++) {
      for (const secret of [
        randomBytes(32).toString("hex"),
        randomBytes(24).toString("hex"),
        randomBytes(32).toString("base64"),
        randomBytes(24).toString("base64url"),
        randomAlphanumeric(32)
      ]) {
        expect(isStrongSecret(secret), secret).toBe(true)
      }
    }
  })

  it("of 32 to 512 characters is accepted", () => {
    expect(isStrongSecret(strong)).toBe(true)
    expect(isStrongSecret(randomAlphanumeric(512))).toBe(true)
  })
})

describe("a weak secret", () => {
  const says = /expected 32 to 512 printable ASCII characters.* openssl rand -hex 32/
  const uses: Readonly<Record<string, (secret: string) => Promise<unknown>>> = {
    "pepper of version 1: ": (secret) => built(layerNodeSecrets(pepper(secret))),
    "pepper of version 2: ": (secret) => built(layerNodeSecrets(pepper(strong), [pepper(secret, 2)])),
    "session key first: ": (secret) => built(layerSessionTokens([{ id: "first", secret: Redacted.make(secret) }])),
    "session key second: ": (secret) =>
      built(
        layerSessionTokens([
          { id: "first", secret: Redacted.make(strong) },
          { id: "second", secret: Redacted.make(secret) }
        ])
      )
  }
  it.each(Object.entries(uses))("is refused where it would be used, with how to make one: %s", async (name, use) => {
    await use(strong)
    for (const [what, secret] of Object.entries(weakSecrets)) {
      const { message } = await use(secret).then(
        () => new Error(`taken: ${what}`),
        (error: Error) => error
      )
      expect(message).toMatch(says)
      expect(message.startsWith(name)).toBe(true)
      if (secret !== "") expect(message).not.toContain(secret)
    }
  })

  it("is refused, and so are a fifth pepper and a repeated version", async () => {
    const [present, ...former] = [5, 4, 3, 2, 1].map((version) => pepper(strong, version)) as [Pepper, ...Array<Pepper>]
    await built(layerNodeSecrets(present, former.slice(1)))
    await expect(built(layerNodeSecrets(present, former))).rejects.toThrow("peppers: expected at most 4")
    await expect(built(layerNodeSecrets(present, [present]))).rejects.toThrow("peppers: expected each version once")
  })
})

const built = async <A>(layer: Layer.Layer<A>): Promise<void> => {
  const exit = await Effect.runPromiseExit(Effect.scoped(Layer.build(layer)))
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
}
