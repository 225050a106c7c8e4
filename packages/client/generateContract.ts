/**
 * Writes src/Contract.ts from the contract's schemas: what calls take and answer as plain types. With them a user of the
 * client needs neither the contract's package nor effect. The scripts of the workspace run this when its sources change.
 */
import { writeFileSync } from "node:fs"
import { Api, errorCodes, Metered, OAuth } from "@postcode/api"
import { Context, type Schema, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint, OpenApi } from "effect/http-api"

const generateContract = (): string => {
  const named: Named = new Map()
  const operations = operationsOf().map((operation) => printOperation(operation, named))
  return [
    docstring(
      "What every call takes and answers, and every code of a failure.",
      "Made from @postcode/api by generateContract.ts, and not to be edited."
    ),
    declare("Every call by its method and path.", `interface Contract {\n${operations.join("\n\n")}\n}`),
    declare(
      "Every code of a failure by its HTTP status. The service answers nothing else.",
      `interface ErrorCodes {\n${Object.entries(errorCodes).map(printCodes).join("\n")}\n}`
    ),
    ...printNamed(named)
  ].join("\n\n")
}

interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly metered: boolean
  readonly statuses: ReadonlyArray<number>
}

const operationsOf = (): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, mergedAnnotations }) => {
      // Libraries for OAuth make these calls.
      if (Context.get(mergedAnnotations, OAuth)) return
      const statuses = [...errors.keys()].sort((a, b) => a - b)
      found.push({ endpoint, metered: Context.get(mergedAnnotations, Metered), statuses })
    }
  })
  return found
}

/** The schemas that have a name, as they were met. */
type Named = Map<string, SchemaAST.AST>

const printOperation = ({ endpoint, metered, statuses }: Operation, named: Named): string => {
  const { annotations, method, params, path, query } = endpoint
  const body = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)[0]
  const [success] = [...endpoint.success]
  const member = (name: string, schema: Schema.Top | undefined, printed = print) =>
    schema === undefined ? [] : [`readonly ${name}: ${printed(schema.ast, named)}`]
  return [
    docstring(
      Context.getOrUndefined(annotations, OpenApi.Summary),
      Context.getOrUndefined(annotations, OpenApi.Description)
    ),
    `${quoted(`${method} ${path}`)}: {`,
    ...member("params", params),
    ...member("query", query, printQuery),
    ...member("body", body),
    ...member("data", success, printData),
    `readonly errors: ErrorCodes[${statuses.join(" | ")}]`,
    ...(metered ? ["readonly metered: true"] : []),
    "}"
  ].join("\n")
}

const printCodes = ([status, codes]: readonly [string, ReadonlyArray<string>]): string =>
  `readonly ${status}: ${codes.map(quoted).join(" | ")}`

/** A success without its envelope. */
const printData = (ast: SchemaAST.AST, named: Named): string => {
  const encoded = SchemaAST.toEncoded(ast)
  const data = SchemaAST.isObjects(encoded) ? encoded.propertySignatures.find(({ name }) => name === "data") : undefined
  if (data === undefined) throw new Error("a success has no data")
  return print(data.type, named)
}

/** Numbers and booleans in a query are given as such, though they travel as text. */
const printQuery = (ast: SchemaAST.AST, named: Named): string => {
  const [given, sent] = [SchemaAST.toType(ast), SchemaAST.toEncoded(ast)]
  if (!SchemaAST.isObjects(given) || !SchemaAST.isObjects(sent)) throw new Error("a query is an object")
  return printMembers(
    given.propertySignatures.map(({ name, type }, i) => {
      const encoded = sent.propertySignatures[i]?.type ?? type
      const description = describe(encoded) ?? describe(type)
      return printMember(name, isNoText(type) ? type : encoded, named, description)
    })
  )
}

const isNoText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast)
    ? ast.types.every(isNoText)
    : SchemaAST.isNumber(ast) ||
      SchemaAST.isBoolean(ast) ||
      (SchemaAST.isLiteral(ast) && typeof ast.literal === "number")

