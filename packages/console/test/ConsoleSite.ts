/** The real service on a store in memory, with the console as it is built from its sources, and the people in it. */

import type { DirectoryWarning } from "@postcode/core/Csv"
import { claimInstance } from "@postcode/gateway/accounts/claimInstance"
import { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { Terms } from "@postcode/gateway/accounts/Terms"
import { type AuditAction, type AuditEvent, AuditLog } from "@postcode/gateway/audit/AuditLog"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import type { Role } from "@postcode/gateway/ManagementAccess"
import { defaultNoticeLimits, NoticeLimits } from "@postcode/gateway/notices/Notice"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Notices } from "@postcode/gateway/notices/Notices"
import { type HostedFile, openGateway } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Clock, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { listen } from "../../widget/test/Listening.ts"
import { testDirectory } from "../../widget/test/service/TestDirectory.ts"
import { type ConsoleFile, consoleFiles } from "../src/hosting/files.ts"

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}

/** The password of everybody here. */
export const password = "harmattan over kano"

export interface ConsoleSite {
  /** `http://localhost:41234`: browsers have passkeys for names only. */
  readonly origin: string
  /** The token of the link that opens the first operator's account. */
  readonly claimToken: string
  /** What was answered: `GET /v1/admin/account 401`. */
  readonly answers: Array<string>
  /** Happens to each request before the service sees it; what it answers is answered in the service's place. */
  meanwhile: (method: string, url: URL) => Promise<Response | undefined> | Response | undefined
  /** Moves the clock of the service on. */
  readonly pass_s: (seconds: number) => void
  /** Calls the management API with the operator token. */
  readonly manage: <A>(method: string, path: string, body?: object) => Promise<A>
  /** Appends an event to the audit log, as commands on the database do. */
  readonly note: (action: AuditAction, subject: string, details: AuditEvent["details"]) => Promise<void>
  /** The token of the link in the newest mail to an address. */
  readonly tokenTo: (email: string) => Promise<string>
  /** Makes an organization, and answers its id. */
  readonly newOrganization: (name: string) => Promise<string>
  /** Makes an account: of an operator, or of a member of an organization. */
  readonly newPerson: (name: string, role: Role, organization_id?: string) => Promise<Person>
  readonly close: () => Promise<void>
}

/**
 * @param others what is served beside the console's own files, which it is given
 * @param withMail whether it stores mail, and takes sign-ups
 * @param mapStyle the operator's style for maps
 */
export const openConsoleSite = async (
  others: (own: ReadonlyArray<ConsoleFile>) => Promise<ReadonlyArray<HostedFile>> = async () => [],
  withMail = false,
  mapStyle?: string
): Promise<ConsoleSite> => {
  const { attributes, directory } = testDirectory()
  const moved = { ms: 0 }
  const layer = Layer.mergeAll(
    Layer.provide(MemoryStore.layer, Layer.succeed(NoticeLimits, { ...defaultNoticeLimits, isOn: withMail })),
    Layer.succeed(SignUpSettings, { mode: withMail ? "open" : "off", domains: [], isMailPrinted: false }),
    Layer.succeed(Terms, {
      terms: { url: "https://postcode.example/terms", version: "2026-11-01" },
      privacy: undefined
    }),
    layerDirectory(directory, attributes, { warnings: foundWarnings }),
    secrets
  )
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, movableClock(moved)))
  const ports = Layer.effectContext(runtime.contextEffect)
  made ??= consoleFiles()
  const own = await made
  const files = [...own, ...(await others(own))]
  const gateway = await openGateway({ operatorToken: Redacted.make(operatorToken), files, mapStyle, ...limits }, ports)
  const answers: Array<string> = []
  const listening = await listen(async (request, response) => {
    const { method = "", url = "/" } = request
    response.once("close", () => answers.push(`${method} ${url} ${response.statusCode}`))
    const instead = await site.meanwhile(method, new URL(url, "http://service"))
    if (instead === undefined) return gateway.nodeHandler(request, response)
    response.writeHead(instead.status, Object.fromEntries(instead.headers)).end(await instead.text())
  })
  const origin = listening.url.replace("127.0.0.1", "localhost")
  const claim = await runtime.runPromise(Effect.flatten(claimInstance))
  const site: ConsoleSite = {
    origin,
    claimToken: claim === undefined ? "" : Redacted.value(claim.token),
    answers,
    meanwhile: () => undefined,
    pass_s: (seconds) => {
      moved.ms += seconds * 1000
    },
    tokenTo: (email) => runtime.runPromise(newestToken(email)),
    note: (action, subject, details) => runtime.runPromise(noteEvent(action, subject, details)),
    ...management(origin),
    close: async () => {
      await listening.close()
      await gateway.close()
      await runtime.dispose()
    }
  }
  return site
}

