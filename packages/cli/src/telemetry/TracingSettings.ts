/** Whether and where traces are sent: the variables of OpenTelemetry, as its specification has them. */
import { Effect } from "effect"
import { CommandFailure, exitCodes } from "../ExitCode.ts"

/** The ways to pick requests, by their names in OpenTelemetry. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const
/** One of these names. */
export type SamplerName = (typeof samplers)[number]

/** Plain data, so that it can be sent to another thread. */
export interface TracingSettings {
  /** Where spans are posted to; it may hold a password, so it is never shown. */
  readonly url: string
  /** Sent along with them. They may hold secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocol: "http/json" | "http/protobuf"
  readonly timeout_ms: number
  /** What describes the service, `service.name` among it. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerName
  /** Of the requests that begin a trace, where the sampler goes by it: 0 to 1. */
  readonly ratio: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined where no endpoint is set, or tracing is turned off. A variable that cannot be read is wrong usage. */
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

/** The general endpoint is one for all signals, and gets the path of this one; that of traces is taken as it is. */
const endpointOf = (read: Read): string | undefined => {
  const own = read("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
  const general = read("OTEL_EXPORTER_OTLP_ENDPOINT")
  if (own !== undefined) return webAddress("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own)
  if (general === undefined) return undefined
  const url = new URL(webAddress("OTEL_EXPORTER_OTLP_ENDPOINT", general))
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url.href
}

/** A share of new traces that costs next to nothing, where nobody says how many. */
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

/** `key=value,key=value`, each percent-encoded where need be. */
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
