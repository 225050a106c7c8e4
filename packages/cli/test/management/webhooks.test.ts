/** Webhooks from the shell to a receiver: by the whole service, in memory and on a database, also when it is killed. */
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { operatorToken, postcodes } from "@postcode/http/testing"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { listen } from "../../../widget/test/Listening.ts"
import { manage, managing } from "../Management.ts"
import { run } from "../RunCommand.ts"
import { makeCustomer, makeInstallation } from "../replicas/Installation.ts"
import { type Service, startService } from "../StartCommand.ts"

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly response: ServerResponse
}

interface Delivery {
  readonly id: string
  readonly event_id: string
  readonly status: string
  readonly attempts: number
  readonly last_status?: number
}

/** A receiver that answers when the test does. */
const startReceiver = async () => {
  const all: Array<Received> = []
  let told: () => void = () => {}
  const { close, url } = await listen(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    all.push({ headers: request.headers, body, response })
    told()
  })
  return {
    url: `${url}/hooks`,
    /** The request of that number, from 0, once it is there. */
    request: async (number: number): Promise<Received> => {
      while (all[number] === undefined) {
        await new Promise<void>((resolve) => {
          told = resolve
        })
      }
      return all[number] as Received
    },
    count: () => all.length,
    [Symbol.asyncDispose]: close
  }
}

const contentOf = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

/** The newest delivery, once it is as it should be. */
const deliveryWhere = async (
  { url }: Pick<Service, "url">,
  webhook: string,
  isRight: (delivery: Delivery) => boolean
): Promise<Delivery> => {
  for (;;) {
    const { deliveries } = await manage<{ deliveries: ReadonlyArray<Delivery> }>(
      url,
      "GET",
      `/webhooks/${webhook}/deliveries`
    )
    const [newest] = deliveries
    if (newest !== undefined && isRight(newest)) return newest
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe("webhooks of a service in memory", () => {
  it("are managed from a shell, and sent with signatures that the library of the convention accepts", async () => {
    await using receiver = await startReceiver()
    const service = await startService(["--private-webhooks"], {
      POSTCODE_OPERATOR_TOKEN: operatorToken
    })
    const shell = async (...args: ReadonlyArray<string>) => {
      const ended = await run(args, { env: managing(service.url) })
      expect(ended.code, ended.stderr).toBe(0)
      return ended
    }
    const { id } = await manage<{ id: string }>(service.url, "POST", "/organizations", { name: "Test" })
    const made = await shell("webhooks", "create", id, receiver.url, "--description", "Ours")
    const secret = made.stdout.trim()
    const [webhook = ""] = /whk_\w+/.exec(made.stderr) ?? []

    // A threshold above the balance tells at once.
    const set = await shell("credits", "threshold", id, "--environment", "test", "--below", "5000")
    expect(set.stdout).toMatch(/test balance +1,000\nlow below +5,000\n/)
    const first = await receiver.request(0)
    expect(contentOf(secret, first)).toEqual({
      type: "credits.low",
      timestamp: expect.stringMatching(/Z$/),
      data: { organization_id: id, environment: "test", balance: 1_000, threshold: 5_000 }
    })
    // 503, then 204 to the same message. It would be sent again in an hour, not while a busy machine runs the commands.
    first.response.writeHead(503, { "retry-after": "3600" }).end()
    const { id: delivery } = await deliveryWhere(service, webhook, ({ last_status }) => last_status === 503)
    const rotated = (await shell("webhooks", "rotate-secret", webhook)).stdout.trim()
    expect((await shell("webhooks", "retry", delivery)).stdout).toMatch(/status +pending/)
    const second = await receiver.request(1)
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"])
    expect(second.body).toBe(first.body)
    for (const one of [secret, rotated]) contentOf(one, second)
    expect(() => contentOf(secret, { ...second, body: second.body.replace("1000", "1001") })).toThrow("signature")
    second.response.writeHead(204).end()
    await deliveryWhere(service, webhook, ({ status }) => status === "delivered")
    expect((await shell("webhooks", "deliveries", webhook)).stdout).toMatch(/credits\.low +delivered +2 +204/)

    expect((await shell("webhooks", "test", webhook)).stdout).toMatch(/event +webhook\.test/)
    const third = await receiver.request(2)
    expect(contentOf(rotated, third)).toMatchObject({ type: "webhook.test", data: { organization_id: id } })
    third.response.writeHead(410).end()
    await deliveryWhere(service, webhook, ({ status }) => status === "failed")
    expect((await shell("webhooks", "list", id)).stdout).toMatch(
      new RegExp(`${webhook}  ${receiver.url}  Ours +disabled`)
    )
    expect((await shell("webhooks", "delete", webhook)).stdout).toMatch(/removed +whk_/)
    expect(await service.stop()).toBe(0)
    for (const one of [secret, rotated]) expect(service.stderr()).not.toContain(one.slice(6, 30))
  })

  it("go nowhere private unless that is allowed, and a threshold needs one of its two flags", async () => {
    const service = await startService([], { POSTCODE_OPERATOR_TOKEN: operatorToken })
    const env = managing(service.url)
    const { id } = await manage<{ id: string }>(service.url, "POST", "/organizations", { name: "Test" })
    const refused = await run(["webhooks", "create", id, "http://127.0.0.1:1/"], { env })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("https://") })
    const wrong = await run(["credits", "threshold", id, "--none", "--below", "5"], { env })
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("--below N or --none") })
    expect(await service.stop()).toBe(0)
  })
})

