/** Webhooks of two replicas, one of which is killed. */

import { postcodes } from "@postcode/conformance/wire"
import { makeCustomer, makeInstallation } from "@postcode/drills/Installation"
import { manage } from "@postcode/drills/Management"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, it } from "vitest"
import { contentOf, deliveryWhere, startReceiver } from "./WebhookReceiver.ts"

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
