/** How somebody becomes the first operator of a service: by the link that it prints. */
import { existsSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Service } from "@postcode/drills/StartCommand"
import { expect } from "vitest"

export const password = "harmattan over kano"

export interface Claim {
  readonly link: string
  readonly token: string
  readonly file: string
}

export const claimOf = (service: Service): Claim => {
  const [, link = "", token = ""] = /console +(\S+\/console\/#join=(\w+))\n/.exec(service.stderr()) ?? []
  return { link, token, file: /also in (\S+)/.exec(service.stderr())?.[1] ?? "" }
}

export const post = (service: Service, path: string, body: object, cookie = "") =>
  fetch(`${service.url}/v1/admin/account${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url, cookie },
    body: JSON.stringify(body)
  })

export const accept = (service: Service, { token }: Claim, email: string) =>
  post(service, "/accept", { token, email, name: "Ada", password })

export const cookieIn = (response: Response): string => response.headers.get("set-cookie")?.split(";")[0] ?? ""

/** A file of a link goes with its folder, within seconds. */
export const expectRemoved = (file: string) =>
  expect.poll(() => existsSync(dirname(file)), { timeout: 20_000 }).toBe(false)

/** Of two who use the link at once one becomes the operator; the link is valid once, and is in no log. */
export const expectOneWinner = async (service: Service): Promise<void> => {
  const claim = claimOf(service)
  expect(claim.link).toBe(`${service.url}/console/#join=${claim.token}`)
  expect(claim.token).toMatch(/^[0-9A-Za-z]{43}$/)
  expect(statSync(claim.file).mode & 0o777).toBe(0o600)
  expect(await readFile(claim.file, "utf8")).toBe(`${claim.link}\n`)

  const both = await Promise.all(["ada", "eve"].map((name) => accept(service, claim, `${name}@people.example`)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 401])
  expect((await accept(service, claim, "late@people.example")).status).toBe(401)
  const cookie = cookieIn(both.find(({ ok }) => ok) as Response)
  // Each on a connection of its own, so that every thread is asked.
  const asked = Array.from({ length: 8 }, () =>
    fetch(`${service.url}/v1/admin/operators`, { headers: { cookie, connection: "close" } })
  )
  const operators = await Promise.all((await Promise.all(asked)).map((response) => response.text()))
  expect(new Set(operators).size).toBe(1)
  expect(operators[0]?.match(/"role":"operator"/g)).toHaveLength(1)

  await expectRemoved(claim.file)
  expect(await service.stop()).toBe(0)
  const said = service.stderr()
  expect(said).toContain("account.acceptInvitation")
  expect(said.split(claim.token)).toHaveLength(2)
  for (const secret of [password, "people.example", cookie.split("=")[1] as string]) expect(said).not.toContain(secret)
}
