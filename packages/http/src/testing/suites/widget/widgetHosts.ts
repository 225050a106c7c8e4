/** The two hosts: everything in one place, or the widget's endpoints apart from all others. */
import { describe, expect, it } from "vitest"
import { documents, endpoints } from "../../wire/Contract.ts"
import { outcomeOf } from "../../wire/Received.ts"
import { makeScene, sampleMessage } from "../../wire/Samples.ts"
import type { TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"

const isOfWidget = (operation: string): boolean => operation.startsWith("widget.")
const isOfBoth = (operation: string): boolean => operation.startsWith("health.")

export const widgetHosts = (world: World): void => {
  describe("with hosts apart", () => {
    const hosts = {
      gateway: (operation: string) => !isOfWidget(operation),
      platform: (operation: string) => isOfWidget(operation) || isOfBoth(operation)
    }
    for (const host of ["gateway", "platform"] as const) {
      it(`the ${host} has its own endpoints, health and documents; all else is 404, preflights too`, async () => {
        const { client } = await world.serveAnother({ host })
        for (const { method, operation, path, successStatus } of endpoints) {
          if (!hosts[host](operation)) {
            for (const asked of [method, "OPTIONS"]) expect(await statusOf(client, asked, path), operation).toBe(404)
            continue
          }
          client.newVisitor()
          const received = await client.send(sampleMessage(operation, await makeScene(world.operator, operation)))
          expect(outcomeOf(received), operation).toBe(String(successStatus))
        }
        for (const target of documents) expect((await client.get(target)).status).toBe(200)
      })
    }
  })
}

/**
 * By a client that does not know the contract, in which each endpoint is there. From an address of its own: the limit of
 * 127.0.0.1 is shared with all requests of other tests that name no address.
 */
const statusOf = async (client: TestClient, method: string, path: string): Promise<number> => {
  const headers = { "x-forwarded-for": client.newVisitor() }
  return (await fetch(`http://127.0.0.1:${client.port}${path}`, { method, headers })).status
}
