/**
 * The attributes of a unit besides code, status and location: the one table from which everything that handles them is
 * derived.
 *
 * They are charged, so they are not part of the directory in memory.
 */

/** What the table has of an attribute. Its name is the name of the CSV column and the SQL column, too. */
type AttributeEntry = AttributeType & {
  /** The lowest level that shows it. Level 1 shows validity only, and level 5 adds the coordinates. */
  readonly level: 2 | 3 | 4
  /** Where a lookup has it: in the answer, or in an object of the answer. One object has attributes of one level. */
  readonly path: readonly [string] | readonly [string, string]
  /** Whether `units.csv` must have its column. A field may be empty in any case. */
  readonly column: "required" | "optional"
  /** The title of its value, and of its field in a form. */
  readonly label: string
  /** What it is, as a part of a sentence. */
  readonly words: string
  readonly example?: string
}

/** Bounds are inclusive. `unique`: most units have their own text, so storing equal texts once saves nothing. */
export type AttributeType =
  | { readonly type: "text"; readonly unique?: true }
  | { readonly type: "flag" }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number }

/** All attributes, in the order of `units.csv`. */
export const unitAttributes = {
  locality_name: {
    type: "text",
    level: 2,
    path: ["administrative_address", "locality_name"],
    column: "required",
    label: "Locality",
    words: "the locality"
  },
  recent_address: {
    type: "text",
    unique: true,
    level: 2,
    path: ["recent_house_address", "recent"],
    column: "required",
    label: "Address",
    words: "the most recent house address"
  },
  building_use_status: {
    type: "text",
    level: 3,
    path: ["building_use_status"],
    column: "required",
    label: "Use",
    words: "what the building is used for, in the surveyor's words",
    example: "residential"
  },
  building_type: {
    type: "text",
    level: 4,
    path: ["other_building_info", "type"],
    column: "required",
    label: "Building",
    words: "the type of the building",
    example: "bungalow"
  },
  building_owner: {
    type: "text",
    level: 4,
    path: ["other_building_info", "owner"],
    column: "required",
    label: "Owner",
    words: "the owner of the building",
    example: "private"
  },
  delivery_point: {
    type: "flag",
    level: 4,
    path: ["other_building_info", "delivery_point"],
    column: "required",
    label: "Delivery point",
    words: "whether post is delivered to the unit itself"
  }
} as const satisfies Readonly<Record<string, AttributeEntry>>

type Table = typeof unitAttributes

/** The name of an attribute. */
export type AttributeName = keyof Table

/** The value of an attribute with a type. */
export type ValueOf<Type extends AttributeType> = {
  readonly text: string
  readonly flag: boolean
  readonly integer: number
}[Type["type"]]

/** The known attributes of a unit. Unknown ones are absent. */
export type UnitAttributes = { readonly [Name in AttributeName]?: ValueOf<Table[Name]> }

/** Attributes while they are read, one after the other. */
export type MutableAttributes = { [Name in AttributeName]?: AttributeValue }

/** The value of any attribute. */
export type AttributeValue = ValueOf<AttributeType>

/** The attributes that are properties of a lookup's answer themselves, by that property. */
type ShownAlone = {
  readonly [Name in AttributeName as Table[Name]["path"] extends readonly [infer Property extends string]
    ? Property
    : never]?: ValueOf<Table[Name]>
}

type AttributeObject = Table[AttributeName]["path"] extends infer Path
  ? Path extends readonly [infer Property extends string, string]
    ? Property
    : never
  : never

/** The attributes within objects of the answer. */
type ShownWithin = {
  readonly [Property in AttributeObject]?: {
    readonly [Name in AttributeName as Table[Name]["path"] extends readonly [Property, infer Key extends string]
      ? Key
      : never]?: ValueOf<Table[Name]>
  }
}

/** The attributes of a unit at their places in an answer. Unknown values are left out. */
export type ShownAttributes = ShownAlone & ShownWithin

/** The names of all attributes, in the order of the table. */
export const attributeNames: ReadonlyArray<AttributeName> = /* @__PURE__ */ namesOf(unitAttributes)

/** Where answers have the attributes. Read for each answer, where reading the table's paths took twice the time. */
const places = /* @__PURE__ */ placesOf(attributeNames)

/** What the table has of an attribute, where the code is the same for all of them. */
export const attributeEntry = (name: AttributeName): AttributeEntry => unitAttributes[name]

/**
 * The value of a text in a CSV field, a flag of the command line or a form; undefined if the text is none.
 *
 * @example attributeValue("delivery_point", "true") // true
 */
export const attributeValue = (name: AttributeName, text: string): AttributeValue | undefined => {
  const entry = attributeEntry(name)
  if (entry.type === "text") return text === "" ? undefined : text
  if (entry.type === "flag") return text === "true" ? true : text === "false" ? false : undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return isInBounds(entry, value) ? value : undefined
}

/** Whether a value has the type of an attribute, and is within its bounds. */
export const isAttributeValue = (name: AttributeName, value: unknown): value is AttributeValue => {
  const entry = attributeEntry(name)
  if (entry.type === "text") return typeof value === "string"
  if (entry.type === "flag") return typeof value === "boolean"
  return Number.isInteger(value) && isInBounds(entry, value as number)
}

/** The values of an attribute, as errors name them. */
export const expectedValue = (name: AttributeName): string => {
  const entry = attributeEntry(name)
  if (entry.type === "text") return "text"
  return entry.type === "flag" ? "true or false" : `a whole number from ${entry.minimum} to ${entry.maximum}`
}

/**
 * The attributes of a unit that a level shows. The objects of the level are there even if they are empty.
 *
 * @example showAttributes(3, { building_use_status: "mixed" }).building_use_status // "mixed"
 */
export const showAttributes = (level: number, known: UnitAttributes): ShownAttributes => {
  const shown: Record<string, unknown> = {}
  for (const { key, level: needed, name, property } of places) {
    if (needed > level) continue
    const value = known[name]
    if (key !== undefined) shown[property] ??= {}
    if (value === undefined) continue
    if (key === undefined) shown[property] = value
    else (shown[property] as Record<string, unknown>)[key] = value
  }
  return shown
}

/** An attribute in an answer; undefined if the answer does not show it. */
export const shownValue = (answer: { readonly [Property in keyof ShownAttributes]: unknown }, name: AttributeName) => {
  const [property, key] = attributeEntry(name).path
  const found = answer[property as keyof ShownAttributes] as AttributeValue | Shown | undefined
  return key === undefined ? (found as AttributeValue | undefined) : (found as Shown | undefined)?.[key]
}

type Shown = Readonly<Record<string, AttributeValue | undefined>>

function namesOf<A extends object>(table: A): ReadonlyArray<keyof A> {
  return Object.keys(table) as Array<keyof A>
}

function placesOf(names: ReadonlyArray<AttributeName>) {
  return names.map((name) => {
    const { level, path }: AttributeEntry = unitAttributes[name]
    const [property, key] = path
    return { name, level, property, key }
  })
}

const isInBounds = ({ maximum, minimum }: { readonly minimum: number; readonly maximum: number }, value: number) =>
  value >= minimum && value <= maximum
