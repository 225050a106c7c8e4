/** The OpenTelemetry environment variables for traces, as specified. */
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../ExitCode.ts"

/** The samplers, by their OpenTelemetry names. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const
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
  const own = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
  const general = read("OTEL_EXPORTER_OTLP_ENDPOINT")
  if (own !== undefined) return webAddress("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own)
  if (general === undefined) return undefined
  const url = new URL(webAddress("OTEL_EXPORTER_OTLP_ENDPOINT", general))
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url.href
}

/** The default ratio of new traces: its cost is negligible. */
const defaultRatio = 0.01

const samplerOf = (read: Read): Pick<TracingSettings, "ratio" | "sampler"> => {
  const name = read("OTEL_TRACES_SAMPLER")
  const arg = read("OTEL_TRACES_SAMPLER_ARG")
  const ratio = arg === undefined ? (name === undefined ? defaultRatio : 1) : Number(arg)
  if (!(ratio >= 0 && ratio <= 1))
    throw new Error("OTEL_TRACES_SAMPLER_ARG: expected a share from 0 to 1, such as 0.05")
  return { sampler: oneOf("OTEL_TRACES_SAMPLER", name ?? "parentbased_traceidratio", samplers), ratio }
}

const webAddress = (name: string, text: string): string => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error(`${name}: expected an address such as http://127.0.0.1:4318`)
  }
  return text
}

const oneOf = <const A extends string>(name: string, text: string, values: ReadonlyArray<A>): A => {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new Error(`${name}: expected one of ${values.join(", ")}`)
  return value
}

const wholeNumber = (name: string, text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${name}: expected a whole number of milliseconds, 1 or more`)
  return Number(text)
}

/** `key=value,key=value`, percent-decoded. */
const pairsOf = (name: string, text = ""): Readonly<Record<string, string>> => {
  const wrong = new Error(`${name}: expected pairs such as key=value,other=value, percent-encoded`)
  const pairs = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part]))
  return Object.fromEntries(
    pairs.map((part) => {
      const [, key = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(part) ?? []
      if (key === "") throw wrong
      try {
        return [decodeURIComponent(key), decodeURIComponent(value.trim())]
      } catch {
        throw wrong
      }
    })
  )
}
