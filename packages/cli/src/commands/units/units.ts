/** `postcode units`. */
import { type Postcode, parse } from "@postcode/core/Postcode"
import {
  type AttributeName,
  type AttributeValue,
  attributeEntry,
  attributeNames,
  attributeValue,
  expectedValue,
  type UnitAttributes
} from "@postcode/core/UnitAttributes"
import { Result } from "effect"
import { Command, type Flag } from "effect/cli"
import {
  argument,
  booleanFlag,
  decimal,
  list,
  oneOf,
  optionalFlag,
  optionalText,
  type Reader,
  requiredFlag,
  requiredText,
  text,
  textArgument
} from "../../Parameters.ts"
import { sheet } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"
import { allowRemovals } from "../directory/AllowRemovals.ts"

const command = managementCommandsOf(() => import("./changeUnit.ts"))

/** A postcode in any format, as canonical one. */
const canonical: Reader<Postcode> = (given) => {
  const parsed = parse(given)
  return parsed.ok ? Result.succeed(parsed.postcode) : Result.fail(`a postcode (${parsed.error.message})`)
}

const postcode = argument("POSTCODE", { read: canonical, description: "The unit's postcode, in any format" })

const common = {
  reason: requiredText("reason", "TEXT", "Why, for the history of the unit and the audit log"),
  reference: optionalFlag("reference", {
    read: text,
    metavar: "NAME",
    description:
      "Your own name of the change; repeated under the same name, it has no effect; default: a new name, which is printed"
  }),
  dryRun: booleanFlag("dry-run", "Check the change, and apply nothing")
}

const place = {
  lat: requiredFlag("lat", {
    read: decimal(-90, 90, "a latitude in degrees from -90 to 90"),
    metavar: "N",
    description: "Latitude in degrees, WGS 84"
  }),
  lng: requiredFlag("lng", {
    read: decimal(-180, 180, "a longitude in degrees from -180 to 180"),
    metavar: "N",
    description: "Longitude in degrees, WGS 84"
  })
}

const successor = {
  metavar: "POSTCODE",
  read: canonical,
  description: "The unit that replaces it; it need not exist yet"
}

const metavars = { text: "TEXT", flag: "BOOL", integer: "N" } as const

const readAttribute =
  (name: AttributeName): Reader<AttributeValue> =>
  (given) => {
    if (attributeEntry(name).type === "text") return text(given)
    const value = attributeValue(name, given)
    return value === undefined ? Result.fail(expectedValue(name)) : Result.succeed(value)
  }

const attributeFlag = (name: AttributeName) => {
  const { example, type, words } = attributeEntry(name)
  const values = type === "text" ? example && `, such as ${example}` : `: ${expectedValue(name)}`
  return optionalFlag(name.replaceAll("_", "-"), {
    read: readAttribute(name),
    metavar: metavars[type],
    description: `${words.charAt(0).toUpperCase()}${words.slice(1)}${values ?? ""}`
  })
}

const attributes = Object.fromEntries(attributeNames.map((name) => [name, attributeFlag(name)])) as {
  readonly [Name in AttributeName]: Flag.Flag<UnitAttributes[Name]>
}

/** Without the absent ones. */
const definedOf = <A extends object>(values: A) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof A]?: Exclude<A[Name], undefined>
  }

const show = managementCommandsOf(() => import("./showUnit.ts"))(
  "show",
  "Show a unit with all its attributes and its history",
  { postcode },
  ({ showUnit }) => showUnit
).pipe(Command.withExamples([{ command: "postcode units show LA-12-A03-BG-07" }]))

const add = command(
  "add",
  "Add a unit",
  {
    postcode,
    ...place,
    retired: booleanFlag("retired", "Add it as a retired unit"),
    replaced_by: optionalFlag("replaced-by", successor),
    attributes,
    input: common
  },
  ({ changeUnit }) =>
    ({ attributes, input, replaced_by, retired, ...unit }, options) => {
      const added = { ...unit, active: !retired, attributes: definedOf(attributes), ...definedOf({ replaced_by }) }
      return changeUnit({ change: "add", ...added }, input, options)
    }
).pipe(
  Command.withExamples([
    {
      command:
        'postcode units add LA-12-A03-BG-09 --lat 6.6195 --lng 3.5106 --recent-address "9 Harbour Road" --reason "survey of March"'
    }
  ])
)

