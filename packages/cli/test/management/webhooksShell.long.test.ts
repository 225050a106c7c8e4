/** Webhooks of a service in memory, managed from a shell. */

import { operatorToken } from "@postcode/conformance/wire"
import { manage, managing } from "@postcode/drills/Management"
import { startService } from "@postcode/drills/StartCommand"
import { expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { contentOf, deliveryWhere, startReceiver } from "./WebhookReceiver.ts"

it("webhooks are managed from a shell, and sent with signatures that the library of the convention accepts", async () => {
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
