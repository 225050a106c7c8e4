/** The requests of the playground and their parameters. */
import { type Signal, signal } from "@preact/signals"
import type { ShownRequest } from "../../client/curl.ts"
import type { Examples } from "../../client/examples.ts"
import { addressOf } from "../../client/send.ts"

/** A field. */
export interface Parameter {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** Value and label of each option. */
  readonly options?: ReadonlyArray<readonly [string, string]>
}

/** The values of the fields, by parameter name. */
export type Values = Readonly<Record<string, Signal<string>>>

/** A request of the playground. */
export interface Operation {
  readonly name: string
  readonly label: string
  readonly lead: string
  readonly method: "GET" | "POST"
  readonly path: string
  /** Query parameters; with POST, fields of the body. */
  readonly parameters: ReadonlyArray<Parameter>
  /** The first values: with them the request works. `level` is the highest that the organization is granted. */
  readonly start: (examples: Examples, level: number) => Values
}

const levels = ["1", "2", "3", "4", "5"].map((level) => [level, `Level ${level}`] as const)
const code: Parameter = { name: "code", label: "Postcode", hint: "In any format." }
const place: ReadonlyArray<Parameter> = [
  { name: "lat", label: "Latitude", hint: "Degrees north." },
  { name: "lng", label: "Longitude", hint: "Degrees east." }
]
const limit: Parameter = { name: "limit", label: "Maximum results", hint: "1 to 100.", isOptional: true }

const text = (values: Readonly<Record<string, string>>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, signal(value)]))

/** In the order of a first use. */
export const operations: readonly [Operation, ...ReadonlyArray<Operation>] = [
  {
    name: "lookup",
    label: "Look up a postcode",
    lead: "Returns the data of a unit. The access level decides how much. Level 1 needs no key.",
    method: "GET",
    path: "/v1/lookup",
    parameters: [code, { name: "level", label: "Access level", options: levels }],
    start: ({ code }, level) => text({ code, level: String(Math.min(level, 2)) })
  },
  {
    name: "autocomplete",
    label: "Complete a postcode or a name",
    lead: "Returns the codes that continue a partial postcode, or the places that match a name.",
    method: "GET",
    path: "/v1/search/autocomplete",
    parameters: [{ name: "q", label: "Text", hint: "Part of a postcode, or a place name.", isOptional: true }, limit],
    start: ({ code }) => text({ q: code.slice(0, 5), limit: "5" })
  },
  {
    name: "address",
    label: "Find an address",
    lead: "Returns the postcode of an address. A key of access level 2 finds units. Without a key it finds states and LGAs.",
    method: "GET",
    path: "/v1/search/address",
    parameters: [
      { name: "q", label: "Address", hint: "Up to 500 characters." },
      { name: "limit", label: "Maximum candidates", hint: "1 to 20.", isOptional: true }
    ],
    start: () => text({ q: "12 Allen Avenue, Ikeja", limit: "5" })
  },
  {
    name: "reverse",
    label: "Find the nearest unit",
    lead: "The unit nearest to a coordinate, within at most 250 m.",
    method: "GET",
    path: "/v1/search/reverse",
    parameters: [
      ...place,
      { name: "max_distance_m", label: "Distance in metres", hint: "Default 25, maximum 250.", isOptional: true }
    ],
    start: ({ lat, lng }) => text({ lat, lng, max_distance_m: "250" })
  },
  {
    name: "nearby",
    label: "Find the units around a point",
    lead: "Nearest first, within at most 2,000 m.",
    method: "GET",
    path: "/v1/search/nearby",
    parameters: [
      ...place,
      { name: "radius", label: "Radius in metres", hint: "Default 300, maximum 2,000.", isOptional: true },
      limit
    ],
    start: ({ lat, lng }) => text({ lat, lng, radius: "500", limit: "5" })
  },
  {
    name: "assemble",
    label: "Join five segments",
    lead: "Checks the format only, not whether the postcode exists.",
    method: "POST",
    path: "/v1/assembly/assemble",
    parameters: ["state", "lga", "district", "area", "unit"].map((name) => ({
      name,
      label: name === "lga" ? "LGA" : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    })),
    start: ({ code }) => {
      const [state = "", lga = "", district = "", area = "", unit = ""] = code.split("-")
      return text({ state, lga, district, area, unit })
    }
  },
  {
    name: "disassemble",
    label: "Split a postcode",
    lead: "Into its segments, whether it exists or not.",
    method: "GET",
    path: "/v1/assembly/disassemble",
    parameters: [code],
    start: ({ code }) => text({ code: code.replaceAll("-", "").toLowerCase() })
  }
]

/** The request; empty parameters are omitted. */
export const requestOf = ({ method, parameters, path }: Operation, values: Values): ShownRequest => {
  const given = Object.fromEntries(
    parameters.flatMap(({ isOptional, name }) => {
      const value = values[name]?.value ?? ""
      return isOptional && value === "" ? [] : [[name, value]]
    })
  )
  return method === "GET"
    ? { method, url: location.origin + addressOf(path, { query: given }), headers: {} }
    : {
        method,
        url: location.origin + path,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(given)
      }
}
