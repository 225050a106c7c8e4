/** The OpenTelemetry environment variables for traces, as specified. */
import { Effect, Option, Schema } from "effect"
import { CommandFailure, exitCodes } from "../process/ExitCode.ts"

/** The samplers, by their OpenTelemetry names. */
const samplers = (["always_on", "always_off", "traceidratio"] as const).flatMap(
  (own) => [own, `parentbased_${own}`] as const
)
/** The name of a sampler. */
export type SamplerName = (typeof samplers)[number]

/** Structured-cloneable, to be sent to a worker. */
export interface TracingSettings {
  /** The endpoint of spans. Never shown, since it may contain a password. */
  readonly url: string
  /** Additional headers, which may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "http/json" | "http/protobuf"
  readonly timeout_ms: number
  /** The resource attributes, including `service.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** The sampled fraction of new traces, for ratio samplers: 0 to 1. */
  readonly ratio: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined if no endpoint is set or tracing is disabled. An invalid variable is wrong usage. */
export const readTracingSettings = (
  environment: Environment
): Effect.Effect<TracingSettings | undefined, CommandFailure> =>
  Effect.try({
    try: () => readSettings((name) => environment[name]?.trim() || undefined),
    catch: (error) => new CommandFailure(`${(error as Error).message}\nsee docs/operations.md`, exitCodes.wrongUsage)
  })

type Read = (name: string) => string | undefined

const readSettings = (read: Read): TracingSettings | undefined => {
  const url = endpointOf(read)
  const isOff = read("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || read("OTEL_TRACES_EXPORTER") === "none"
  if (url === undefined || isOff) return undefined
  const ofTraces = (name: string) => read(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`)
  const serviceName = read("OTEL_SERVICE_NAME")
  return {
    url,
    headers: pairsOf("OTEL_EXPORTER_OTLP_HEADERS", ofTraces("HEADERS")),
    protocol: oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", ofTraces("PROTOCOL") ?? "http/protobuf", [
      "http/protobuf",
      "http/json"
    ]),
    timeout_ms: wholeNumber("OTEL_EXPORTER_OTLP_TIMEOUT", ofTraces("TIMEOUT") ?? "10000"),
    resource: {
      "service.name": "postcode-gateway",
      ...pairsOf("OTEL_RESOURCE_ATTRIBUTES", read("OTEL_RESOURCE_ATTRIBUTES")),
      ...(serviceName !== undefined && { "service.name": serviceName })
    },
    ...samplerOf(read)
  }
}

/** The general endpoint gets the path of traces appended; the traces endpoint is used as it is. */
const endpointOf = (read: Read): string | undefined => {
  const own = addressIn(read, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
  if (own !== undefined) return own
  const general = addressIn(read, "OTEL_EXPORTER_OTLP_ENDPOINT")
  if (general === undefined) return undefined
  const url = new URL(general)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url.href
}

/** The default ratio of new traces: its cost is negligible. */
const defaultRatio = 0.01

const samplerOf = (read: Read): Pick<TracingSettings, "ratio" | "sampler"> => {
  const name = read("OTEL_TRACES_SAMPLER")
  const ratio = Number(read("OTEL_TRACES_SAMPLER_ARG") ?? (name === undefined ? defaultRatio : 1))
  assertIs(ratio >= 0 && ratio <= 1, "OTEL_TRACES_SAMPLER_ARG", "a share from 0 to 1, such as 0.05")
  return { sampler: oneOf("OTEL_TRACES_SAMPLER", name ?? "parentbased_traceidratio", samplers), ratio }
}

/** @throws Error that names the variable, without its value, which may be secret */
function assertIs(isRight: boolean, name: string, expected: string): asserts isRight {
  if (!isRight) throw new Error(`${name}: expected ${expected}`)
}

const addressIn = (read: Read, name: string): string | undefined => {
  const text = read(name)
  const isAddress = text === undefined || (/^https?:\/\//.test(text) && URL.canParse(text))
  assertIs(isAddress, name, "an address such as http://127.0.0.1:4318")
  return text
}

const oneOf = <const A extends string>(name: string, text: string, values: ReadonlyArray<A>): A => {
  const value = values.find((one) => one === text)
  assertIs(value !== undefined, name, `one of ${values.join(", ")}`)
  return value
}

const wholeNumber = (name: string, text: string): number => {
  assertIs(/^[1-9]\d{0,8}$/.test(text), name, "a whole number of milliseconds, 1 or more")
  return Number(text)
}

/** `key=value,key=value`, percent-decoded. */
const pairsOf = (name: string, text = ""): Readonly<Record<string, string>> => {
  const parts = text.split(",").filter((part) => part.trim() !== "")
  const pairs = parts.map((part) => /^\s*([^=\s]+)\s*=(.*)$/.exec(part)?.slice(1).map(decoded) ?? [])
  const areRight = pairs.every(([key, value]) => key !== undefined && value !== undefined)
  assertIs(areRight, name, "pairs such as key=value,other=value, percent-encoded")
  return Object.fromEntries(pairs)
}

/** Undefined if the encoding is invalid. */
const decoded = (text: string): string | undefined => Option.getOrUndefined(decodeComponent(text.trim()))
const decodeComponent = Schema.decodeOption(Schema.StringFromUriComponent)