/** As of an import: warnings of units and of a place. */
const foundWarnings: ReadonlyArray<DirectoryWarning> = [
  {
    kind: "exchanged",
    count: 338,
    first: Array.from({ length: 20 }, (_, row) => ({
      line: 12 + 41 * row,
      postcode: `LA-11-B03-PD-${String(row + 1).padStart(2, "0")}`,
      detail: `${300 + 7 * row} km`
    }))
  },
  { kind: "unnamed_place", count: 1, first: [{ line: 7, postcode: "LA-77-ZZZ-QQ-01", detail: "LA-77, 12 units" }] },
  { kind: "similar_names", count: 1, first: [{ detail: "LA-11 Ikeja and LA-14 IKEJA" }] }
]

const noteEvent = (action: AuditAction, subject: string, details: AuditEvent["details"]) =>
  Effect.gen(function* () {
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const event = { id: `evt_${action}_${subject}`, at, actor: "command", action, subject, details }
    yield* Effect.flatMap(AuditLog, (log) => log.append(event))
  })

/** Nothing sends the mail. */
const newestToken = (email: string) =>
  Effect.gen(function* () {
    const notices = yield* Notices
    const { open } = yield* NoticeSecrets
    const leased = yield* notices.lease(1_000, 1)
    yield* Effect.forEach(leased, (one) => notices.settle(one, { status: "pending", after_ms: 0 }))
    const { notice, sealed_token = "" } = leased.filter(({ notice }) => notice.email === email).at(-1) ?? {}
    return Redacted.value(open(notice?.id ?? "", sealed_token) ?? Redacted.make(""))
  })

/** They are the same for all sites of a process. */
let made: ReturnType<typeof consoleFiles> | undefined

export const operatorToken = "an-operator-token-for-tests-alone"

/** Tests are quicker than people. */
const limits = { addressRateLimit_per_minute: 100_000 }

const secrets = Layer.merge(
  layerNodeSecrets({ version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }),
  layerSessionTokens([{ id: "test", secret: Redacted.make("a-signing-key-for-tests-and-nothing-else") }])
)

const movableClock = (moved: { readonly ms: number }): Layer.Layer<never> => {
  const clock = Effect.runSync(Clock.Clock)
  const now = () => clock.currentTimeMillisUnsafe() + moved.ms
  return Layer.succeed(
    Clock.Clock,
    Object.assign(Object.create(clock) as Clock.Clock, {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    })
  )
}

/** Calls the management API of a service that has this operator token. */
export const manager =
  (origin: string): ConsoleSite["manage"] =>
  (method, path, body) =>
    ask(origin, method, path, { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" }, body)

const ask = async <A>(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object
): Promise<A> => {
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  const response = await fetch(`${origin}/v1/admin${path}`, init)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { readonly data: A }).data
}

const management = (origin: string): Pick<ConsoleSite, "manage" | "newOrganization" | "newPerson"> => {
  const manage = manager(origin)
  return {
    manage,
    newOrganization: async (name) => (await manage<{ readonly id: string }>("POST", "/organizations", { name })).id,
    newPerson: async (name, role, organization_id) => {
      const path = organization_id === undefined ? "/operators" : `/organizations/${organization_id}`
      const email = `${name.toLowerCase().replaceAll(" ", ".")}@people.example`
      const { token } = await manage<{ readonly token: string }>(
        "POST",
        `${path}/invitations`,
        organization_id === undefined ? { email } : { role, email }
      )
      const headers = { origin, "content-type": "application/json" }
      const { account } = await ask<{ readonly account: Person }>(origin, "POST", "/account/accept", headers, {
        token,
        name,
        password
      })
      return { ...account, role }
    }
  }
}
