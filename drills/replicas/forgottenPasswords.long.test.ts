/** Forgotten passwords while the service is killed at each step: everybody gets in again, by one link that works once. */
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { makeFixtureDatabase } from "../kit/FixtureDatabase.ts"
import { environmentOn } from "../kit/Installation.ts"
import { type ReceivedMail, startMailServer, type TestMailServer } from "../kit/MailServer.ts"
import { manage } from "../kit/Management.ts"
import type { TestDatabase } from "../kit/postgres/index.ts"
import { Replica } from "../kit/Replica.ts"

/** When the service is killed: during a request, between two, or while the mail is on its way. */
const steps = ["request", "accepted", "mail", "reset", "done"] as const
const rounds = 4
/** At the same step at a time. */
const people = 5

const origin = "https://postcode.example"
const [former, present] = ["harmattan over kano", "rain on the roof of zinc"]

let database: TestDatabase
let server: TestMailServer
let replica: Replica
let onMail: (mail: ReceivedMail) => void = () => {}
let clients = 0

beforeAll(async () => {
  database = await makeFixtureDatabase()
  server = await startMailServer({ tls: "none", onContent: (mail) => void onMail(mail) })
  replica = await Replica.start({
    ...environmentOn(database.url),
    POSTCODE_SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    POSTCODE_MAIL_FROM: "postcode@gateway.example",
    POSTCODE_PUBLIC_URL: origin,
    POSTCODE_TRUSTED_PROXIES: "127.0.0.1"
  })
}, 600_000)
afterAll(async () => {
  await replica?.kill()
  await server?.close()
  await database?.drop()
})

const url = () => `http://127.0.0.1:${replica.port}`

/** From a client of its own, so that no limit of a client counts. Undefined if the answer was lost. */
const post = async (path: string, body: object, cookie = ""): Promise<Response | undefined> => {
  clients++
  const headers = {
    ...{ origin, cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    "x-forwarded-for": `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`
  }
  const sent = fetch(`${url()}/v1/admin/account/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  return sent.catch(() => undefined)
}

/** The same until it is answered, with its number of attempts. */
const answered = async (path: string, body: object): Promise<Response> => {
  for (;;) {
    const response = await post(path, body)
    if (response !== undefined && response.status < 500) return response
    await setTimeout(100)
  }
}

const killed = async (after_ms: number): Promise<void> => {
  await setTimeout(after_ms)
  await replica.kill()
  await replica.run()
}

const mailsTo = (email: string, part: string): ReadonlyArray<string> =>
  server.received.filter(({ text, to }) => to === email && text.includes(part)).map(({ text }) => text)

const arrived = (email: string, part: string): Promise<string> =>
  vi.waitFor(() => mailsTo(email, part).at(-1) ?? Promise.reject(new Error(`no mail to ${email}`)), {
    timeout: 120_000,
    interval: 50
  })

/** A person with an account, and the cookie of a console session that a thief may have. */
const makePerson = async (email: string, organization: string) => {
  const path = `/organizations/${organization}/invitations`
  const { token } = await manage<{ readonly token: string }>(url(), "POST", path, { role: "billing", email })
  const accepted = await post("accept", { token, name: "Ada", password: former })
  return { email, cookie: accepted?.headers.get("set-cookie")?.split(";")[0] ?? "" }
}

/** What a person does to get in again, who repeats what was not answered. */
const resetPassword = async (email: string, at: (step: (typeof steps)[number]) => void) => {
  at("request")
  expect((await answered("forgotten-password", { email })).status).toBe(202)
  at("accepted")
  const [, token = ""] = /#reset=(\w+)/.exec(await arrived(email, "#reset=")) ?? []
  at("reset")
  const reset = await answered("reset-password", { token, password: present })
  at("done")
  return { reset: reset.status, token }
}

it.each(steps)(
  "everybody gets in again if the service is killed at the step: %s",
  { timeout: 900_000 },
  async (step) => {
    const { id } = await manage<{ readonly id: string }>(url(), "POST", "/organizations", { name: "Shop" })
    for (let round = 0; round < rounds; round++) {
      const names = Array.from({ length: people }, (_, i) => `${step}-${round}-${i}@people.example`)
      const all = await Promise.all(names.map((email) => makePerson(email, id)))
      let kill: Promise<void> | undefined
      // Another moment in each round, from at once to after the answer of a quiet machine.
      const start = () => (kill ??= killed(round * 15))
      onMail = ({ text }) => void (step === "mail" && text.includes("#reset=") && start())
      const ends = await Promise.all(
        all.map(({ email }) => resetPassword(email, (reached) => void (reached === step && start())))
      )
      await kill
      expect(kill).toBeDefined()
      for (const [i, { reset, token }] of ends.entries()) {
        const { cookie, email } = all[i] as (typeof all)[number]
        // 401 if the link had been used, and the answer was lost.
        expect([200, 401]).toContain(reset)
        expect((await answered("sign-in", { email, password: present })).status).toBe(200)
        expect((await answered("sign-in", { email, password: former })).status).toBe(401)
        expect((await answered("reset-password", { token, password: former })).status).toBe(401)
        expect((await post("sign-out", {}, cookie))?.status).toBe(401)
        await arrived(email, "password")
        await vi.waitFor(() => expect(server.received.filter(({ to }) => to === email).length).toBeGreaterThan(1), {
          timeout: 120_000
        })
      }
    }
  }
)
