/** Keys that are made beside the pages, used, and looked for in them. */
import type { Locator } from "playwright-core"
import type { ConsoleSite } from "../ConsoleSite.ts"

/** A key just made. */
export interface MadeKey {
  readonly id: string
  readonly secret: string
}

/** Makes a secret test key of an organization, or whatever else the body says. */
export const makeKey = (site: ConsoleSite, organization: string, body: object): Promise<MadeKey> =>
  site.manage("POST", `/organizations/${organization}/keys`, {
    kind: "secret",
    environment: "test",
    scopes: ["search", "lookup"],
    max_level: 2,
    ...body
  })

/** The status of a request with a key. */
export const statusWith = (site: ConsoleSite, key: string): Promise<number> =>
  fetch(`${site.origin}/v1/lookup?code=LA-11-B03-PD-01&level=1`, { headers: { "x-api-key": key } }).then(
    ({ status }) => status
  )

/** The secret of a key that is shown somewhere; empty if there is none. */
export const secretIn = async (where: Locator): Promise<string> => {
  const [secret = ""] = /svc_\w+_[0-9A-Za-z]{38}/.exec((await where.textContent()) ?? "") ?? []
  return secret
}
