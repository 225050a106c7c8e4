/** How others use the types: compiled as their programs are, and never run. */
import {
  type Answer,
  createPostcodeClient,
  isPostcodeError,
  type LookupResult,
  type PostcodeClient,
  PostcodeError
} from "@postcode/client"

const client: PostcodeClient = createPostcodeClient({ baseUrl: "https://gateway.example", fetch })

export const lookup = async (code: string, level?: 1 | 2): Promise<Answer<LookupResult>> =>
  client.lookup({ code, level })

export const waitAfter = (error: unknown): number => {
  if (isPostcodeError(error) && error.code === "rate_limit_exceeded") return error.retry_after_s
  if (error instanceof PostcodeError && error.code === "service_unavailable") return error.retry_after_s
  // @ts-expect-error: nobody knows it of every failure
  if (isPostcodeError(error)) return error.retry_after_s
  // @ts-expect-error: there is no such code
  if (isPostcodeError(error) && error.code === "not_there") return 1
  return 0
}

export const statusOf = (error: PostcodeError): 402 | undefined =>
  error.code === "insufficient_credits" ? error.status : undefined

export const places = async (): Promise<string> => {
  const { data } = await client.reverse({ lat: 6.5, lng: 3.3 })
  // @ts-expect-error: there is a unit only where one was found
  data.unit
  return data.found ? data.unit.postcode : data.message
}

export const keyNames = async (id: string): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for await (const { name } of client.items("GET /v1/admin/organizations/:id/keys", { params: { id } }))
    names.push(name)
  return names
}

export const byRoute = async (id: string) => {
  const { data } = await client.request("GET /v1/health/live")
  const live: "live" = data.status
  await client.request("GET /v1/lookup", { query: { code: "x", level: 5 } }, { idempotencyKey: "y" })
  // @ts-expect-error: there is no such route
  await client.request("GET /v1/nothing")
  // @ts-expect-error: the id is missing
  await client.request("GET /v1/admin/organizations/:id")
  // @ts-expect-error: there is no level 6
  await client.request("GET /v1/lookup", { query: { code: "x", level: 6 } })
  // @ts-expect-error: a body is none of its parts
  await client.request("GET /v1/lookup", { query: { code: "x" }, body: {} })
  // @ts-expect-error: it takes no idempotency key, and would be done twice
  await client.request("POST /v1/admin/organizations", { body: { name: id } }, { idempotencyKey: "y" })
  // @ts-expect-error: it is no list
  client.items("GET /v1/health/live")
  return live
}
