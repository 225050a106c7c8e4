/** The schemas of a unit's attributes, from core's table. */

import type { AttributeChanges } from "@postcode/core/Changes"
import {
  type AttributeName,
  attributeEntry,
  attributeNames,
  expectedValue,
  type ShownAttributes,
  type UnitAttributes
} from "@postcode/core/UnitAttributes"
import { Schema } from "effect"

/** A field for each property of a type; those that may be absent. */
type FieldsOf<A> = {
  readonly [Name in keyof A]-?: Schema.optionalKey<Schema.Codec<Exclude<A[Name], undefined>>>
}

const valueSchema = (name: AttributeName): Schema.Top => {
  const entry = attributeEntry(name)
  if (entry.type === "text") return Schema.String
  return entry.type === "flag" ? Schema.Boolean : Schema.Int.check(Schema.isBetween(entry))
}

/** Core checks the bounds of a number, so that it names all faults of a batch. */
const givenSchema = (name: AttributeName): Schema.Top =>
  attributeEntry(name).type === "integer"
    ? Schema.Finite.annotate({ description: `Expected: ${expectedValue(name)}.` })
    : valueSchema(name)

const fields = (names: ReadonlyArray<AttributeName>, field: (name: AttributeName) => readonly [string, Schema.Top]) =>
  Object.fromEntries(names.map(field).map(([key, schema]) => [key, Schema.optionalKey(schema)]))

/** The known attributes of a unit. */
export const knownAttributes = Schema.Struct(
  fields(attributeNames, (name) => [name, valueSchema(name)]) as unknown as FieldsOf<UnitAttributes>
)

/** New values of attributes; null removes one. */
export const attributeChanges = Schema.Struct(
  fields(attributeNames, (name) => [name, Schema.NullOr(givenSchema(name))]) as unknown as FieldsOf<AttributeChanges>
)

const fieldsIn = (property: string) =>
  fields(
    attributeNames.filter((name) => attributeEntry(name).path[0] === property),
    (name) => [attributeEntry(name).path.at(-1) as string, valueSchema(name)]
  )

/** The attributes among the fields of `administrative_address`, beside the names of places. */
export const addressAttributes = fieldsIn("administrative_address") as unknown as FieldsOf<
  NonNullable<ShownAttributes["administrative_address"]>
>

/** The properties of a lookup's answer that have attributes. */
export const shownAttributes = Object.fromEntries(
  attributeNames.map((name) => {
    const [property, key] = attributeEntry(name).path
    const shown = key === undefined ? valueSchema(name) : Schema.Struct(fieldsIn(property))
    return [property, Schema.optionalKey(shown)]
  })
) as unknown as FieldsOf<ShownAttributes>
