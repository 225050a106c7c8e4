import { signedContent, webhookBody } from "@postcode/gateway/webhooks/Webhook"
import { WebhookSecrets } from "@postcode/gateway/webhooks/WebhookSecrets"
import { layerNodeSecrets, type Pepper } from "@postcode/node/secrets"
import { Effect, Redacted } from "effect"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"

const pepper = (version: number, secret = `a-pepper-for-tests-of-the-version-${version}`): Pepper => ({
  version,
  secret: Redacted.make(secret)
})

const secretsUnder = (present: Pepper, ...former: ReadonlyArray<Pepper>): WebhookSecrets["Service"] =>
  Effect.runSync(Effect.provide(WebhookSecrets, layerNodeSecrets(present, former)))

const id = "msg_1"
const data = { name: "Ẹ̀kọ́" }
const body = webhookBody({ id, type: "webhook.test", at: "2026-01-31T12:00:00.000Z", data })
const timestamp_s = Math.floor(Date.now() / 1_000)
const content = signedContent(id, timestamp_s, body)
const headersWith = (signature: string) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp_s),
  "webhook-signature": signature
})

describe("secrets of webhooks", () => {
  const secrets = secretsUnder(pepper(1))
  const { sealed, secret } = secrets.make("whk_1")
  const signature = secrets.sign(sealed, "whk_1", content) ?? ""
  const receiver = new Webhook(Redacted.value(secret))

  it("a signature is accepted by the library of Standard Webhooks, alone or with another one", () => {
    expect(Redacted.value(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const other = secrets.sign(secrets.make("whk_1").sealed, "whk_1", content)
    for (const both of [signature, `${signature} ${other}`, `${other} ${signature}`]) {
      expect(receiver.verify(body, headersWith(both))).toMatchObject({ type: "webhook.test", data })
    }
  })

  it("the library refuses a signature with another body, id, time or secret", () => {
    const headers = headersWith(signature)
    expect(() => receiver.verify(body.replace("test", "tes"), headers)).toThrow("signature")
    expect(() => receiver.verify(body, { ...headers, "webhook-id": "msg_2" })).toThrow("signature")
    expect(() => receiver.verify(body, { ...headers, "webhook-timestamp": String(timestamp_s - 1) })).toThrow(
      "signature"
    )
    const other = new Webhook(Redacted.value(secrets.make("whk_1").secret))
    expect(() => other.verify(body, headers)).toThrow("signature")
  })

  it("a sealed secret shows nothing of the secret, and is different each time", () => {
    const raw = Redacted.value(secret).slice("whsec_".length)
    expect(sealed).not.toContain(raw)
    expect(Buffer.from(sealed.slice(2), "base64").includes(Buffer.from(raw, "base64"))).toBe(false)
    expect(String(secret)).not.toContain(raw)
    const many = Array.from({ length: 100 }, () => secrets.make("whk_1"))
    expect(new Set(many.map((one) => Redacted.value(one.secret))).size).toBe(100)
    expect(new Set(many.map((one) => one.sealed)).size).toBe(100)
  })

  it("a sealed secret opens only for its endpoint, and only unchanged", () => {
    expect(secrets.sign(sealed, "whk_2", content)).toBeUndefined()
    const box = Buffer.from(sealed.slice(2), "base64")
    for (const place of [0, 11, 12, 27, 28, box.length - 1]) {
      const changed = Buffer.from(box)
      changed[place] = (changed[place] as number) ^ 1
      expect(secrets.sign(`1:${changed.toString("base64")}`, "whk_1", content), String(place)).toBeUndefined()
    }
    for (const broken of [
      "",
      "1",
      "1:",
      ":",
      `2:${box.toString("base64")}`,
      `1:${box.subarray(0, 30).toString("base64")}`
    ]) {
      expect(secrets.sign(broken, "whk_1", content), broken).toBeUndefined()
    }
  })

  it("a sealed secret opens as long as its pepper is configured", () => {
    expect(secretsUnder(pepper(2), pepper(1)).sign(sealed, "whk_1", content)).toBe(signature)
    expect(secretsUnder(pepper(1)).sign(sealed, "whk_1", content)).toBe(signature)
    expect(secretsUnder(pepper(2)).sign(sealed, "whk_1", content)).toBeUndefined()
    expect(secretsUnder(pepper(1, "another-pepper-of-this-very-number")).sign(sealed, "whk_1", content)).toBeUndefined()
    expect(secretsUnder(pepper(2), pepper(1)).make("whk_1").sealed).toMatch(/^2:/)
  })
})
