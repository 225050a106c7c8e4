/**
 * The widget's back end as real replicas on one database: sessions that go on while signing keys and peppers change, and
 * selections that outlive a stop.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Installation, makeInstallation } from "../kit/Installation.ts"
import { manage, managing } from "../kit/Management.ts"
import { runProcess, type Service, startService } from "../kit/StartCommand.ts"

const signingKey = (name: string) => `${name}:the-signing-key-${name}-for-tests-alone`
const pepper = (version: number) => `${version}:the-pepper-number-${version}-for-tests-alone`

let installation: Installation

beforeAll(async () => {
  installation = await makeInstallation()
})
afterAll(async () => {
  await installation[Symbol.asyncDispose]()
})

/** A replica with secrets of its own, for as long as a test needs it. */
const replicaWith = (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>): Promise<Service> =>
  startService(args, { ...installation.env, ...env })

describe("the start", () => {
  it("needs signing keys, the same for all replicas", async () => {
    const { POSTCODE_SESSION_KEYS: _, ...env } = installation.env as { readonly POSTCODE_SESSION_KEYS: string }
    await expect(startService([], env)).rejects.toThrow("POSTCODE_SESSION_KEYS: needed with a database")
  })
})

describe("signing keys", () => {
  it("change without ending a session, because each replica accepts the tokens of all its keys", async () => {
    const [old, next] = [signingKey("old"), signingKey("next")]
    await using before = await replicaWith({ POSTCODE_SESSION_KEYS: old })
    await using learning = await replicaWith({ POSTCODE_SESSION_KEYS: `${old},${next}` })
    await using changed = await replicaWith({ POSTCODE_SESSION_KEYS: `${next},${old}` })
    await using after = await replicaWith({ POSTCODE_SESSION_KEYS: next })
    const key = await publishableKey(before)
    const sessions = [await start(before, key), await start(learning, key), await start(changed, key)]
    for (const replica of [learning, changed]) {
      for (const session of sessions) expect((await bookmarks(replica, session)).status).toBe(200)
    }
    const statuses = sessions.map(async (session) => (await bookmarks(after, session)).status)
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
  })

  it("a revoked key ends its sessions on every replica", async () => {
    await using one = await replicaWith({})
    await using other = await replicaWith({})
    const key = await publishableKey(one)
    const session = await start(one, key)
    for (const replica of [one, other]) expect((await bookmarks(replica, session)).status).toBe(200)
    await manage(one.url, "DELETE", `/keys/${key.id}`)
    expect((await bookmarks(one, session)).status).toBe(401)
    await new Promise((resolve) => setTimeout(resolve, 600))
    // On a busy machine the other one may not know yet what holds, and say that.
    let status: number
    do status = (await bookmarks(other, session)).status
    while (status === 503)
    expect(status).toBe(401)
  })
})

