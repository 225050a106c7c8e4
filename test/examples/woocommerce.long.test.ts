// The plugin examples/woocommerce: its check against a real service, what it does while that is unavailable, its settings, and
// its field and script in Chromium. WordPress itself is not there: `woocommerce/wordpress.php` has the functions that it calls.

import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { root } from "../../scripts/workspace.mjs"
import { type DemonstrationService, ownEnvironment, startService } from "../documents/DemonstrationService.ts"
import { commandLine } from "../documents/ExampleSession.ts"
import { requireBuilt } from "../RequireBuilt.ts"

const plugin = join(root, "examples/woocommerce/postcode-gateway.php")
const wordpress = join(import.meta.dirname, "woocommerce/wordpress.php")
// Where php is missing, the report has the tests as skipped.
const hasPhp = spawnSync("php", ["--version"]).status === 0
const describePhp = describe.skipIf(!hasPhp)
const itPhp = it.skipIf(!hasPhp)
let service: DemonstrationService

beforeAll(async () => {
  requireBuilt()
  service = await startService([commandLine], ownEnvironment())
})
afterAll(() => service?.stop())

/** Runs PHP, which must report nothing, and answers its output. */
const php = async (args: ReadonlyArray<string>, input = ""): Promise<string> => {
  const child = spawn("php", ["-d", "display_errors=stderr", "-d", "error_reporting=-1", ...args])
  child.stdin.end(input)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  expect([errors, code]).toEqual(["", 0])
  return output
}

/** Plays a scene in WordPress. */
const play = async (scene: string, input: object) => JSON.parse(await php([wordpress, scene], JSON.stringify(input)))

const options = (more: object = {}) => ({ postcode_gateway_url: service.url, ...more })
const order = (code: unknown, more: object = {}) =>
  play("order", { options: options(), post: { national_postcode: code }, ...more })

itPhp("the plugin is PHP without errors", async () => {
  expect(await php(["-l", plugin])).toMatch(/^No syntax errors detected/)
})

