/** The configuration of the service. It is checked at start. */
import type { ErrorCode, Host } from "@postcode/api"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import { isStrongSecret, strongSecretForm } from "@postcode/gateway/store/StrongSecret"
import { isMapStyle, mapStyleForm } from "@postcode/gateway/widget/MapStyle"
import { Redacted } from "effect"
import type { HostedFile } from "../documents/HostedFile.ts"
import type { LoadControl } from "../load/LoadControl.ts"
import type { AdmissionOptions, LimitedBy } from "./Admission.ts"

/** Only the operator token is required. */
export interface GatewayOptions extends AdmissionOptions {
  /** Widget sessions that an address may start a minute; 30 by default. */
  readonly sessionRateLimit_per_minute?: number | undefined
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` counts; none by default. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** The endpoints that are served: `gateway`, `platform`, which serves the widget, or `both` by default. */
  readonly host?: Host
  /**
   * The web origin at which browsers reach the service, such as `https://postcode.example`. Console sessions are valid
   * on its pages only. By default, the Host header of each request is used.
   */
  readonly publicOrigin?: string | undefined
  /**
   * The address of a MapLibre style, for the maps of widgets: `https://tiles.example/{scheme}.json`, where
   * `{scheme}` becomes `light` or `dark`, or a path of the gateway. None by default.
   */
  readonly mapStyle?: string | undefined
  /** Authorizes management requests: 32 to 512 printable ASCII characters without spaces, and no repetition. */
  readonly operatorToken: Redacted.Redacted<string>
  /** Files of the operator, served like the service's documents: without a key, and each GET counts as a request. */
  readonly files?: ReadonlyArray<HostedFile>
  /**
   * Refuses requests above the capacity of the service, so that the others are answered in time. Pass one with other
   * settings, or `false` if something before the service sheds load.
   */
  readonly loadControl?: LoadControl | false | undefined
  /** Called with every answer, for logs and metrics, before the answer is sent. A slow callback delays answers. */
  readonly onAnswer?: ((record: AnswerRecord) => void) | undefined
}

/** An answer as logs and metrics may show it. It never contains the path as sent, a key or an address. */
export interface AnswerRecord {
  readonly request_id: string
  readonly method: string
  /** `group.endpoint`, or `-` where no endpoint was reached. */
  readonly operation: string
  readonly status: number
  readonly duration_ms: number
  readonly key_id: string | undefined
  /** The trace of the request; undefined if it is not recorded. */
  readonly trace_id: string | undefined
  /** The code of the error that was answered; undefined for a success. */
  readonly error: ErrorCode | undefined
  /** The rate limit that refused the request. */
  readonly limited: LimitedBy | undefined
  /** Whether the key could not be checked, so that the request was served as anonymous. */
  readonly unchecked: boolean
  /** The charge; undefined if the request is not metered. */
  readonly charge: AnswerCharge | undefined
}

/** The price of an answer, and the environment of the balance that paid it. */
export interface AnswerCharge {
  readonly credits: number
  readonly environment: Environment
  /** The level that was served; undefined where there is none. */
  readonly level: AccessLevel | undefined
}

/** @throws Error that names all invalid options and the expected values */
export const assertOptions = (options: GatewayOptions): void => {
  const faults = optionFaults(options)
  if (faults.length > 0) throw new Error(faults.join("\n"))
}

/** The invalid options, each as `name: expected …`. */
export const optionFaults = (options: GatewayOptions): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const { operatorToken, publicOrigin } = options
  if (!Redacted.isRedacted(operatorToken)) {
    faults.push("operatorToken: expected a Redacted string, Redacted.make(…)")
  } else if (!isStrongSecret(Redacted.value(operatorToken))) {
    faults.push(`operatorToken: expected ${strongSecretForm}`)
  }
  if (publicOrigin !== undefined && URL.parse(publicOrigin)?.origin !== publicOrigin) {
    faults.push("publicOrigin: expected a web origin as browsers send it, such as https://postcode.example")
  }
  if (options.mapStyle !== undefined && !isMapStyle(options.mapStyle)) {
    faults.push(`mapStyle: expected ${mapStyleForm}`)
  }
  if (options.host !== undefined && !hosts.includes(options.host)) {
    faults.push(`host: expected one of ${hosts.join(", ")}`)
  }
  if (options.onAnswer !== undefined && typeof options.onAnswer !== "function") {
    faults.push("onAnswer: expected a function")
  }
  for (const name of rateLimits) {
    const limit = options[name]
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
      faults.push(`${name}: expected a whole number, 1 or more`)
    }
  }
  return faults
}

const hosts = ["gateway", "platform", "both"] as const satisfies ReadonlyArray<Host>

const rateLimits = [
  "keyRateLimit_per_minute",
  "publishableKeyRateLimit_per_minute",
  "organizationRateLimit_per_minute",
  "addressRateLimit_per_minute",
  "sessionRateLimit_per_minute"
] as const