describe("peppers", () => {
  it("change without losing an account, which is found by a previous pepper and moves with its next save", async () => {
    const identifier = "rotated@example.ng"
    const home = [{ postcode: "LA-12-A03-BG-07", label: "Home" }]
    const save = ({ url }: Service, bookmarks: ReadonlyArray<object>) =>
      manage<{ readonly id: string }>(url, "PUT", "/end-users", { identifiers: [identifier], bookmarks })
    await using before = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: pepper(1) })
    await using changed = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: `${pepper(2)},${pepper(1)}` })
    await using after = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: pepper(2) })
    const key = await publishableKey(before)
    const found = async (replica: Service) =>
      ((await (await bookmarks(replica, await start(replica, key, identifier))).json()) as Listed).data.bookmarks
    const { id } = await save(before, home)
    expect(await found(changed)).toEqual(home)
    expect(await found(after)).toEqual([])
    const work = [{ postcode: "LA-12-A03-BG-08", label: "Work" }]
    expect((await save(changed, work)).id).toBe(id)
    for (const replica of [changed, after]) expect(await found(replica)).toEqual(work)
    expect(await found(before)).toEqual([])
  })

  it("that were never configured together give an identifier two accounts, and a removal removes both", async () => {
    const identifier = "twice@example.ng"
    const body = { identifiers: [identifier], bookmarks: [] }
    await using first = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: pepper(1) })
    await using second = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: pepper(2) })
    await using both = await replicaWith({ POSTCODE_IDENTIFIER_PEPPER: `${pepper(2)},${pepper(1)}` })
    const [old, fresh] = [
      await manage<{ readonly id: string }>(first.url, "PUT", "/end-users", body),
      await manage<{ readonly id: string }>(second.url, "PUT", "/end-users", body)
    ]
    const env = managing(both.url)
    const endUsers = (...args: ReadonlyArray<string>) =>
      runProcess(["end-users", ...args, "--json"], { env, stdin: identifier })
    const refused = await endUsers("save", "--no-bookmarks")
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("belong to two end users") })
    const removed = await endUsers("remove")
    expect(removed.stderr).toBe("")
    expect(
      removed.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).id)
    ).toEqual([fresh.id, old.id])
    for (const replica of [first, second, both]) {
      const shown = await runProcess(["end-users", "show"], {
        env: { ...env, POSTCODE_URL: replica.url },
        stdin: identifier
      })
      expect(shown).toMatchObject({ code: 1, stderr: "error: there is no end user with this identifier\n" })
    }
  })
})

describe("selections", () => {
  const sizes = ["1", "2"]
  it.each(sizes)(
    "that were acknowledged are all stored if the service with %s workers is stopped meanwhile",
    async (workers) => {
      await using replica = await replicaWith({}, "--workers", workers)
      const key = await publishableKey(replica)
      const session = await start(replica, key)
      let acknowledged = 0
      let stopping: Promise<number | null> | undefined
      const select = async () => {
        const response = await fetch(`${replica.url}/v1/widget/selected`, {
          method: "POST",
          headers: { authorization: `Bearer ${session}`, "content-type": "application/json" },
          body: JSON.stringify({ postcode: "LA-12-A03-BG-07" })
        })
        if (response.status !== 200) return
        acknowledged++
        if (acknowledged === 1_000) stopping = replica.stop()
      }
      // Each client goes on until the replica takes no more.
      const client = async (): Promise<void> => {
        for (let i = 0; i < 1_000; i++) await select()
      }
      await Promise.allSettled(Array.from({ length: 20 }, client))
      expect(await stopping).toBe(0)
      expect(acknowledged).toBeGreaterThanOrEqual(1_000)
      const stored = await installation.server.connect()
      const { rows } = await stored.query<{ readonly count: string }>(
        "SELECT count(*) FROM postcode.selections WHERE key_id = $1",
        [key.id]
      )
      await stored.end()
      expect(Number(rows[0]?.count)).toBe(acknowledged)
    }
  )
})

interface Listed {
  readonly data: { readonly bookmarks: ReadonlyArray<unknown> }
}

interface Key {
  readonly id: string
  readonly secret: string
}

const publishableKey = async ({ url }: Service): Promise<Key> => {
  const { id } = await manage<{ readonly id: string }>(url, "POST", "/organizations", { name: "Shop" })
  const key = { name: "page", kind: "publishable", environment: "test", scopes: ["search"], max_level: 1 }
  return await manage<Key>(url, "POST", `/organizations/${id}/keys`, key)
}

const start = async ({ url }: Service, { secret }: Key, identifier = "ada@example.ng"): Promise<string> => {
  const response = await fetch(`${url}/v1/widget/session`, {
    method: "POST",
    headers: { "x-api-key": secret, "content-type": "application/json" },
    body: JSON.stringify({ identifier })
  })
  return ((await response.json()) as { readonly data: { readonly token: string } }).data.token
}

const bookmarks = ({ url }: Service, session: string): Promise<Response> =>
  fetch(`${url}/v1/widget/bookmarks`, { headers: { authorization: `Bearer ${session}` } })
