/** JSON with what `JSON.stringify` cannot write: a name twice, `1e400`, `-0`, half a surrogate pair. */

export type Json = string | number | boolean | null | JsonToken | JsonFields | ReadonlyArray<Json>

/** A text that stands there as it is: `1e400`, or no JSON at all. */
export class JsonToken {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object as a list, in which a name may come twice, or be `__proto__`. */
export class JsonFields {
  readonly fields: ReadonlyArray<readonly [name: string, value: Json]>

  constructor(fields: ReadonlyArray<readonly [string, Json]>) {
    this.fields = fields
  }
}

/** The JSON text of a value. */
export const toText = (value: Json): string => {
  if (value instanceof JsonToken) return value.text
  if (value instanceof JsonFields) {
    return `{${value.fields.map(([name, inner]) => `${JSON.stringify(name)}:${toText(inner)}`).join(",")}}`
  }
  if (Array.isArray(value)) return `[${value.map(toText).join(",")}]`
  return JSON.stringify(value)
}

/** A value that was parsed, as what is here. */
export const fromValue = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(fromValue)
  if (typeof value !== "object" || value === null) return value as Json
  return new JsonFields(Object.entries(value).map(([name, inner]) => [name, fromValue(inner)] as const))
}
