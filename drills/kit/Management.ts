/** The management API of a service, as its operator has it. */
import { operatorToken } from "@postcode/conformance/wire"

/** The credential of the operator. */
export const asOperator = { authorization: `Bearer ${operatorToken}` }

/** Calls the management API, and answers what stands under `data`. */
export const manage = async <A>(url: string, method: string, path: string, body?: object): Promise<A> => {
  const response = await fetch(`${url}/v1/admin${path}`, {
    method,
    headers: { ...asOperator, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (JSON.parse(text) as { readonly data: A }).data
}

/** What a command needs in its environment to manage the service there. */
export const managing = (url: string): Readonly<Record<string, string>> => ({
  POSTCODE_URL: url,
  POSTCODE_OPERATOR_TOKEN: operatorToken
})
