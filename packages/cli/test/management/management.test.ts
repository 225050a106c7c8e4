import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { inOneDay } from "@postcode/conformance"
import { operatorToken } from "@postcode/conformance/wire"
import { manage, managing } from "@postcode/drills/Management"
import { freePort } from "@postcode/drills/postgres"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listen } from "../../../widget/test/Listening.ts"
import { shellOf } from "../OperatorShell.ts"
import { run } from "../RunCommand.ts"

describe("management from a shell", () => {
  let service: Service
  let org: string
  const { answer, postcode } = shellOf(() => service)

  /** What the API itself says, for comparison; with a body, what it is told. */
  const api = (path: string, body?: object): Promise<Readonly<Record<string, unknown>>> =>
    manage(service.url, body === undefined ? "GET" : "POST", `/${path}`, body)
  /** A key for tests of an organization that has no other, and how to look a unit up at a level with it. */
  const usedKey = async () => {
    const organization_id = await newOrganization()
    await manage(service.url, "PATCH", `/organizations/${organization_id}`, { granted_level: 2 })
    const body = { name: "used", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 2 }
    const { id, secret } = await api(`organizations/${organization_id}/keys`, body)
    const [unit = ""] = /[A-Z]{2}-\d\d-\w{3}-\w\w-\d\d/.exec(service.stderr()) ?? []
    const use = (level: number) =>
      fetch(`${service.url}/v1/lookup?code=${unit}&level=${level}`, { headers: { "x-api-key": String(secret) } })
    return { id: String(id), organization_id, use }
  }
  const newOrganization = async () => String((await api("organizations", { name: "Example Ltd" })).id)

  beforeAll(async () => {
    service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    org = await newOrganization()
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  it("an organization is created, changed, shown and listed", async () => {
    const made = await answer("orgs", "create", "Renamed Later")
    expect(made).toMatchObject({ name: "Renamed Later", granted_level: 1, kyb_status: "unverified" })
    const changed = await answer("orgs", "update", made.id, "--name", "Renamed", "--kyb-status", "pending")
    expect(changed).toEqual({ ...made, name: "Renamed", kyb_status: "pending" })
    const [shown, listed] = await Promise.all([answer("orgs", "show", made.id), postcode("orgs", "list")])
    expect(shown).toEqual(changed)
    expect(listed).toMatchObject({ code: 0, stderr: "" })
    expect(listed.stdout.split("\n")[0]).toMatch(/^ID +NAME +LEVEL +KYB +STATUS +CREATED$/)
    expect(listed.stdout).toMatch(new RegExp(`^${made.id} +Renamed +1 +pending +active `, "m"))
  })

  it("the prices are those that the service charges, and need no credential", async () => {
    await using priced = await startService(["--prices", "3=7,4=8,5=9,session=4,address=5"])
    const { code, stdout } = await run(["credits", "prices", "--url", priced.url])
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/ {2,}/))
    ).toEqual([
      ["REQUEST", "CREDITS"],
      ...[0, 1, 7, 8, 9].map((price, i) => [`lookup, level ${i + 1}`, String(price)]),
      ["widget session", "4"],
      ["address search", "5"]
    ])
    const json = await run(["credits", "prices", "--url", priced.url, "--json"])
    const lookup = { "1": 0, "2": 1, "3": 7, "4": 8, "5": 9 }
    expect(JSON.parse(json.stdout)).toEqual({ lookup, widget_session: 4, address_search: 5 })
    const away = await run(["credits", "prices", "--url", "http://127.0.0.1:1"])
    expect(away).toMatchObject({ code: 1, stdout: "" })
    expect(away.stderr).toContain("could not reach http://127.0.0.1:1")
  })

  it("an organization is suspended, resumed, exported and closed, each with a reason", async () => {
    const { id: key, organization_id, use } = await usedKey()
    expect((await use(2)).status).toBe(200)
    const suspended = await answer("orgs", "suspend", organization_id, "--reason", "Invoice 1042 is unpaid")
    expect(suspended).toMatchObject({ status: "suspended", status_reason: "Invoice 1042 is unpaid" })
    expect((await use(1)).status).toBe(403)
    expect((await postcode("orgs", "show", organization_id)).stdout).toMatch(/^status reason +Invoice 1042 is unpaid$/m)
    expect(await answer("orgs", "resume", organization_id, "--reason", "Paid")).toMatchObject({ status: "active" })
    expect((await use(2)).status).toBe(200)

    await using folder = await temporaryFolder()
    const [exported, closed, tooEarly] = ["export", "closed", "early"].map((name) => join(folder.path, name))
    const early = await postcode("orgs", "close", organization_id, "--reason", "Ended", "--export", tooEarly ?? "")
    expect(early).toMatchObject({ code: 1, stdout: "" })
    expect(early.stderr).toContain("suspend it before you close it")
    expect(await postcode("orgs", "export", organization_id, "--to", exported ?? "")).toMatchObject({
      code: 0,
      stdout: ""
    })
    expect(await postcode("orgs", "export", organization_id, "--to", exported ?? "")).toMatchObject({ code: 1 })
    const file = (name: string) => readFile(join(exported ?? "", name), "utf8")
    expect((await readdir(exported ?? "")).toSorted()).toEqual(
      ["audit", "keys", ...["ledger", "selections", "usage"].flatMap((name) => [`${name}-live`, `${name}-test`])]
        .map((name) => `${name}.csv`)
        .concat("organization.json")
        .toSorted()
    )
    expect(JSON.parse(await file("organization.json"))).toMatchObject({ id: organization_id, status: "active" })
    expect(await file("keys.csv")).toMatch(new RegExp(`^id,name,kind,.*\n${key},used,secret,test,`))
    expect((await file("ledger-test.csv")).split("\n")).toHaveLength(5)
    expect(await file("ledger-live.csv")).toMatch(/^id,created_at,[^\n]*\n$/)
    expect(await file("usage-test.csv")).toMatch(
      /^date,operation,requests,credits\n\d{4}-\d\d-\d\d,lookup\.single,\d,2\n$/
    )
    expect(await file("selections-test.csv")).toBe("date,lga,lga_name,source,selections\n")
    expect(await file("audit.csv")).toContain(",organization.suspended,")
    for (const name of await readdir(exported ?? "")) expect(await file(name)).not.toMatch(/svc_test_\w{10}/)

    await answer("orgs", "suspend", organization_id, "--reason", "Contract ended")
    const args = ["--reason", "Contract ended", "--export", closed ?? ""]
    expect(await answer("orgs", "close", organization_id, ...args)).toMatchObject({ status: "closed", revoked_keys: 1 })
    expect(await readdir(closed ?? "")).toHaveLength(9)
    expect((await use(1)).status).toBe(401)
  })

  it("find asks the service: states and LGAs for everybody, units for a key with the scope search and level 2", async () => {
    const organization_id = await newOrganization()
    await manage(service.url, "PATCH", `/organizations/${organization_id}`, { granted_level: 2 })
    const body = { name: "search", kind: "secret", environment: "test", scopes: ["search"], max_level: 2 }
    const { secret } = await api(`organizations/${organization_id}/keys`, body)
    const find = (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
      run(["find", ...args, "--url", service.url, "--json"], { env })
    const offline = JSON.parse((await run(["find", "Allen Avenue, Ikeja", "--json"])).stdout)
    const [withKey, without, withAnother] = await Promise.all([
      find({ POSTCODE_KEY: String(secret) }, "Allen Avenue, Ikeja"),
      find({}, "Allen Avenue, Ikeja", "--limit", "1"),
      find({ POSTCODE_KEY: `svc_test_${"a".repeat(38)}` }, "Ikeja")
    ])
    expect(JSON.parse(withKey.stdout)).toEqual(offline)
    expect(offline.code).toMatch(/^LA-11-/)
    expect(JSON.parse(without.stdout)).toMatchObject({ code: "LA-11", precision: "lga" })
    expect(withAnother).toMatchObject({ code: 4, stdout: "" })
  })

  it("lookup asks the service for one postcode, and reports what it charged", async () => {
    const organization_id = await newOrganization()
    await manage(service.url, "PATCH", `/organizations/${organization_id}`, { granted_level: 2 })
    const body = { name: "lookup", kind: "secret", environment: "test", scopes: ["lookup"], max_level: 2 }
    const { secret } = await api(`organizations/${organization_id}/keys`, body)
    const lookUp = (code: string, ...args: ReadonlyArray<string>) =>
      run(["lookup", code, "--url", service.url, ...args], { env: { POSTCODE_KEY: String(secret) } })
    const free = await run(["lookup", "la11b03pd01", "--url", service.url])
    expect(free).toEqual({ code: 0, stdout: "postcode  LA-11-B03-PD-01\nstatus    valid\n", stderr: "" })
    const paid = await lookUp("LA-11-B03-PD-01", "--level", "2")
    expect(paid).toMatchObject({ code: 0, stderr: "charged 1 credit; 999 left\n" })
    expect(paid.stdout).toMatch(/^LGA +Ikeja$/m)
    const { code, stdout } = await lookUp("LA-11-B03-PD-01", "--level", "2", "--json")
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      data: { status: "valid", administrative_address: { lga_name: "Ikeja" } }
    })
    const unknown = await lookUp("QQ-11-B03-PD-01", "--level", "2")
    expect(unknown).toMatchObject({ code: 1, stdout: "postcode  QQ-11-B03-PD-01\nstatus    not found\n" })
    expect(unknown.stderr).toBe("charged 0 credits; 998 left\nerror: the directory does not have QQ-11-B03-PD-01\n")
    expect(await lookUp("LA-11-B03-PD-01", "--level", "3")).toMatchObject({ code: 4, stdout: "" })
    expect(await lookUp("LA-11")).toMatchObject({ code: 2, stdout: "" })
  })

  it("an organization gets a request limit of its own, and the default again", async () => {
    const made = await answer("orgs", "create", "Limited")
    const limited = await answer("orgs", "update", made.id, "--rate-limit", "1200")
    expect(limited).toEqual({ ...made, rate_limit_per_minute: 1_200 })
    expect((await postcode("orgs", "show", made.id)).stdout).toMatch(/^requests a minute +1200$/m)
    expect(await answer("orgs", "update", made.id, "--rate-limit", "default")).toEqual(made)
    const refused = await postcode("orgs", "update", made.id, "--rate-limit", "0")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toMatch(/whole number from 1 to 1000000, or default/)
  })

  it("a key is shown once, works, is listed without its secret, and is revoked at once", async () => {
    const created = await postcode("keys", "create", org, "--name", "back office")
    expect(created.code).toBe(0)
    expect(created.stdout).toMatch(/^svc_test_[0-9A-Za-z]{38}\n$/)
    const secret = created.stdout.trim()
    expect(created.stderr).not.toContain(secret)
    const states = () => fetch(`${service.url}/v1/reference/states`, { headers: { "x-api-key": secret } })
    expect((await states()).status).toBe(200)

    const listed = await answer("keys", "list", org)
    expect(listed).toEqual(await api(`organizations/${org}/keys`))
    expect(listed.keys).toEqual([
      expect.objectContaining({ name: "back office", kind: "secret", environment: "test", max_level: 1 })
    ])
    expect(JSON.stringify(listed)).not.toContain(secret)
    const { revoked_at } = await answer("keys", "revoke", listed.keys[0].id)
    expect(Date.parse(revoked_at)).not.toBeNaN()
    expect((await states()).status).toBe(401)
  })

  it("a key is changed and shown, and fields that are not given stay", async () => {
    const { id, use } = await usedKey()
    const before = await answer("keys", "show", id)
    const args = ["--name", "renamed", "--allowed-ips", "2001:DB8::/32,192.0.2.7", "--daily-credit-limit", "50"]
    const changed = await answer("keys", "update", id, ...args)
    expect(changed).toMatchObject({
      name: "renamed",
      allowed_ips: ["2001:db8::/32", "192.0.2.7"],
      daily_credit_limit: 50,
      prefix: before.prefix
    })
    expect((await use(1)).status).toBe(403)
    expect((await postcode("keys", "show", id)).stdout).toMatch(/^allowed addresses +2001:db8::\/32, 192\.0\.2\.7$/m)
    const reset = await answer("keys", "update", id, "--allowed-ips", "any", "--daily-credit-limit", "default")
    expect(reset).toMatchObject({ name: "renamed", allowed_ips: [] })
    expect(reset).not.toHaveProperty("daily_credit_limit")
    expect((await use(1)).status).toBe(200)
    for (const wrong of [[], ["--allowed-ips", "10.0.0.7/8"], ["--origins", "https://shop.example"]]) {
      expect(await postcode("keys", "update", id, ...wrong)).toMatchObject({ code: 2, stdout: "" })
    }
    const created = await postcode("keys", "create", org, "--name", "bound", "--allowed-ips", "192.0.2.0/24")
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_test_/) })
    const shop = await answer("keys", "create", org, "--name", "shop", "--kind", "publishable")
    const origins = ["https://*.shop.example", "capacitor://localhost"]
    expect(await answer("keys", "update", shop.id, "--origins", origins.join(","))).toMatchObject({ origins })
    expect(await answer("keys", "update", shop.id, "--origins", "none")).toMatchObject({ origins: [] })
  })

  it("a publishable key has a daily limit unless one is given, and says so", async () => {
    const id = await newOrganization()
    const create = async (...limit: ReadonlyArray<string>) =>
      (await postcode("keys", "create", id, "--name", "shop", "--kind", "publishable", ...limit)).stderr
    expect(await create()).toContain(", at most 1,000 credits a day;")
    expect(await create("--daily-credit-limit", "20000")).toContain(", at most 20,000 credits a day;")
    expect((await postcode("keys", "list", id)).stdout).toMatch(/ 0 of 20000\n.* 0 of 1000\n/)
  })

  it("a publishable key without origins is created, rotated and shown with a warning, until it has some", async () => {
    const org = await newOrganization()
    const warning = "no browser can use this key, because it has no origins: add the origins of your pages"
    const created = await postcode("keys", "create", org, "--name", "shop", "--kind", "publishable")
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_pk_[0-9A-Za-z]{38}\n$/) })
    expect(created.stderr).toContain(`warning: ${warning}\n`)
    const [{ id }] = (await api(`organizations/${org}/keys`)).keys as [{ readonly id: string }]
    expect((await postcode("keys", "show", id)).stdout).toContain(warning)
    expect((await postcode("keys", "rotate", id)).stderr).toContain(`warning: ${warning}\n`)
    const updated = await postcode("keys", "update", id, "--origins", "https://shop.example")
    expect(updated).toMatchObject({ code: 0, stdout: expect.not.stringContaining("warning") })
    const bound = await postcode("keys", "create", org, "--name", "other")
    expect(bound.stderr).not.toContain("warning")
  })

  it("a key is created with an expiry and a daily limit, and rotated with an overlap, and the list shows it", async () => {
    const id = await newOrganization()
    const limits = ["--expires-in", "90d", "--daily-credit-limit", "500"]
    const created = await postcode("keys", "create", id, "--name", "contractor", ...limits)
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_test_[0-9A-Za-z]{38}\n$/) })
    const [, expires_at = ""] =
      /, until ([\d-]+ [\d:]+ [+-]\d\d:\d\d); it is shown this once:\n$/.exec(created.stderr) ?? []
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000)
    const list = async () => (await api(`organizations/${id}/keys`)).keys as ReadonlyArray<{ readonly id: string }>
    const [key = { id: "" }, ...others] = await list()
    expect([key, ...others]).toMatchObject([
      { status: "active", expires_at: expect.stringMatching(/^\d{4}-\S+Z$/), daily_credit_limit: 500, credits_today: 0 }
    ])

    const rotated = await postcode("keys", "rotate", key.id, "--overlap", "1h")
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_test_[0-9A-Za-z]{38}\n$/) })
    expect(rotated.stderr).toMatch(
      /^key key_\w+ replaces key_\w+, which stays active until [\d-]+ [\d:]+ [+-]\d\d:\d\d; it is shown this once:\n$/
    )
    expect(rotated.stderr).not.toContain(rotated.stdout.trim())
    const listed = await postcode("keys", "list", id)
    expect(listed.stdout).toMatch(/^ID +NAME .* STATUS +EXPIRES +TODAY\n/)
    expect(listed.stdout.match(/ active +[\d-]+ [\d:]+ [+-]\d\d:\d\d +0 of 500/g)).toHaveLength(2)

    const again = await postcode("keys", "rotate", key.id)
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("was rotated already") })
    const [successor = { id: "" }] = await list()
    const replaced = await answer("keys", "rotate", successor.id, "--overlap", "now")
    expect(replaced).toMatchObject({ replaces: successor.id, secret: expect.stringMatching(/^svc_test_/) })
    expect((await list())[1]).toMatchObject({ id: successor.id, status: "revoked" })
  })

  it("credits of the instance are shown by day, for any days, and not for wrong ones", async () => {
    const today = new Date().toISOString().slice(0, 10)
    const days = (...flags: ReadonlyArray<string>) => postcode("credits", "days", "--environment", "live", ...flags)
    const granted = async () => {
      const { days } = (await answer("credits", "days", "--environment", "live")) as {
        readonly days: ReadonlyArray<{ readonly date: string; readonly granted: number }>
      }
      return days.find(({ date }) => date === today)?.granted ?? 0
    }
    const before = await granted()
    await postcode(
      "credits",
      "grant",
      await newOrganization(),
      "1234",
      "--environment",
      "live",
      "--reference",
      "INV-of-a-day"
    )
    expect(await granted()).toBe(before + 1_234)
    expect((await days("--from", today)).stdout).toMatch(
      /^DAY +GRANTED +REFUNDED +ADJUSTED +CHARGED +OPENING\n\d{4}-\d\d-\d\d +[\d,]+ +-?[\d,]+ +-?[\d,]+ +[\d,]+ +[\d,]+\n$/
    )
    const none = await days("--from", "2001-01-01", "--to", "2001-01-02")
    expect(none.stdout + none.stderr).toContain("no live credits were granted, corrected or charged in that time")
    expect(await days("--from", "2026-02-30")).toMatchObject({ code: 2 })
    expect(await days("--from", "2026-01-02", "--to", "2026-01-01")).toMatchObject({
      stderr: expect.stringContaining("from: expected a day not after")
    })
  })

  it("credits are granted once for each reference", async () => {
    const grant = () => answer("credits", "grant", org, "500", "--environment", "live", "--reference", "INV-1")
    const first = await grant()
    expect(first).toMatchObject({ balance: 500 })
    expect(await grant()).toEqual(first)
    const shown = await postcode("credits", "show", org, "--environment", "live")
    expect(shown).toMatchObject({ code: 0, stderr: "" })
    expect(shown.stdout).toMatch(
      /^live balance {2}500\n\nAT +AMOUNT +BALANCE +REASON +REFERENCE\n[\d-]+ [\d:]+ [+-]\d\d:\d\d +\+500 +500 +grant +INV-1\n$/
    )
  })

  it("credits are corrected once for each reference, up and down, and the note is shown", async () => {
    const id = await newOrganization()
    const correct = (amount: string, reference: string, ...more: ReadonlyArray<string>) =>
      postcode("credits", "correct", id, amount, "--kind", "refund", "--reference", reference, ...more)
    const why = ["--reason", "paid back"]
    const first = await correct("-250", "CASE-1", ...why)
    expect(first).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^organization +org_\w+\nname +Example Ltd\nentry +ent_\w+\ntest balance +750\n$/),
      stderr: ""
    })
    expect(await correct("-250", "CASE-1", ...why)).toEqual(first)
    expect((await correct("40", "CASE-2", ...why)).stdout).toMatch(/balance +790\n$/)
    expect(await correct("-791", "CASE-3", ...why)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is 790")
    })
    expect(await correct("0", "CASE-3", ...why)).toMatchObject({ code: 2, stderr: expect.stringContaining("amount: ") })
    expect(await correct("5", "CASE-3")).toMatchObject({ code: 2, stderr: expect.stringContaining("reason") })
    const { stdout } = await postcode("credits", "show", id)
    expect(stdout).toMatch(
      /REASON +REFERENCE +NOTE\n[\d-]+ [\d:]+ [+-]\d\d:\d\d +\+40 +790 +refund +CASE-2 +paid back\n[\d-]+ [\d:]+ [+-]\d\d:\d\d +-250 +750 +refund +CASE-1 +paid back\n/
    )
    const { stdout: csv } = await postcode("credits", "entries", id)
    expect(csv).toMatch(
      /^id,created_at,amount,balance_after,reason,reference,key_id,level,note\n\w+,[^,]+,40,790,refund,CASE-2,,,paid back\n/
    )
  })

  it("usage is shown by day and operation", async () => {
    await Effect.runPromise(inOneDay)
    const [secret = ""] = /svc_test_\w+/.exec(service.stderr()) ?? []
    const [demo = ""] = /org_\w+/.exec(service.stderr()) ?? []
    await fetch(`${service.url}/v1/reference/states`, { headers: { "x-api-key": secret } })
    const { usage } = await answer("credits", "usage", demo)
    expect(usage).toEqual([expect.objectContaining({ operation: "reference.states", requests: 1, credits: 0 })])
  })

  it("usage is shown by level, key or status as well, and of one key", async () => {
    await Effect.runPromise(inOneDay)
    const { id, organization_id, use } = await usedKey()
    await use(2)
    await use(9)
    const show = (...flags: ReadonlyArray<string>) => postcode("credits", "usage", organization_id, ...flags)
    const [level, key, status, other] = await Promise.all([
      show("--by", "level"),
      show("--by", "key", "--key", id),
      show("--by", "status"),
      show("--by", "status", "--environment", "live", "--key", id)
    ])
    expect(level.stdout).toMatch(/^DAY +LEVEL +REQUESTS +CREDITS\n\S+ +none +1 +0\n\S+ +2 +1 +1\n$/)
    expect(key.stdout).toMatch(new RegExp(`^DAY +KEY +REQUESTS +CREDITS\\n\\S+ +${id} +2 +1\\n$`))
    expect(status.stdout).toMatch(/^DAY +STATUS +REQUESTS +CREDITS\n\S+ +200 +1 +1\n\S+ +400 +1 +0\n$/)
    expect(other).toEqual({ code: 0, stdout: "", stderr: "no live key was used in that time\n" })
    const path = `organizations/${organization_id}/usage?environment=test&by=key`
    expect(await answer("credits", "usage", organization_id, "--by", "key")).toEqual(await api(path))
    expect(await show("--by", "day")).toMatchObject({ code: 2, stderr: expect.stringContaining("one of operation, ") })
    expect(await show("--key", "key_none")).toMatchObject({
      code: 1,
      stderr: "error: there is no key with this id: postcode keys list ORG shows the ids\n"
    })
  })

  it("selections are counted by day, LGA and source, and written as CSV", async () => {
    await Effect.runPromise(inOneDay)
    const organization_id = await newOrganization()
    const body = { name: "shop", kind: "publishable", environment: "test", scopes: ["search"], max_level: 1 }
    const { secret } = await api(`organizations/${organization_id}/keys`, body)
    const post = async (path: string, sent: object, headers: Readonly<Record<string, string>>) => {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers } }
      const response = await fetch(service.url + path, { ...init, body: JSON.stringify(sent) })
      return (await response.json()) as { readonly data: { readonly token: string } }
    }
    const { token } = (await post("/v1/widget/session", {}, { "x-api-key": String(secret) })).data
    const select = (postcode: string, source: string) =>
      post("/v1/widget/selected", { postcode, source }, { authorization: `Bearer ${token}` })
    for (let left = 5; left > 0; left--) await select("LA-11-B03-PD-01", "search")
    for (let left = 4; left > 0; left--) await select("LA-11-B03-PD-01", "discover")
    const show = (...flags: ReadonlyArray<string>) => postcode("orgs", "selections", organization_id, ...flags)
    expect((await show()).stdout).toMatch(
      /^DAY +LGA +NAME +SOURCE +SELECTIONS\n\d{4}-\d\d-\d\d +LA-11 +Ikeja +search +5\n$/
    )
    expect((await show("--csv", "-")).stdout).toMatch(
      /^date,lga,lga_name,source,selections\n\d{4}-\d\d-\d\d,LA-11,Ikeja,search,5\n$/
    )
    expect(await answer("orgs", "selections", organization_id)).toEqual(
      await api(`organizations/${organization_id}/selections?environment=test`)
    )
    expect(await show("--environment", "live")).toMatchObject({ code: 0, stdout: "" })
    expect(await show("--from", "2026-02-30")).toMatchObject({ code: 2 })
  })

  it("a key is shown with its recent usage", async () => {
    const { id, use } = await usedKey()
    await use(2)
    await use(9)
    const { stderr, stdout } = await postcode("keys", "show", id)
    expect(stderr).toBe("")
    expect(stdout).toMatch(new RegExp(`^id +${id}\n`))
    expect(stdout).toMatch(/^status +active\n/m)
    expect(stdout).toMatch(/\n\ntraffic since +[\d-]+ [\d:]+ [+-]\d\d:\d\d\nrequests +2\nrefused +1\ncredits +1\n$/)
    const [key, traffic] = [await api(`keys/${id}`), await api(`keys/${id}/traffic`)]
    expect(await answer("keys", "show", id)).toEqual({ ...key, traffic })
  })

  it("a balance is shown with the number of days that it lasts, once credits were spent", async () => {
    const { organization_id, use } = await usedKey()
    expect(await answer("credits", "show", organization_id)).toMatchObject({ balance: 1_000, days_left: null })
    await use(2)
    const { stdout } = await postcode("credits", "show", organization_id)
    expect(stdout).toMatch(/^test balance {2}999\ndays left {5}999\n\nAT /)
    expect(await answer("credits", "show", organization_id)).toMatchObject({ balance: 999, days_left: 999 })
  })

  it("a level is requested, and granted by a review", async () => {
    const id = await newOrganization()
    const asked = await answer("access", "request", id, "--level", "4", "--reason", "deliveries")
    expect(asked).toMatchObject({ organization_id: id, level: 4, status: "pending", reason: "deliveries" })
    const approved = await answer("access", "approve", asked.id, "--note", "contract seen")
    expect(approved).toMatchObject({ id: asked.id, status: "approved", note: "contract seen" })
    expect(await api(`organizations/${id}`)).toMatchObject({ granted_level: 4 })

    const second = await api(`organizations/${id}/access-requests`, { level: 5, reason: "more" })
    expect(await answer("access", "reject", String(second.id), "--note", "no")).toMatchObject({ status: "rejected" })
    expect(await api(`organizations/${id}`)).toMatchObject({ granted_level: 4 })
    const { stdout } = await postcode("access", "list")
    expect(stdout).toMatch(new RegExp(`^${second.id} +${id} +Example Ltd +5 +rejected `, "m"))
  })

  it("the audit log lists actors and actions, filtered by organization and action", async () => {
    const id = await newOrganization()
    await api(`organizations/${id}/credits`, { amount: 5, environment: "test", reference: "gift" })
    expect(await answer("audit", "--organization", id)).toEqual(await api(`audit?organization_id=${id}`))
    const { stdout } = await postcode("audit", "--organization", id, "--action", "credits.granted")
    expect(stdout).toMatch(
      /^AT +WHO +ACTION .*\n[\d-]+ [\d:]+ [+-]\d\d:\d\d +operator +credits\.granted .* reference=gift\n$/
    )
  })

  it("a list shows one page and the cursor of the next, or everything with --all", async () => {
    const id = await newOrganization()
    for (const reference of ["a", "b", "c", "d"]) {
      await api(`organizations/${id}/credits`, { amount: 5, environment: "test", reference })
    }
    const show = ["credits", "show", id, "--limit", "2"]
    const [page, everything] = await Promise.all([postcode(...show), answer(...show, "--all")])
    const { next_cursor } = await api(`organizations/${id}/credits?environment=test&limit=2`)
    expect(page.stderr).toBe(`more with --cursor ${next_cursor}, or everything with --all\n`)
    const next = await answer(...show, "--cursor", String(next_cursor))
    const references = ({ entries }: { entries: ReadonlyArray<{ reference: string }> }) =>
      entries.map(({ reference }) => reference)
    expect(references(next)).toEqual(["b", "a"])
    expect(references(everything)).toEqual(["d", "c", "b", "a", id])
    expect(everything).toMatchObject({ balance: 1_020, next_cursor: null })
  })

  it("the settings of widget sessions are shown and changed, and a proof key is printed once", async () => {
    const id = await newOrganization()
    const settings = { own_bookmarks: false, bookmarks_without_proof: true, proof_key_created_at: null }
    expect(await answer("orgs", "widget", id)).toEqual(settings)
    const changed = await answer("orgs", "widget", id, "--own-bookmarks", "on", "--bookmarks-without-proof", "off")
    expect(changed).toEqual({ ...settings, own_bookmarks: true, bookmarks_without_proof: false })
    const created = await postcode("orgs", "proof-key", id)
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^svc_proof_[\w-]{43}\n$/) })
    expect(created.stderr).toContain("shown this once")
    expect((await postcode("orgs", "proof-key", id)).stderr).toContain("the key before is valid until")
    expect((await postcode("orgs", "widget", id)).stdout).toMatch(/own bookmarks +on\nbookmarks without proof +off\n/)
    const wrong = await postcode("orgs", "widget", id, "--own-bookmarks", "yes")
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("on") })
  })

  it("webhooks to private addresses need https, and a threshold needs one of its two flags", async () => {
    const refused = await postcode("webhooks", "create", org, "http://10.0.0.1:1/")
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("https://") })
    const wrong = await postcode("credits", "threshold", org, "--none", "--below", "5")
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("either --below N, to send an event below that balance, or --none")
    })
  })

  it("the token is read from standard input with --token-stdin", async () => {
    const args = ["orgs", "show", org, "--url", service.url, "--token-stdin"]
    expect(await run(args, { stdin: `${operatorToken}\n` })).toMatchObject({ code: 0, stderr: "" })
  })

  it("a refused credential ends with 4 and the message of the API", async () => {
    const [wrong, none, kyb] = await Promise.all([
      run(["orgs", "list", "--url", service.url], {
        env: { POSTCODE_OPERATOR_TOKEN: "not-the-token-of-this-service" }
      }),
      run(["orgs", "list", "--url", service.url]),
      postcode("keys", "create", org, "--name", "k", "--environment", "live")
    ])
    expect(wrong).toEqual({
      code: 4,
      stdout: "",
      stderr: "error: the operator token is not the one of this service; it comes from POSTCODE_OPERATOR_TOKEN\n"
    })
    expect(none).toMatchObject({ code: 4, stdout: "" })
    expect(none.stderr).toMatch(/^error: [^\n]*POSTCODE_OPERATOR_TOKEN[^\n]*--token-stdin\n$/)
    expect(kyb).toMatchObject({ code: 4, stdout: "" })
    expect(kyb.stderr).toMatch(/^error: .*verified/)
  })

  it("a token that cannot be a header is refused and not repeated, and so is an id that would change the path", async () => {
    const [token, id] = await Promise.all([
      run(["orgs", "list", "--url", service.url], { env: { POSTCODE_OPERATOR_TOKEN: "a-token-with-ọ" } }),
      postcode("orgs", "show", "..")
    ])
    expect(token).toEqual({ code: 4, stdout: "", stderr: "error: token: expected the token as it was given\n" })
    expect(id).toEqual({ code: 2, stdout: "", stderr: "error: params.id: expected an id\n" })
  })

  it("any other failure ends with 1 and the message of the API", async () => {
    expect(await postcode("orgs", "show", "org_unknown")).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: there is no organization with this id: postcode orgs list shows the ids\n"
    })
  })

  it("a value that the service refuses is wrong usage", async () => {
    const [name, nothing] = await Promise.all([
      postcode("orgs", "create", "x".repeat(201)),
      postcode("orgs", "update", org)
    ])
    expect(name).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: name: expected 1 to 200 characters without control characters\n"
    })
    expect(nothing).toMatchObject({ code: 2, stdout: "" })
    expect(nothing.stderr).toMatch(/^error: nothing to change: /)
  })
})