/** A type as it travels: by its name, if it has one. */
const print = (ast: SchemaAST.AST, named: Named): string => {
  const encoded = SchemaAST.toEncoded(ast)
  const name = SchemaAST.resolveIdentifier(encoded)
  if (name === undefined) return printWhole(encoded, named)
  const before = named.get(name)
  named.set(name, encoded)
  // What it holds may have names as well, which are met only by printing it.
  const whole = printWhole(encoded, named)
  if (before !== undefined && printWhole(before, named) !== whole) throw new Error(`two schemas are called ${name}`)
  return name
}

const printWhole = (ast: SchemaAST.AST, named: Named): string => {
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Null":
      return ast._tag.toLowerCase()
    case "Declaration":
      // Whatever is JSON: what is unknown in the contract.
      return "unknown"
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union":
      return ast.types.map((type) => print(type, named)).join(" | ")
    case "Arrays":
      return printArray(ast, named)
    case "Objects":
      return printObject(ast, named)
    default:
      throw new Error(`there is no plain type for ${ast._tag}`)
  }
}

const printArray = ({ elements, rest }: SchemaAST.Arrays, named: Named): string => {
  const [item] = rest
  return item === undefined
    ? `readonly [${elements.map((element) => print(element, named)).join(", ")}]`
    : `ReadonlyArray<${print(item, named)}>`
}

/** An object with known and other fields is printed with the known ones. */
const printObject = ({ indexSignatures, propertySignatures }: SchemaAST.Objects, named: Named): string => {
  const [index] = indexSignatures
  return index === undefined || propertySignatures.length > 0
    ? printMembers(propertySignatures.map(({ name, type }) => printMember(name, type, named, describe(type))))
    : `{ readonly [name: string]: ${print(index.type, named)} }`
}

const printMembers = (members: ReadonlyArray<string>): string => `{\n${members.join("\n")}\n}`

const printMember = (name: PropertyKey, type: SchemaAST.AST, named: Named, description: string | undefined): string => {
  const printed = `readonly ${String(name)}${SchemaAST.isOptional(type) ? "?" : ""}: ${print(type, named)}`
  const isNamed = SchemaAST.resolveIdentifier(SchemaAST.toEncoded(type)) !== undefined
  return description === undefined || isNamed ? printed : `${docstring(description)}\n${printed}`
}

const printNamed = (named: Named): ReadonlyArray<string> =>
  [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ast]) => {
      const whole = printWhole(ast, named)
      return declare(describe(ast), SchemaAST.isObjects(ast) ? `interface ${name} ${whole}` : `type ${name} = ${whole}`)
    })

const declare = (description: string | undefined, declaration: string): string =>
  `${docstring(description)}\nexport ${declaration}`.trimStart()

/** What stands in errors as what was expected is here what there is. */
const describe = (ast: SchemaAST.AST): string | undefined =>
  SchemaAST.resolveDescription(ast)?.replace(/^Expected (\w)/, (_, first: string) => first.toUpperCase())

/** Paragraphs, at most 120 columns wide at the depth of a call. */
const docstring = (...paragraphs: ReadonlyArray<string | undefined>): string => {
  const said = paragraphs.filter((paragraph) => paragraph !== undefined)
  const lines = said.flatMap((paragraph, i) => [...(i === 0 ? [] : [""]), ...wrapped(paragraph, 114)])
  if (lines.length === 0) return ""
  return lines.length === 1
    ? `/** ${lines[0]} */`
    : ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n")
}

const wrapped = (text: string, width: number): ReadonlyArray<string> =>
  text.match(new RegExp(`.{1,${width}}(?: |$)`, "gu"))?.map((line) => line.trimEnd()) ?? []

const quoted = (text: string): string => JSON.stringify(text)

writeFileSync(new URL("src/Contract.ts", import.meta.url), `${generateContract()}\n`)
