/** Values for a field: by its schema, by what the fuzzer knows of fields of that name, or hostile ones. */
import { hostileJson, hostileTexts, prototypeNames } from "./HostileValues.ts"
import type { Interface, JsonSchema } from "./Interface.ts"
import { type Json, JsonFields, JsonToken } from "./JsonText.ts"
import { type Known, mark, markedDigits } from "./Known.ts"
import type { Random } from "./Random.ts"

export interface Sources {
  readonly described: Interface
  readonly known: Known
  readonly random: Random
}

/** A value that the schema takes, and, where more is expected than it says, most likely the service as well. */
export const validValue = (sources: Sources, name: string, schema: JsonSchema): Json => {
  const { described, random } = sources
  const { anyOf, enum: options, items, properties, ...resolved } = described.resolve(schema)
  const expected = expectedTexts[name]?.(sources)
  if (expected !== undefined) return expected
  if (options !== undefined) return random.pick(options)
  if (anyOf !== undefined) return validValue(sources, name, random.pick(anyOf))
  switch (resolved.type) {
    case "object":
      return new JsonFields(fieldsOf(sources, properties ?? {}, resolved.required ?? []))
    case "array":
      return listOf(sources, name, items ?? {}, resolved)
    case "integer":
    case "number":
      return numberOf(random, resolved)
    case "boolean":
      return random.chance(50)
    case "null":
      return null
    default:
      return resolved.examples === undefined || random.chance(20)
        ? random.pick(plainTexts)
        : random.pick(resolved.examples)
  }
}

/** A value with one thing in it that is not as it should be. */
export const mutated = (random: Random, value: Json): Json => {
  if (random.chance(20)) return random.pick(hostileJson)
  if (value instanceof JsonFields) return mutatedFields(random, value)
  if (Array.isArray(value)) return mutatedList(random, value)
  return random.chance(70) ? random.pick(hostileTexts) : random.pick(hostileJson)
}

const mutatedFields = (random: Random, { fields }: JsonFields): JsonFields => {
  const at = random.below(Math.max(1, fields.length))
  const [name, value] = fields[at] ?? ["x", 1]
  const extra = random.pick([...prototypeNames, "x", "", "a".repeat(1_000), "id", "created_at"])
  switch (random.below(5)) {
    case 0:
      return new JsonFields(fields.toSpliced(at, 1))
    case 1:
      return new JsonFields([...fields, [extra, random.pick(hostileJson)]])
    case 2:
      return new JsonFields([...fields, [name, value]])
    default:
      return new JsonFields(fields.length === 0 ? [[name, value]] : fields.with(at, [name, mutated(random, value)]))
  }
}

const mutatedList = (random: Random, list: ReadonlyArray<Json>): Json => {
  const at = random.below(Math.max(1, list.length))
  switch (random.below(4)) {
    case 0:
      return []
    case 1:
      return [...list, ...list, random.pick(hostileJson)]
    case 2:
      return list[at] ?? null
    default:
      return list.length === 0 ? [random.pick(hostileTexts)] : list.with(at, mutated(random, list[at] as Json))
  }
}

const fieldsOf = (
  sources: Sources,
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string>
): ReadonlyArray<readonly [string, Json]> =>
  Object.entries(properties)
    .filter(([name]) => required.includes(name) || sources.random.chance(50))
    .map(([name, schema]) => [name, validValue(sources, name, schema)] as const)

const listOf = (
  sources: Sources,
  name: string,
  items: JsonSchema,
  { maxItems = 5, minItems = 0 }: JsonSchema
): Json => {
  const most = sources.random.chance(5) ? maxItems : Math.min(3, maxItems)
  const length = minItems + sources.random.below(1 + most - minItems)
  const list = Array.from({ length }, () => validValue(sources, name, items))
  // Where each must be another, one is enough.
  return name === "scopes" ? [...new Set(list)] : list
}