describe("webhooks of two replicas", () => {
  it("a message that a killed process had sent, and not settled, is sent again by the other, with the same id", async () => {
    await using installation = await makeInstallation()
    await using receiver = await startReceiver()
    const first = await installation.startReplica("--private-webhooks")
    const { id, secret: key } = await makeCustomer(first, 10)
    const made = { url: receiver.url }
    const webhook = await manage<{ id: string; secret: string }>(
      first.url,
      "POST",
      `/organizations/${id}/webhooks`,
      made
    )
    const threshold = { environment: "live", threshold: 10 }
    await manage(first.url, "PUT", `/organizations/${id}/credits/threshold`, threshold)
    const looked = await fetch(`${first.url}/v1/lookup?code=${postcodes.full}&level=2`, {
      headers: { "x-api-key": key }
    })
    expect(looked.status).toBe(200)
    const lost = await receiver.request(0)
    await first.stop("SIGKILL")

    const second = await installation.startReplica("--private-webhooks")
    const isLeased = await deliveryWhere(second, webhook.id, ({ attempts }) => attempts === 1)
    expect(isLeased.status).toBe("pending")
    expect(receiver.count()).toBe(1)
    // The lease of the process that is gone is over.
    await Effect.runPromise(
      Effect.flatMap(SqlClient, (sql) => sql`UPDATE postcode.webhook_endpoints SET leased_until = now()`).pipe(
        Effect.provide(layerDatabase({ url: Redacted.make(installation.env.DATABASE_URL as string) }))
      )
    )

    const found = await receiver.request(1)
    expect(found.headers["webhook-id"]).toBe(lost.headers["webhook-id"])
    expect(found.body).toBe(lost.body)
    expect(contentOf(webhook.secret, found)).toMatchObject({
      type: "credits.low",
      data: { organization_id: id, environment: "live", balance: 9, threshold: 10 }
    })
    // What is on its way when the process is told to stop is finished, and written down.
    const stopped = second.stop()
    setTimeout(() => found.response.writeHead(200).end(), 200)
    expect(await stopped).toBe(0)
    const third = await installation.startReplica()
    const settled = await deliveryWhere(third, webhook.id, () => true)
    expect(settled).toMatchObject({
      status: "delivered",
      attempts: 2,
      last_status: 200,
      event_id: lost.headers["webhook-id"]
    })
  })
})
