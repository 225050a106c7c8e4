import { assert, describe, it } from "@effect/vitest"
import { buyUrlFor, isBuyCreditsUrl } from "../src/credits/BuyCreditsUrl.ts"

const valid = [
  "https://pay.example/{organization_id}",
  "https://pay.example/credits?organization={organization_id}&environment={environment}",
  "https://pay.example:8443/#/buy/{organization_id}/{environment}/{organization_id}",
  "https://xn--bcher-kva.example/?o={organization_id}",
  "HTTPS://PAY.example/{organization_id}",
  "http://localhost:4000/{organization_id}",
  "http://127.0.0.1/{organization_id}",
  "http://[::1]:80/{organization_id}"
]

const invalid: ReadonlyArray<unknown> = [
  undefined,
  null,
  5,
  "",
  "https://pay.example/",
  "https://pay.example/{environment}",
  "https://pay.example/{org}",
  "https://pay.example/{organization_id}/{name}",
  "https://pay.example/{organization_id",
  "https://{organization_id}.example/",
  "https://pay.example:{organization_id}/",
  "https://pay.example{organization_id}",
  "http://pay.example/{organization_id}",
  "http://localhost.evil.example/{organization_id}",
  "http://127.0.0.1.evil.example/{organization_id}",
  "https://user:password@pay.example/{organization_id}",
  "https://localhost@evil.example/{organization_id}",
  "javascript:alert('{organization_id}')",
  "//pay.example/{organization_id}",
  "ftp://pay.example/{organization_id}",
  " https://pay.example/{organization_id}",
  "https://pay.example/{organization_id} ",
  "https://pay.example/\n{organization_id}",
  'https://pay.example/"{organization_id}',
  "https://pay.example/<{organization_id}>",
  "https://pay.example/\u202e{organization_id}",
  `https://pay.example/{organization_id}${"a".repeat(1000)}`
]

describe("the page where credits are bought", () => {
  for (const url of valid) it(`is accepted: ${url}`, () => assert.isTrue(isBuyCreditsUrl(url)))
  for (const url of invalid)
    it(`is refused: ${JSON.stringify(url)?.slice(0, 60)}`, () => assert.isFalse(isBuyCreditsUrl(url)))

  it("is the same page for every name in braces, filled once", () => {
    const account = { organization_id: "org_{environment}&", environment: "live" } as const
    assert.strictEqual(
      buyUrlFor("https://pay.example/{organization_id}?in={environment}", account),
      "https://pay.example/org_%7Benvironment%7D%26?in=live"
    )
    assert.isUndefined(buyUrlFor(undefined, account))
  })
})
