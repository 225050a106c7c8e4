/** The requests of clients by endpoint, almost all different. Every run has the same random sequence. */
import type { Directory } from "@postcode/core/Directory"
import { compact, display, type Postcode, segments } from "@postcode/core/Postcode"
import { randomNumbers } from "../../test/RandomNumbers.ts"
import { type Customer, origin } from "./customers.ts"

/** A request, independent of a connection. */
export interface ClientRequest {
  readonly method: "GET" | "POST"
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The request as bytes. */
export const bytesOf = ({ body, headers, method, target }: ClientRequest): Uint8Array => {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) }
  const lines = Object.entries({ host: "127.0.0.1", ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}

export interface Endpoint {
  readonly name: string
  /** The next random request. */
  readonly draw: () => ClientRequest
}

/** The measured endpoints, requested by customers about units of a directory. */
export const endpoints = (directory: Directory, customers: ReadonlyArray<Customer>): ReadonlyArray<Endpoint> => {
  const draws = makeDraws(directory, customers)
  return [
    { name: "lookup, level 1", draw: () => draws.get(`/v1/lookup?code=${draws.typedCode()}`) },
    paidLookup(draws),
    { name: "autocomplete", draw: () => draws.get(`/v1/search/autocomplete?q=${draws.partialCode()}`) },
    {
      name: "reverse",
      draw: () => draws.get(`/v1/search/reverse?${draws.place(20)}`, draws.customer().searching)
    },
    { name: "reverse, with names", draw: () => draws.get(`/v1/search/reverse?${draws.place(20)}`) },
    { name: "nearby", draw: () => draws.get(`/v1/search/nearby?${draws.place(100)}`) },
    {
      name: "assemble",
      draw: () => draws.post("/v1/assembly/assemble", draws.customer().secret, segments(draws.postcode()))
    },
    {
      name: "widget session",
      draw: () => draws.post("/v1/widget/session", draws.customer().publishable, { identifier: draws.identifier() })
    }
  ]
}

/**
 * Cheap endpoints with other authentication than a secret key.
 *
 * @param tokens of widget sessions, more than the service remembers
 */
export const endpointsByAuthentication = (
  directory: Directory,
  customers: ReadonlyArray<Customer>,
  tokens: ReadonlyArray<string>
): ReadonlyArray<Endpoint> => {
  const draws = makeDraws(directory, customers)
  const autocomplete = () => `/v1/search/autocomplete?q=${draws.partialCode()}`
  const bookmarks = (token: string): ClientRequest =>
    draws.getWith("/v1/widget/bookmarks", { ...bearer(token), origin })
  const recent = tokens.slice(0, recentTokens)
  let next = 0
  return [
    { name: "autocomplete, without a key", draw: () => draws.getWith(autocomplete(), {}) },
    {
      name: "autocomplete, publishable key",
      draw: () => draws.getWith(autocomplete(), { "x-api-key": draws.customer().publishable, origin })
    },
    { name: "bookmarks, remembered token", draw: () => bookmarks(draws.oneOf(recent)) },
    { name: "bookmarks, other token", draw: () => bookmarks(tokens[next++ % tokens.length] as string) },
    {
      name: "organization, management key",
      draw: () => {
        const { management, organization_id } = draws.customer()
        return draws.getWith(`/v1/admin/organizations/${organization_id}`, bearer(management))
      }
    }
  ]
}

const recentTokens = 500

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The endpoint that is also measured on a database. */
export const paidEndpoint = (directory: Directory, customers: ReadonlyArray<Customer>): Endpoint =>
  paidLookup(makeDraws(directory, customers))

type Draws = ReturnType<typeof makeDraws>

const paidLookup = (draws: Draws): Endpoint => ({
  name: "lookup, level 2",
  draw: () => draws.get(`/v1/lookup?level=2&code=${draws.typedCode()}`)
})

const makeDraws = (directory: Directory, customers: ReadonlyArray<Customer>) => {
  const random = randomNumbers(7)
  const below = (end: number): number => Math.floor(random() * end)
  const id = (): number => below(directory.size)
  const postcode = (): Postcode => directory.postcodeAt(id())
  const oneOf = <A>(all: ReadonlyArray<A>): A => all[below(all.length)] as A
  const customer = () => oneOf(customers)
  const getWith = (target: string, headers: Readonly<Record<string, string>>): ClientRequest => ({
    method: "GET",
    target,
    headers: { ...programHeaders, ...headers },
    body: ""
  })
  let identifiers = 0
  return {
    postcode,
    oneOf,
    customer,
    getWith,
    /** In a random format; a few are retired. */
    typedCode: (): string => {
      const code = postcode()
      const typed = [code, code.toLowerCase(), display(code), compact(code)][below(4)] as string
      return encodeURIComponent(typed)
    },
    /** A partially typed text. */
    partialCode: (): string => {
      const code = postcode().toLowerCase()
      return encodeURIComponent(code.slice(0, 1 + below(code.length)))
    },
    /** Around a unit, at most this far in degrees of latitude and of longitude. */
    place: (distance_m: number): string => {
      const { lat, lon } = directory.coordinateAt(id())
      const moved = () => ((random() * 2 - 1) * distance_m) / metresInDegree
      return `lat=${(lat + moved()).toFixed(6)}&lng=${(lon + moved()).toFixed(6)}`
    },
    /** Always different, since session starts are limited per identifier. */
    identifier: (): string => `${10_000_000_000 + identifiers++}`,
    get: (target: string, key = customer().secret): ClientRequest => getWith(target, { "x-api-key": key }),
    post: (target: string, key: string, value: object): ClientRequest => ({
      method: "POST",
      target,
      headers: { ...programHeaders, "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(value)
    })
  }
}

const metresInDegree = 111_195

/** Typical headers of programs. */
const programHeaders = { accept: "application/json", "user-agent": "bench/1.0" }
