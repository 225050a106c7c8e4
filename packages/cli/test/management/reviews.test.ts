import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { operatorToken } from "@postcode/conformance/wire"
import { CsvReader } from "@postcode/core/Csv"
import { manage } from "@postcode/drills/Management"
import { type Service, startService } from "@postcode/drills/StartCommand"
import { temporaryFolder } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { shellOf } from "../OperatorShell.ts"

describe("people and reviews from a shell", () => {
  let service: Service
  let org: string
  const { answer, postcode } = shellOf(() => service)

  /** What the API itself says; with a body, what it is told. */
  const api = (path: string, body?: object): Promise<Readonly<Record<string, unknown>>> =>
    manage(service.url, body === undefined ? "GET" : "POST", `/${path}`, body)
  const newOrganization = async (name = "Example Ltd") => String((await api("organizations", { name })).id)

  /** Opens the account that a link is for, as the console does. */
  const accept = async (link: string): Promise<string> => {
    const headers = { "content-type": "application/json", origin: service.url, "sec-fetch-site": "same-origin" }
    const body = { token: new URL(link).hash.slice("#join=".length), name: "Ada", password: "a long password" }
    const url = `${service.url}/v1/admin/account/accept`
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    const { data } = (await response.json()) as { readonly data: { readonly account: { readonly id: string } } }
    return data.account.id
  }

  const rowsOf = (csv: string): ReadonlyArray<ReadonlyArray<string>> => {
    const rows: Array<ReadonlyArray<string>> = []
    const reader = new CsvReader({
      onRow: ({ fields }) => rows.push(fields),
      onMalformed: (_, reason) => expect.unreachable(reason)
    })
    reader.write(csv)
    reader.end()
    return rows
  }

  beforeAll(async () => {
    service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    org = await newOrganization()
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  it("a member is invited by a link that is shown once, listed, given another role, and removed", async () => {
    const [first, second] = await Promise.all([
      postcode("members", "invite", org, "--role", "owner", "--email", "ada@example.com"),
      answer(
        ...["members", "invite", org, "--role", "owner", "--email", "bola@example.com"],
        ...["--public-url", "https://p.example"]
      )
    ])
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^http\S+\/console\/#join=\w{30,}\n$/) })
    expect(first.stdout.startsWith(`${service.url}/console/`)).toBe(true)
    expect(first.stderr).toMatch(
      /^invitation inv_\w+ of ada@example\.com for the role owner, until [\d-]+ [\d:]+ [+-]\d\d:\d\d; the link is shown this once:\n$/
    )
    expect(second).toMatchObject({
      role: "owner",
      email: "bola@example.com",
      link: `https://p.example/console/#join=${second.token}`
    })

    const last = await accept(first.stdout.trim())
    const id = await accept(second.link)
    const listed = await postcode("members", "list", org)
    expect(listed.stdout).toMatch(/^ID +NAME +EMAIL +ROLE +JOINED\nacc_\w+ +Ada +bola@example\.com +owner /)
    expect(await answer("members", "role", org, id, "billing")).toMatchObject({ id, role: "billing" })
    const [removed, refused, wrong] = await Promise.all([
      postcode("members", "remove", org, id),
      postcode("members", "remove", org, last),
      postcode("members", "role", org, last, "king")
    ])
    expect(removed).toEqual({ code: 0, stdout: `removed  ${id}\n`, stderr: "" })
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^error: .*owner/) })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("one of owner, developer, billing") })
  })

  it("an operator is invited, and invitations are listed and withdrawn", async () => {
    const { link } = await answer("operators", "invite", "--email", "operator@example.com")
    const id = await accept(link)
    await api("operators/invitations", { email: "second@example.com" })
    const invited = await api(`organizations/${org}/invitations`, { role: "billing", email: "chi@example.com" })
    const [operators, own, others] = await Promise.all([
      postcode("operators", "list"),
      answer("invitations", "list"),
      postcode("invitations", "list", "--organization", org)
    ])
    expect(operators.stdout).toMatch(new RegExp(`\\n${id} +Ada +operator@example\\.com +operator `))
    expect(own.invitations).toEqual([expect.objectContaining({ role: "operator", created_by: "operator" })])
    expect(JSON.stringify(own)).not.toContain("token")
    expect(others.stdout).toMatch(
      /^ID +EMAIL +ROLE +BY +CREATED +EXPIRES\ninv_\w+ +chi@example\.com +billing +operator /
    )
    const withdrawn = await postcode("invitations", "withdraw", String(invited.id))
    expect(withdrawn).toMatchObject({ code: 0, stdout: `withdrawn  ${invited.id}\n` })
    const none = await postcode("invitations", "list", "--organization", org)
    expect(none).toEqual({ code: 0, stdout: "", stderr: "no invitation is open\n" })
  })

  it("a verification is requested, listed with the oldest first, rejected with a reason, and granted", async () => {
    const [first, second] = [await newOrganization("Eko Parcels"), await newOrganization("Kano Parcels")]
    const submission = { business_name: "Example Ltd", registration_number: "RC 1" }
    const names = ["--business-name", "Example Ltd", "--registration-number", "RC 1"]
    const submitted = await answer("kyb", "submit", first, ...names, "--note", "since 2019")
    expect(submitted).toMatchObject({ kyb_status: "pending", kyb_submission: { ...submission, note: "since 2019" } })
    await api(`organizations/${second}/kyb`, submission)
    const [waiting, { stdout }, again, unsaid] = await Promise.all([
      answer("orgs", "list", "--kyb-status", "pending", "--order", "oldest", "--name", "parcels"),
      postcode("orgs", "show", first),
      postcode("kyb", "submit", first, ...names),
      postcode("kyb", "reject", first)
    ])
    expect(waiting.organizations.map(({ id }: { readonly id: string }) => id)).toEqual([first, second])
    expect(stdout).toMatch(
      /\nbusiness name +Example Ltd\nregistration number +RC 1\nsubmission note +since 2019\nsubmitted +[\d-]+ [\d:]+ [+-]\d\d:\d\d\n/
    )
    expect(again).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("pending already") })
    expect(unsaid).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--note is missing") })

    const [rejected, verified] = await Promise.all([
      answer("kyb", "reject", first, "--note", "unreadable"),
      answer("kyb", "verify", second)
    ])
    expect(rejected).toMatchObject({ kyb_status: "rejected", review_note: "unreadable" })
    expect(verified).toMatchObject({ kyb_status: "verified" })
    const none = await postcode("orgs", "list", "--kyb-status", "pending")
    expect(none).toEqual({ code: 0, stdout: "", stderr: "no organization is like that\n" })
  })

  it("decisions about money and levels show the verified business, and a rename since", async () => {
    const id = await newOrganization("Honest Ltd")
    await api(`organizations/${id}/kyb`, { business_name: "Honest Limited", registration_number: "RC 1" })
    await answer("kyb", "verify", id)
    await answer("orgs", "update", id, "--name", "Central Bank")
    const { id: request } = await api(`organizations/${id}/access-requests`, { level: 3, reason: "r" })
    const grant = ["credits", "grant", id, "5", "--reference", "INV-1"]
    const correct = ["credits", "correct", id, "5", "--kind", "refund", "--reason", "r", "--reference", "C-1"]
    const commands = [
      ["orgs", "list", "--name", "Central Bank"],
      ["orgs", "show", id],
      ["access", "list", "--organization", id],
      ["access", "approve", String(request), "--note", "seen"],
      grant,
      correct
    ]
    for (const command of commands) {
      const { code, stderr, stdout } = await postcode(...command)
      expect({ code, stderr }, command.join(" ")).toEqual({ code: 0, stderr: "" })
      for (const text of [id, "Central Bank", "Honest Limited", "Honest Ltd"]) expect(stdout).toContain(text)
    }
  })

  it("access requests are filtered, and listed in either order", async () => {
    const id = await newOrganization()
    const ask = async (level: number) => (await api(`organizations/${id}/access-requests`, { level, reason: "r" })).id
    const [first, second] = [await ask(2), await ask(3)]
    await api(`access-requests/${first}/decision`, { decision: "rejected", note: "no" })
    const idsOf = async (...flags: ReadonlyArray<string>) => {
      const { access_requests } = await answer("access", "list", "--organization", id, ...flags)
      return access_requests.map((request: { readonly id: string }) => request.id)
    }
    const lists = await Promise.all([idsOf("--order", "oldest"), idsOf("--status", "pending")])
    expect(lists).toEqual([[first, second], [second]])
  })

  it("the current directory is described", async () => {
    const [described, shown, { stdout }] = await Promise.all([
      api("directory"),
      answer("directory"),
      postcode("directory")
    ])
    expect(shown).toEqual(described)
    expect(stdout).toMatch(
      new RegExp(
        `^version +${described.version}\nedition +${described.version}\nchanges +0\n(date .*\n)?active units +[\\d,]+\nretired units`
      )
    )
    expect(stdout).toMatch(/\nstates +37\nLGAs +774\ndistricts +[\d,]+\nareas +[\d,]+\n$/)
  })

  it("the audit log is filtered by actor, subject and time", async () => {
    const id = await newOrganization()
    await api(`organizations/${id}/credits`, { amount: 5, environment: "test", reference: "gift" })
    const { events } = (await api(`audit?organization_id=${id}&limit=1`)) as { events: ReadonlyArray<{ at: string }> }
    const day = events[0]?.at.slice(0, 10) ?? ""
    const actionsOf = async (...flags: ReadonlyArray<string>) =>
      (await answer("audit", "--organization", id, ...flags)).events.map(({ action }: { action: string }) => action)
    const lists = await Promise.all([
      actionsOf("--from", "2020-01-01", "--to", day, "--actor", "operator"),
      actionsOf("--action", "credits.granted,key.created", "--to", "2999-01-01T00:00:00Z"),
      actionsOf("--subject", id, "--to", "2020-01-01T00:00:00Z")
    ])
    expect(lists).toEqual([["credits.granted", "organization.created"], ["credits.granted"], []])
    const times = ["2026-02-30", "yesterday", "2026-01-31T25:00:00Z"]
    for (const { code, stderr } of await Promise.all(times.map((time) => postcode("audit", "--from", time)))) {
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("--from: expected a day or a time") })
    }
  })

  it("audit log and ledger are exported completely, as CSV, into a new file", async () => {
    const id = await newOrganization('Quoted, "Ltd"')
    for (let i = 0; i < 130; i++) {
      await api(`organizations/${id}/credits`, { amount: 5, environment: "test", reference: `gift ${i}` })
    }
    await using folder = await temporaryFolder()
    const file = join(folder.path, "audit.csv")
    const [exported, ledger, both] = await Promise.all([
      postcode("audit", "--organization", id, "--csv", file),
      postcode("credits", "entries", id, "--csv", "-"),
      postcode("audit", "--csv", "-", "--json")
    ])
    expect(exported).toMatchObject({ code: 0, stdout: "" })
    const written = await readFile(file, "utf8")
    const [titles, ...events] = rowsOf(written)
    expect(titles).toEqual(["id", "at", "actor", "action", "subject", "organization_id", "details"])
    expect(events).toHaveLength(131)
    expect(new Set(events.map(([event]) => event)).size).toBe(131)
    expect(JSON.parse(events.at(-1)?.[6] ?? "")).toEqual({ name: 'Quoted, "Ltd"' })

    expect(ledger).toMatchObject({ code: 0 })
    const [names, ...entries] = rowsOf(ledger.stdout)
    expect(names?.slice(0, 6)).toEqual(["id", "created_at", "amount", "balance_after", "reason", "reference"])
    const references = Array.from({ length: 130 }, (_, i) => `gift ${129 - i}`)
    expect(entries.map((entry) => entry[5])).toEqual([...references, id])

    const there = await postcode("audit", "--organization", id, "--csv", file)
    expect(there).toMatchObject({ code: 1, stderr: `error: ${file} already exists: choose another name\n` })
    expect(await readFile(file, "utf8")).toBe(written)
    expect(both).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("leave --json") })
  })

  it("a text that a spreadsheet would read as a formula is exported as a text, and numbers stay numbers", async () => {
    const id = await newOrganization()
    for (const reference of ["=1+1", "@SUM(A1)", "-2"]) {
      await api(`organizations/${id}/credits`, { amount: 5, environment: "test", reference })
    }
    const { stdout } = await postcode("credits", "entries", id)
    const cells = rowsOf(stdout).map(([, , amount, , , reference]) => [amount, reference])
    expect(cells.slice(1, 4)).toEqual([
      ["5", "'-2"],
      ["5", "'@SUM(A1)"],
      ["5", "'=1+1"]
    ])
  })

  it("an export that fails leaves no file behind", async () => {
    await using folder = await temporaryFolder()
    const [failed, nowhere] = await Promise.all([
      postcode("credits", "entries", "org_none", "--csv", join(folder.path, "ledger.csv")),
      postcode("credits", "entries", org, "--csv", join(folder.path, "none", "ledger.csv"))
    ])
    expect(failed).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: there is no organization with this id: postcode orgs list shows the ids\n"
    })
    expect(await readdir(folder.path)).toEqual([])
    expect(nowhere).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("cannot be written") })
  })
})
