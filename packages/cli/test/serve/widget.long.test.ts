/** The widget's back end as `postcode serve` runs it: its host, its secrets and their rotation, and what a stop keeps. */
import { createHash } from "node:crypto"
import { operatorToken } from "@postcode/conformance/wire"
import { manage } from "@postcode/drills/Management"
import { type Service, serveSmallDirectory } from "@postcode/drills/StartCommand"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const secret = (name: string) => `${name}:the-signing-key-${name}-for-tests-alone`
const pepper = (version: number) => `${version}:the-pepper-number-${version}-for-tests-alone`

describe("the platform's host", () => {
  it("has a separate port, and stops with the gateway's host", async () => {
    await using shop = await openShop(["--platform-port", "0", "--access-log"])
    const platform = shop.service.shown("widget")
    expect(platform).not.toBe(shop.service.url)
    const session = await start(platform, shop.key)
    for (let i = 0; i < 6; i++) expect(await statusOf(`${platform}/v1/widget/bookmarks`, session)).toBe(200)
    for (const health of ["live", "ready"]) expect(await statusOf(`${platform}/v1/health/${health}`)).toBe(200)
    expect(await statusOf(`${platform}/v1/search/autocomplete`)).toBe(404)
    expect(await statusOf(`${platform}/v1/admin/organizations`, operatorToken)).toBe(404)
    expect(await statusOf(`${shop.service.url}/v1/search/autocomplete`)).toBe(200)
    expect(await statusOf(`${shop.service.url}/v1/widget/bookmarks`, session)).toBe(404)
    expect(await shop.service.stop()).toBe(0)
    for (const url of [platform, shop.service.url]) await expect(statusOf(`${url}/v1/health/live`)).rejects.toThrow()
    const operations = shop.service.stderr().match(/"operation":"[^"]+"/g) ?? []
    expect(operations.filter((operation) => operation.includes("widget.bookmarks"))).toHaveLength(6)
  })
})

describe("a service without settings of the widget", () => {
  let shop: Shop

  beforeAll(async () => {
    shop = await openShop(["--access-log"])
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  it("has the widget's endpoints on the gateway's host", async () => {
    expect(await statusOf(`${shop.service.url}/v1/widget/bookmarks`, await start(shop.service.url, shop.key))).toBe(200)
    expect(shop.service.stderr()).not.toMatch(/^ {2}widget /m)
  })

  it("does not show the signing keys that it makes at its start", async () => {
    const made = /made-at-start/
    expect(kidOf(await start(shop.service.url, shop.key))).toMatch(made)
    expect(shop.service.stderr()).not.toMatch(made)
  })

  it("writes no identifier, key or token, in any encoding or as a hash without the pepper", async () => {
    const { key, service } = shop
    const canaries = ["84213579604", "Ngozi.Canary@Example.NG", "ngozi.canary@example.ng"]
    const tokens: Array<string> = []
    for (const canary of canaries) {
      const session = await start(service.url, key, canary)
      tokens.push(session)
      const ways = [session, canary, `${session.slice(0, -2)}AA`, session.slice(1)]
      for (const way of ways) await statusOf(`${service.url}/v1/widget/bookmarks?identifier=${canary}&t=${way}`, way)
      await ask(service.url, key, `${canary}@`)
      await ask(service.url, session, canary)
    }
    expect(await service.stop()).toBe(0)
    const written = service.stderr().toLowerCase()
    expect(written).toContain("widget.session")
    for (const secret of [...canaries, key, ...tokens]) {
      const bare = createHash("sha256").update(secret).digest()
      const forms = [secret, encodeURIComponent(secret), bare.toString("hex"), bare.toString("base64")]
      for (const offset of [0, 1, 2]) {
        forms.push(
          Buffer.from(`${"x".repeat(offset)}${secret}`)
            .toString("base64")
            .slice(4, -4)
        )
      }
      for (const form of forms) expect(written.includes(form.toLowerCase()), `${forms.indexOf(form)}`).toBe(false)
    }
  })
})

describe("a service with settings of the widget", () => {
  let shop: Shop

  beforeAll(async () => {
    shop = await openShop(["--session-rate-limit", "2", "--trusted-proxies", "127.0.0.1"], {
      POSTCODE_SESSION_KEYS: `${secret("new")},${secret("old")}`,
      POSTCODE_IDENTIFIER_PEPPER: `${pepper(2)},${pepper(1)}`
    })
  })
  afterAll(() => shop[Symbol.asyncDispose]())

  it("signs by the first of its signing keys, and hashes by the first of its peppers", async () => {
    expect(kidOf(await start(shop.service.url, shop.key))).toBe("new")
    const events = await manage<{ readonly events: ReadonlyArray<{ readonly subject: string }> }>(
      shop.service.url,
      "GET",
      "/audit?action=widget_session.requested"
    )
    expect(events.events.map(({ subject }) => subject.slice(0, 2))).toEqual(["2:"])
  })

  it("has the session limit of an address from them", async () => {
    const statuses: Array<number> = []
    for (let i = 0; i < 3; i++) {
      statuses.push((await ask(shop.service.url, shop.key, `p${i}@example.ng`, "192.0.2.1")).status)
    }
    expect(statuses).toEqual([200, 200, 429])
  })
})

interface Shop extends AsyncDisposable {
  readonly service: Service
  readonly key: string
}

/** A service in memory with a publishable key. */
const openShop = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Shop> => {
  const service = await serveSmallDirectory(args, { POSTCODE_OPERATOR_TOKEN: operatorToken, ...env })
  const { id } = await manage<{ readonly id: string }>(service.url, "POST", "/organizations", { name: "Shop" })
  const { secret } = await manage<{ readonly secret: string }>(service.url, "POST", `/organizations/${id}/keys`, {
    name: "page",
    kind: "publishable",
    environment: "test",
    scopes: ["search"],
    max_level: 1
  })
  return { service, key: secret, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const ask = (url: string, key: string, identifier: string, address = "192.0.2.2"): Promise<Response> =>
  fetch(`${url}/v1/widget/session`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ identifier })
  })

const start = async (url: string, key: string, identifier = "ada@example.ng"): Promise<string> => {
  const { data } = (await (await ask(url, key, identifier)).json()) as {
    readonly data: { readonly token: string }
  }
  return data.token
}

const statusOf = async (url: string, bearer?: string): Promise<number> =>
  (await fetch(url, { headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` } })).status

const kidOf = (session: string): string =>
  JSON.parse(Buffer.from(session.split(".")[0] ?? "", "base64url").toString()).kid
