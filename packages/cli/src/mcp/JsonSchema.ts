/** JSON Schemas of the API description, as tools declare them. */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server"

export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema with each `$ref` replaced by what it refers to, since some clients resolve none. */
export const withoutReferences = (schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inlined)
    if (typeof value !== "object" || value === null) return value
    const { $ref, ...others } = value as JsonSchema
    if (typeof $ref === "string") return inlined({ ...named[$ref.slice(prefix.length)], ...others })
    return Object.fromEntries(Object.entries(others).map(([name, inner]) => [name, inlined(inner)]))
  }
  return inlined(schema) as JsonSchema
}

const prefix = "#/components/schemas/"

/** A schema that the SDK announces, but does not check: the service checks every value, and its errors say more. */
export const announced = (schema: JsonSchema): StandardSchemaWithJSON<Readonly<Record<string, unknown>>> => ({
  "~standard": {
    version: 1,
    vendor: "postcode",
    validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) }
  }
})
