/** What an operator does, through the management API. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { WebHandler } from "@postcode/http"

export const operatorToken = "an-operator-token-for-tests-alone"

/** A publishable key that was just made. */
export interface TestKey {
  readonly id: string
  readonly secret: string
  readonly organization_id: string
}

export interface KeyScene {
  /** Live accounts begin without credits, those for tests with 1,000. */
  readonly environment?: "live" | "test"
  readonly max_level?: AccessLevel
  readonly daily_credit_limit?: number
  readonly origins?: ReadonlyArray<string>
}

export interface Management {
  /** A publishable key of an organization of its own. */
  readonly newKey: (scene?: KeyScene) => Promise<TestKey>
  readonly revoke: (key: TestKey) => Promise<void>
  /** Adds credits to the live account of a key's organization. */
  readonly grant: (key: TestKey, amount: number) => Promise<void>
  /** The charges in the ledger of a key's organization, in credits. */
  readonly charges: (key: TestKey) => Promise<ReadonlyArray<number>>
  readonly saveEndUser: (
    identifiers: ReadonlyArray<string>,
    bookmarks: ReadonlyArray<{ readonly postcode: string; readonly label: string }>
  ) => Promise<void>
}

/** On a service that has this operator token. */
export const managementOf = (send: WebHandler): Management => {
  const call = async <A>(method: string, path: string, body?: object): Promise<A> => {
    const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await send(new Request(`http://service/v1/admin${path}`, init))
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { readonly data: A }).data
  }
  return {
    newKey: async ({ environment = "test", max_level = 1, ...terms } = {}) => {
      const { id } = await call<{ readonly id: string }>("POST", "/organizations", { name: "Shop" })
      const grant = { granted_level: 5, kyb_status: "verified", review_note: "for a test" }
      await call("PATCH", `/organizations/${id}`, grant)
      const key = { name: "page", kind: "publishable", environment, scopes: ["search", "lookup"], max_level, ...terms }
      return { ...(await call<TestKey>("POST", `/organizations/${id}/keys`, key)), organization_id: id }
    },
    grant: ({ organization_id }, amount) =>
      call("POST", `/organizations/${organization_id}/credits`, {
        amount,
        environment: "live",
        reference: "for a test"
      }),
    charges: async ({ organization_id }) => {
      const path = `/organizations/${organization_id}/credits?environment=test`
      const { entries } = await call<{ readonly entries: ReadonlyArray<{ readonly amount: number }> }>("GET", path)
      return entries.map(({ amount }) => amount).filter((amount) => amount < 0)
    },
    revoke: ({ id }) => call("DELETE", `/keys/${id}`),
    saveEndUser: (identifiers, bookmarks) => call("PUT", "/end-users", { identifiers, bookmarks })
  }
}