describePhp("an order", () => {
  it.for([
    ["LA-11-B03-PD-01", "LA-11-B03-PD-01", "valid"],
    [" la 11 b03 pd 01 ", "LA-11-B03-PD-01", "valid"],
    ["LA-11-B03-PD-99", "LA-11-B03-PD-99", "not_found"],
    ["AB-01-C04-PF-19", "AB-01-C04-PF-19", "retired"],
    ["LA 11 B03 QD 1O", "LA 11 B03 QD 1O", "malformed"],
    ["<script>alert(1)</script>", "alert(1)", "malformed"],
    ['O\'Neill \\ "x"', 'O\'Neill \\ "x"', "malformed"],
    ["100001", "100001", "malformed"]
  ])("with %j is %s, %s", async ([typed, code, status]) => {
    const { meta, notes, shown, waiting } = await order(typed)
    expect(meta).toMatchObject({ _postcode_gateway_code: code, _postcode_gateway_status: status })
    expect(notes).toHaveLength(status === "valid" ? 0 : 1)
    expect(waiting).toBe(0)
    expect(shown).not.toContain("<script")
  })

  it("with a typing error has the likely postcode in a note for the shop, and a retired one its successor", async () => {
    expect((await order("LA 11 B03 QD 1O")).notes[0]).toMatch(/did you mean LA-11-B03-QD-10\?/)
    expect((await order("AB-01-C04-PF-19")).notes[0]).toMatch(/no longer in use\. It is now AB-01-C04-PF-18\./)
  })

  it("without a postcode, or with something else in its place, is taken and not checked", async () => {
    for (const code of ["", "  ", ["LA"], null, 7]) expect((await order(code)).meta).toEqual({})
    const { meta } = await play("order", { options: options(), post: {} })
    expect(meta).toEqual({})
  })

  it("of a long text keeps 200 characters", async () => {
    const { meta } = await order("x".repeat(100_000))
    expect(meta._postcode_gateway_code).toHaveLength(200)
  })

  it("keeps the address that the customer typed where there is no postcode", async () => {
    const post = { national_postcode: "", "national_postcode-text": "opposite the school, Ikeja" }
    const { meta, shown } = await play("order", { options: options(), post })
    expect(meta).toEqual({ _postcode_gateway_text: "opposite the school, Ikeja" })
    expect(shown).toContain("opposite the school, Ikeja")
  })

  it("with a place in the place of a postcode is not called wrong", async () => {
    const post = {
      national_postcode: "LA-11",
      "national_postcode-text": "12 Allen",
      "national_postcode-status": "partial"
    }
    const { meta, notes, shown } = await play("order", { options: options(), post })
    expect(meta).toMatchObject({ _postcode_gateway_code: "LA-11", _postcode_gateway_status: "partial" })
    expect([notes, shown]).toEqual([[], "<p><strong>Postcode</strong><br>LA-11<br>12 Allen</p>"])
    const forged = await play("order", { options: options(), post: { ...post, "national_postcode-status": ["valid"] } })
    expect(forged.meta._postcode_gateway_status).toBe("malformed")
  })

  it("is checked by WP-Cron, and not before the customer sees that it is taken", async () => {
    const { meta, waiting } = await order("LA-11-B03-PD-01", { runs: 0 })
    expect([meta, waiting]).toEqual([{ _postcode_gateway_code: "LA-11-B03-PD-01" }, 1])
  })

  it("sends the secret key, and is unchecked with a wrong one", async () => {
    const key = service.secrets.POSTCODE_KEY ?? ""
    const post = { national_postcode: "LA-11-B03-PD-01" }
    const checked = await play("order", { options: options({ postcode_gateway_secret_key: key }), post })
    expect(checked.meta._postcode_gateway_status).toBe("valid")
    const wrong = await play("order", { options: options({ postcode_gateway_secret_key: "svc_test_wrong" }), post })
    expect(wrong.meta._postcode_gateway_message).toBe("The postcode was not checked: 401 invalid_api_key")
    expect(wrong.waiting).toBe(1)
  })
})

describePhp("while the service is unavailable", () => {
  const post = { national_postcode: "LA-11-B03-PD-01" }

  it("an order is taken, and checked again five times, up to a day later", async () => {
    const input = { options: { postcode_gateway_url: "http://127.0.0.1:9" }, post, runs: 20 }
    const { meta, notes, pauses, waiting } = await play("order", input)
    expect(meta).toMatchObject({ _postcode_gateway_code: "LA-11-B03-PD-01", _postcode_gateway_status: "unchecked" })
    expect([pauses, notes, waiting]).toEqual([[0, 300, 1800, 7200, 28_800, 86_400], [], 0])
  })

  it.for([
    [200, "<!doctype html><title>Welcome</title>"],
    [200, '{"data":"x"}'],
    [200, '{"data":{"status":["valid"],"postcode":1}}'],
    [302, ""],
    [400, "<h1>Bad Request</h1>"],
    [400, '{"error":"invalid_parameter"}'],
    [404, "[]"],
    [503, '{"error":{"code":"service_unavailable","message":"busy"}}']
  ] as const)("%d %s counts as unchecked", async ([status, body]) => {
    await using proxy = await answering(status, body)
    const { meta } = await play("order", { options: { postcode_gateway_url: proxy.url }, post })
    expect(meta._postcode_gateway_status).toBe("unchecked")
    expect(meta._postcode_gateway_message).toMatch(new RegExp(`^The postcode was not checked: ${status} [a-z_ ]+$`))
  })
})