const move = command(
  "move",
  "Move a unit to another place",
  { postcode, ...place, input: common },
  ({ changeUnit }) =>
    ({ input, ...unit }, options) =>
      changeUnit({ change: "move", ...unit }, input, options)
)

const retire = command(
  "retire",
  "Retire a unit: search no longer finds it, and lookups return the status retired",
  { postcode, input: common },
  ({ changeUnit }) =>
    ({ input, postcode }, options) =>
      changeUnit({ change: "retire", postcode }, input, options)
).pipe(Command.withExamples([{ command: 'postcode units retire LA-12-A03-BG-09 --reason "demolished"' }]))

const replace = command(
  "replace",
  "Retire a unit and set its successor, which lookups return",
  { postcode, replaced_by: requiredFlag("by", successor), input: common },
  ({ changeUnit }) =>
    ({ input, ...unit }, options) =>
      changeUnit({ change: "replace", ...unit }, input, options)
).pipe(
  Command.withExamples([{ command: 'postcode units replace LA-12-A03-BG-09 --by LA-12-A03-BG-07 --reason "merged"' }])
)

const reactivate = command(
  "reactivate",
  "Put a retired unit back into use, without a successor",
  { postcode, input: common },
  ({ changeUnit }) =>
    ({ input, postcode }, options) =>
      changeUnit({ change: "reactivate", postcode }, input, options)
)

const set = command(
  "set",
  "Set attributes of a unit; the others stay",
  {
    postcode,
    attributes,
    remove: optionalFlag("remove", {
      read: list(oneOf(attributeNames)),
      metavar: "LIST",
      description: `Attributes to remove: ${attributeNames.join(", ")}`
    }),
    input: common
  },
  ({ changeUnit }) =>
    ({ attributes, input, postcode, remove = [] }, options) => {
      const removed = Object.fromEntries(remove.map((name) => [name, null]))
      return changeUnit(
        { change: "set", postcode, attributes: { ...definedOf(attributes), ...removed } },
        input,
        options
      )
    }
).pipe(
  Command.withExamples([
    { command: 'postcode units set LA-12-A03-BG-07 --building-type duplex --remove building_owner --reason "rebuilt"' }
  ])
)

const apply = managementCommandsOf(() => import("./applyChanges.ts"))(
  "apply",
  "Apply the changes of a file, in order, in batches of up to 10,000; it can be stopped and run again\n" +
    "  FILE is CSV with the columns of units.csv and change (add, move, retire, replace, reactivate or set), or a JSON\n" +
    "  object on each line. All lines are checked first, and bad ones reported; a batch is applied completely\n" +
    "  or not at all. The same command again applies nothing twice. If the file retires or moves (by more than 1 km) more\n" +
    "  than 1 % of the active units, and more than 10, the command asks for their number on a terminal; elsewhere it needs\n" +
    "  --allow-removals.",
  {
    file: textArgument("FILE", "CSV or JSON lines, gzipped or not, or a workbook (.xlsx)"),
    sheet,
    reason: requiredText("reason", "TEXT", "Why, for the history of the units and the audit log"),
    reference: optionalText(
      "reference",
      "NAME",
      "Your own name of the changes, to which the number of each batch is added; default: a hash of the file"
    ),
    dryRun: booleanFlag("dry-run", "Check all lines, and each batch with the service, and apply nothing"),
    badRows: optionalText("bad-rows", "FILE", "Write the line and the reason of every bad line to a CSV file"),
    allowRemovals
  },
  ({ applyChanges }) => applyChanges
).pipe(
  Command.withShortDescription("Apply the changes of a file"),
  Command.withExamples([{ command: 'postcode units apply march.csv --reason "survey of March" --dry-run' }])
)

export const units = Command.make("units").pipe(
  Command.withDescription("Units of the directory, and changes of them"),
  Command.withSubcommands([show, add, move, retire, replace, reactivate, set, apply])
)
