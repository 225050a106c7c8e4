/** `compose.yaml` and the files beside it, as Compose reads them: merged, with the variables filled in. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

export interface Service {
  readonly image: string
  readonly user?: string
  readonly environment?: Readonly<Record<string, number | string>>
  readonly volumes?: ReadonlyArray<string>
  readonly ports?: ReadonlyArray<string>
  readonly tmpfs?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string> | Readonly<Record<string, { readonly ipv4_address: string }>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: Readonly<Record<string, unknown>>
  readonly [option: string]: unknown
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: { readonly gateway: { readonly ipam: { readonly config: ReadonlyArray<Subnet> } } }
}

export interface Subnet {
  readonly subnet: string
  readonly gateway: string
  readonly ip_range: string
}

/** Vite has a parser of YAML beside it, and no package of this workspace needs another one. */
const { parse }: { readonly parse: (text: string, options: { readonly merge: boolean }) => unknown } = createRequire(
  createRequire(import.meta.url).resolve("vite")
)("yaml")

/** Variables stay as they are written. */
export const readComposeFile = (path: string): ComposeFile =>
  parse(readFileSync(path, "utf8"), { merge: true }) as ComposeFile

/** The files that `COMPOSE_FILE` names, merged, with `variables` filled in. */
export const readComposeFiles = (folder: string, variables: Readonly<Record<string, string>>): ComposeFile => {
  const files = (variables.COMPOSE_FILE ?? "compose.yaml").split(":").map((name) => readComposeFile(join(folder, name)))
  return fillIn(files.reduce<unknown>(mergeValues, {}), variables) as ComposeFile
}

/** Lists are joined, mappings are merged, and other values are replaced. */
const mergeValues = (one: unknown, other: unknown): unknown => {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  if (!isMapping(one) || !isMapping(other)) return other
  const merged = Object.entries(other).map(([key, value]) => [key, key in one ? mergeValues(one[key], value) : value])
  return { ...one, ...Object.fromEntries(merged) }
}

const fillIn = (value: unknown, variables: Readonly<Record<string, string>>): unknown => {
  if (typeof value === "string") return fillInText(value, variables)
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables))
  if (!isMapping(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, variables)]))
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`. */
const fillInText = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other = "") => {
    const value = variables[name]
    if (value !== undefined && value !== "") return value
    if (kind === "?") throw new Error(`${name}: ${other}`)
    return other
  })

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