/** A server that gives one answer, such as a proxy before a service that is down. */
const answering = async (status: number, body: string) => {
  const server = createServer((_, response) => {
    response.writeHead(status, { location: "http://127.0.0.1:9/" }).end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, [Symbol.asyncDispose]: async () => void server.close() }
}

itPhp("the block checkout gets a plain field that is not required, and the same check", async () => {
  const { meta, notes, required } = await play("block", {
    options: options(),
    hasBlocks: true,
    code: " <b>la 11 b03 pd 99</b>"
  })
  expect(required).toBe(false)
  expect(meta).toMatchObject({ _postcode_gateway_code: "LA-11-B03-PD-99", _postcode_gateway_status: "not_found" })
  expect(notes).toEqual(["The postcode does not exist. Ask the customer."])
})

describePhp("the settings", () => {
  const secret = `svc_live_${"a".repeat(38)}`
  const save = (post: object, stored: object = {}) =>
    play("settings", { options: stored, post, capabilities: ["manage_options"] })

  it("keep valid values, without a slash at the end", async () => {
    const key = `svc_pk_${"b".repeat(38)}`
    const post = { postcode_gateway_url: " https://postcode.example/ ", postcode_gateway_publishable_key: key }
    const saved = await save({ ...post, postcode_gateway_secret_key: secret })
    expect(saved.errors).toEqual([])
    expect(Object.values(saved.options)).toEqual(["https://postcode.example", key, secret])
  })

  it.for([
    ["postcode_gateway_url", "javascript:alert(1)"],
    ["postcode_gateway_url", "http://postcode.example"],
    ["postcode_gateway_url", "https://postcode.example/v1?x"],
    ["postcode_gateway_url", "https://a@b.example"],
    ["postcode_gateway_publishable_key", `svc_live_${"a".repeat(38)}`],
    ["postcode_gateway_publishable_key", 'svc_pk_"><script>'],
    ["postcode_gateway_secret_key", `svc_pk_${"b".repeat(38)}`]
  ] as const)("refuse %s %s, keep the value before, and say what is expected", async ([name, value]) => {
    const { errors, options } = await save({ [name]: value }, { [name]: "before" })
    expect(options[name]).toBe("before")
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(/: expected (https|svc_)/)
    expect(errors[0]).not.toContain(value)
  })

  it("never show the secret key, keep it if the field is empty, and forget it if asked to", async () => {
    const stored = { postcode_gateway_secret_key: secret }
    const kept = await save({}, stored)
    expect(kept.options.postcode_gateway_secret_key).toBe(secret)
    expect(kept.page).toContain("A key is stored")
    expect(kept.page).not.toContain(secret)
    const forgotten = await save({ postcode_gateway_forget_key: "1" }, stored)
    expect(forgotten.options.postcode_gateway_secret_key).toBe("")
  })

  it("are shown to administrators only, with a nonce", async () => {
    expect((await save({})).page).toMatch(/_wpnonce/)
    expect((await play("settings", { options: {}, post: {} })).page).toBe("")
  })
})

describePhp("the checkout", () => {
  it("without an address of the service has neither field nor script, and other pages have no script", async () => {
    expect(await play("page", { options: {} })).toEqual({ scripts: "", field: "" })
    expect((await play("page", { options: options(), isCheckout: false })).scripts).toBe("")
  })

  it("has the widget by one script, fills the form, and the order has the code", async () => {
    await using shop = await openShop()
    const page = await (await (await sharedBrowser()).newContext()).newPage()
    try {
      const problems: Array<string> = []
      page.on("pageerror", (error) => problems.push(String(error)))
      await page.goto(shop.url)
      await page.getByLabel("Postcode").fill("la 11 b03 pd 01")
      await page.getByLabel("Postcode").press("Enter")
      await expect.poll(() => page.getByLabel("State").inputValue()).toBe("LA")
      await expect.poll(() => page.getByLabel("Town").inputValue()).toBe("Ikeja")
      await page.getByRole("button", { name: "Place order" }).click()
      const post = await shop.order
      expect(post).toMatchObject({ national_postcode: "LA-11-B03-PD-01", billing_state: "LA" })
      const { meta } = await play("order", { options: options(), post })
      expect(meta._postcode_gateway_status).toBe("valid")
      expect(problems).toEqual([])
    } finally {
      await page.context().close()
    }
  })

  it("sends the code, or what the customer typed, by jQuery's serialize(), which leaves out custom elements", async () => {
    await using shop = await openShop()
    const page = await (await (await sharedBrowser()).newContext()).newPage()
    try {
      await page.goto(shop.url)
      await page.getByLabel("Postcode").fill("opposite the school, Ikeja")
      await expect
        .poll(() => serialized(page))
        .toMatchObject({ national_postcode: "", "national_postcode-text": "opposite the school, Ikeja" })
      await page.getByLabel("Postcode").fill("la 11 b03 pd 01")
      await page.getByLabel("Postcode").press("Enter")
      await expect
        .poll(() => serialized(page))
        .toMatchObject({ national_postcode: "LA-11-B03-PD-01", "national_postcode-text": "", billing_state: "LA" })
      const { meta } = await play("order", { options: options(), post: await serialized(page) })
      expect(meta).toMatchObject({ _postcode_gateway_code: "LA-11-B03-PD-01", _postcode_gateway_status: "valid" })
    } finally {
      await page.context().close()
    }
  })

  it("where no script runs is a plain input, whose text is in the order", async () => {
    await using shop = await openShop()
    const page = await (await (await sharedBrowser()).newContext({ javaScriptEnabled: false })).newPage()
    try {
      await page.goto(shop.url)
      await page.getByLabel("Postcode").fill("la 11 b03 pd 01")
      await page.getByRole("button", { name: "Place order" }).click()
      expect(await shop.order).toMatchObject({ national_postcode: "la 11 b03 pd 01" })
    } finally {
      await page.context().close()
    }
  })
})

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof sharedBrowser>>["newPage"]>>

interface Control {
  readonly name: string
  readonly nodeName: string
  readonly value: string
  readonly matches: (selector: string) => boolean
}

/** The fields of the form that jQuery's `serialize()` takes, as `checkout.js` of WooCommerce does. */
const serialized = (page: Page) =>
  page.locator("form").evaluate((form) => {
    const controls = [...(form as unknown as { readonly elements: Iterable<Control> }).elements]
    const taken = controls.filter(({ name, nodeName }) => name && /^(input|select|textarea)$/i.test(nodeName))
    return Object.fromEntries(
      taken.filter((control) => !control.matches(":disabled")).map(({ name, value }) => [name, value])
    )
  })

/** The page of a classic checkout, with what the plugin prints, and the script beside the plugin. */
const openShop = async () => {
  const { field, scripts } = await play("page", { options: options() })
  const script = await readFile(join(root, "packages/widget/dist/postcode-widget.js"))
  let take: (order: Record<string, string>) => void = () => {}
  const order = new Promise<Record<string, string>>((resolve) => {
    take = resolve
  })
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      take(Object.fromEntries(new URLSearchParams(await text(request))))
      response.end("thank you")
    } else if (request.url?.startsWith("/wp-content/plugins/postcode-gateway/postcode-widget.js?ver=")) {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script)
    } else {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(checkoutPage(scripts, field))
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, order, [Symbol.asyncDispose]: async () => void server.close() }
}

const checkoutPage = (scripts: string, field: string): string => `<!doctype html><html lang="en"><title>Checkout</title>
<head>${scripts}</head><form class="checkout" method="post">
<label for="billing_address_1">Street</label><input id="billing_address_1" name="billing_address_1">
<label for="billing_city">Town</label><input id="billing_city" name="billing_city">
<label for="billing_state">State</label><select id="billing_state" name="billing_state">
<option value="">Select</option><option value="KN">Kano</option><option value="LA">Lagos</option></select>
${field}<button>Place order</button></form></html>`