describe("a service that does not answer as one", () => {
  const listFrom = async (status: number, body: string) => {
    const { close, url } = await listen((_request, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body)
    )
    const ended = await run(["orgs", "list"], { env: managing(url) })
    await close()
    return { url, ended }
  }

  it("is named when nothing listens there", async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    expect(await run(["orgs", "list", "--url", url], { env: { POSTCODE_OPERATOR_TOKEN: operatorToken } })).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: could not reach ${url}: postcode serve starts a service here; --url or POSTCODE_URL names another one (connect ECONNREFUSED 127.0.0.1:${port})\n`
    })
  })

  it.each([
    [200, '{"data":{"organizations":"none"}}'],
    [302, "{}"],
    [502, "<html>"]
  ])("is named when it answers %d %s", async (status, body) => {
    const { ended, url } = await listFrom(status, body)
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: the server at ${url} is not a postcode gateway, or has another version: check the address (--url, POSTCODE_URL)\n`
    })
  })

  it("a 402 that the contract does not list ends with 5 and the command that adds credits", async () => {
    const { ended } = await listFrom(402, '{"error":{"code":"insufficient_credits","message":"the balance is 0"}}')
    const grant = "postcode credits grant ORG AMOUNT --environment ENV --reference TEXT"
    const stderr = `error: the balance is 0; an operator adds credits with ${grant}\n`
    expect(ended).toEqual({ code: 5, stdout: "", stderr })
  })
})
