/** The two hosts: all endpoints on one host, or the widget's endpoints on a separate one. */
import { describe, expect, it } from "vitest"
import type { TestClient } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { documents, endpoints } from "../Contract.ts"
import { outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

const isOnPlatform = (operation: string): boolean => operation.startsWith("widget.")
const isOnBoth = (operation: string): boolean => operation.startsWith("health.")

export const widgetHosts = (world: World): void => {
  describe("with separate hosts", () => {
    const hosts = {
      gateway: (operation: string) => !isOnPlatform(operation),
      platform: (operation: string) => isOnPlatform(operation) || isOnBoth(operation)
    }
    for (const host of ["gateway", "platform"] as const) {
      it(`the ${host} has its own endpoints, health and documents; all others are 404, including preflights`, async () => {
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
 * Uses fetch, because the test client expects every endpoint of the contract on each host. Sends its own address,
 * because all requests without one share the rate limit of 127.0.0.1.
 */
const statusOf = async (client: TestClient, method: string, path: string): Promise<number> => {
  const headers = { "x-forwarded-for": client.newVisitor() }
  return (await fetch(`http://127.0.0.1:${client.port}${path}`, { method, headers })).status
}
