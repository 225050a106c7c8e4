/** Creates organizations with many keys each, through the management API on concurrent connections. */
import { maxLimit, type Operator, operatorToken, type ServiceProcess } from "../http/ServiceProcess.ts"
import { bytesOf } from "../http/Traffic.ts"
import { ClientConnection } from "./ClientConnection.ts"

export interface Keys {
  readonly secret: ReadonlyArray<string>
  readonly publishable: ReadonlyArray<string>
}

export interface KeyPlan {
  readonly organizations: number
  /** The keys of each organization; the last one is publishable. */
  readonly keysEach: number
  readonly connections: number
}

/** The organizations have more credits and higher limits than a run can use. */
export const openKeys = async ({ operator, port }: ServiceProcess, plan: KeyPlan): Promise<Keys> => {
  const secret: Array<string> = []
  const publishable: Array<string> = []
  let next = 0
  const openNext = async (): Promise<void> => {
    const connection = new ClientConnection(port)
    while (next < plan.organizations) {
      const id = await openOrganization(operator, next++)
      for (let i = 1; i < plan.keysEach; i++) secret.push(await openKey(connection, id, secretKey))
      publishable.push(await openKey(connection, id, publishableKey))
    }
    connection.end()
  }
  await Promise.all(Array.from({ length: plan.connections }, openNext))
  return { secret, publishable }
}

const openOrganization = async (operator: Operator, number: number): Promise<string> => {
  const { id } = await operator<{ readonly id: string }>("POST", "organizations", { name: `Customer ${number}` })
  await operator("PATCH", `organizations/${id}`, { granted_level: 5, kyb_status: "verified", review_note: "Known." })
  const credits = { amount: 1_000_000_000, environment: "test", reference: "bench" }
  await operator("POST", `organizations/${id}/credits`, credits)
  return id
}

/** Without `fetch`, which takes longer than the service to create a key. */
const openKey = async (connection: ClientConnection, organization: string, kind: object): Promise<string> => {
  const fields = { name: "bench", environment: "test", rate_limit_per_minute: maxLimit, ...kind }
  const headers = { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" }
  const target = `/v1/admin/organizations/${organization}/keys`
  const bytes = bytesOf({ method: "POST", target, headers, body: JSON.stringify(fields) })
  let secret: string | undefined
  while (secret === undefined) {
    await connection.ask({
      bytes,
      statuses: [201],
      answered: (body) => {
        secret = JSON.parse(body).data.secret
      }
    })
  }
  return secret
}

const secretKey = { kind: "secret", scopes: ["search", "lookup"], max_level: 5 }
const publishableKey = {
  kind: "publishable",
  scopes: ["search"],
  max_level: 1,
  origins: ["https://shop.example"],
  daily_credit_limit: 1_000_000_000
}