const numberOf = (random: Random, { maximum = 1e9, minimum = 0, type }: JsonSchema): Json => {
  const spread = minimum + random.below(2 ** 31) * ((maximum - minimum) / 2 ** 31)
  const number = random.pick([
    minimum,
    maximum,
    minimum + 1,
    spread,
    spread,
    Math.min(maximum, minimum + random.below(10))
  ])
  if (random.chance(3)) return new JsonToken(`${type === "integer" ? Math.round(number) : number}e0`)
  return type === "integer" ? Math.round(number) : number
}

const plainTexts = ["Sample", "n", "Ada & Sons Ltd", "\u00ccw\u00e9", "a".repeat(60), "note \u{1f600}"]

const postcode = ({ known, random }: Sources): string => {
  const found = (random.chance(80) ? known.any("postcode", random) : undefined) ?? "ZZ-99-ZZZ-ZZ-98"
  return random.chance(70)
    ? found
    : random.pick([found.toLowerCase(), found.replaceAll("-", ""), found.replaceAll("-", " ")])
}

/** A segment of a postcode that exists. */
const segment = ({ known }: Sources, at: number): string => known.first("postcode")?.split("-")[at] ?? "LA"

const day = (random: Random): string => `2026-0${1 + random.below(9)}-1${random.below(9)}`

const identifier = ({ known, random }: Sources): string =>
  random.chance(30) ? (known.first("identifier") ?? "") : newIdentifier(random)

const newIdentifier = (random: Random): string =>
  random.chance(50) ? `${markedDigits}${random.text(3, "0123456789")}` : `${mark}${random.text(3)}@example.com`

/** What fields and parameters of a name expect, where the schema alone does not say it. */
const expectedTexts: Readonly<Record<string, (sources: Sources) => Json | undefined>> = {
  q: ({ random }) => random.pick(["LA", "la12", "L", "lag", "LA ike", "Ikeja, Lagos State", "LA-12-A03", "ZZ99", "x"]),
  code: postcode,
  codes: (sources) =>
    Array.from({ length: sources.random.chance(95) ? 1 + sources.random.below(5) : 100 }, () => postcode(sources)),
  postcode,
  state: (sources) => segment(sources, 0),
  lga: (sources) => segment(sources, 1),
  district: (sources) => segment(sources, 2),
  area: (sources) => segment(sources, 3),
  unit: (sources) => segment(sources, 4),
  lat: ({ random }) => (random.chance(70) ? 6.6018 : undefined),
  lng: ({ random }) => (random.chance(70) ? 3.3515 : undefined),
  cursor: ({ known, random }) => known.any("cursor", random) ?? "c1",
  identifier,
  identifiers: ({ random }) => Array.from({ length: 1 + random.below(3) }, () => newIdentifier(random)),
  email: ({ known, random }) => (random.chance(50) ? known.any("email", random) : `p${random.text(8)}@people.invalid`),
  password: ({ known, random }) => known.any("password", random),
  present_password: ({ known, random }) => known.any("password", random),
  token: ({ known, random }) => known.any("invitation", random),
  url: ({ random }) => `https://${random.text(6, "abcdef")}.invalid/hooks`,
  origins: ({ random }) => [`https://${random.text(6, "abcdef")}.example`],
  expires_at: ({ random }) => `20${30 + random.below(9)}-01-31T12:00:00Z`,
  // The credit accounts of the scene's keys have to last.
  daily_credit_limit: ({ random }) => 1 + random.below(1_000_000),
  from: ({ random }) => (random.chance(50) ? day(random) : `${day(random)}T00:00:00Z`),
  to: ({ random }) => (random.chance(50) ? day(random) : `${day(random)}T00:00:00Z`),
  action: ({ random }) => random.pick(["key.created", "key.created,key.revoked", "credits.granted"]),
  actor: () => "operator",
  subject: ({ known, random }) => known.any("key", random),
  organization_id: ({ known, random }) => known.any("org", random),
  key_id: ({ known, random }) => known.any("key", random)
}
