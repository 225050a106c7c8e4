/** The organizations of the load, created through the management API, and sessions of their widgets. */
import { maxLimit, type Operator } from "./ServiceProcess.ts"

export interface Customer {
  readonly organization_id: string
  /** A secret test key with all levels. */
  readonly secret: string
  /** A secret test key with only search, and so without names. */
  readonly searching: string
  /** A publishable test key for the widget. */
  readonly publishable: string
  /** A management key of the role `billing`. */
  readonly management: string
}

/** The page that publishable keys and sessions are for. */
export const origin = "https://shop.example"

/** Creates organizations with more credits and higher limits than a run can use. */
export const openCustomers = async (operator: Operator, count: number): Promise<ReadonlyArray<Customer>> => {
  const customers: Array<Customer> = []
  for (let i = 0; i < count; i++) customers.push(await openCustomer(operator, i))
  return customers
}

const openCustomer = async (operator: Operator, number: number): Promise<Customer> => {
  const { id } = await operator<{ readonly id: string }>("POST", "organizations", { name: `Customer ${number}` })
  await operator("PATCH", `organizations/${id}`, { granted_level: 5, kyb_status: "verified", review_note: "Known." })
  await operator("POST", `organizations/${id}/credits`, {
    amount: 1_000_000_000,
    environment: "test",
    reference: "bench"
  })
  const key = async (fields: object): Promise<string> => {
    const body = { name: "bench", environment: "test", rate_limit_per_minute: maxLimit, ...fields }
    return (await operator<{ readonly secret: string }>("POST", `organizations/${id}/keys`, body)).secret
  }
  const management = { name: "bench", role: "billing" }
  return {
    organization_id: id,
    secret: await key({ kind: "secret", scopes: ["search", "lookup"], max_level: 5 }),
    searching: await key({ kind: "secret", scopes: ["search"], max_level: 1 }),
    publishable: await key({
      kind: "publishable",
      scopes: ["search"],
      max_level: 1,
      origins: [origin],
      daily_credit_limit: 1_000_000_000
    }),
    management: (await operator<{ readonly secret: string }>("POST", `organizations/${id}/management-keys`, management))
      .secret
  }
}

/** Tokens of new sessions without an end user. */
export const openSessions = async (
  port: number,
  customers: ReadonlyArray<Customer>,
  count: number
): Promise<ReadonlyArray<string>> => {
  const open = async (publishable: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/widget/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, "x-api-key": publishable },
      body: "{}"
    })
    if (!response.ok) throw new Error(`POST /v1/widget/session: ${await response.text()}`)
    return ((await response.json()) as { readonly data: { readonly token: string } }).data.token
  }
  const tokens: Array<string> = []
  for (let i = 0; i < count; i++) tokens.push(await open((customers[i % customers.length] as Customer).publishable))
  return tokens
}
