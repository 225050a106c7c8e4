/** What the console loads, as `postcode serve` answers it. */

import type { Service } from "@postcode/drills/StartCommand"
import { expect } from "vitest"

/** Every file of the console is on the gateway's host, and none on the platform's. */
export const expectConsole = async (served: Service): Promise<void> => {
  const page = await (await fetch(`${served.url}/console/`)).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path)
  expect(assets.length).toBeGreaterThanOrEqual(3)
  for (const path of ["/console", "/console/", ...assets]) {
    expect(await statusOf(`${served.url}${path}`), path).toBe(200)
    expect(await statusOf(`${served.shown("widget")}${path}`), path).toBe(404)
  }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url, { headers: { connection: "close" } })).status
