/** The configuration of the service. What is wrong with it is refused at start. */
import type { ErrorCode, Host } from "@postcode/api"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import { isStrongSecret, strongSecretForm } from "@postcode/core/store/StrongSecret"
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
  /** Which endpoints it has: those of the gateway, those of the platform, which serves the widget, or by default both. */
  readonly host?: Host
  /**
   * Where browsers reach the service, as `https://postcode.example`: sessions of the console count on its pages alone.
   * Without it, the service goes by the Host of each request.
   */
  readonly publicOrigin?: string | undefined
  /** Opens the management API: 32 to 512 printable ASCII characters without spaces, and no repetition. */
  readonly operatorToken: Redacted.Redacted<string>
  /** Files of the operator's own, answered to a GET like the service's documents: they need no key and cost a request each. */
  readonly files?: ReadonlyArray<HostedFile>
  /**
   * Refuses what is more than the service can do, so that the rest is answered in time: one with settings of your own, or
   * false for none, where something in front of the service does so.
   */
  readonly loadControl?: LoadControl | false | undefined
  /** Called with every answer, for logs and metrics, before the answer is sent: it should return soon. */
  readonly onAnswer?: ((record: AnswerRecord) => void) | undefined
}

/** What logs and metrics may know of an answer: no path as it was sent, no key, no address. */
export interface AnswerRecord {
  readonly request_id: string
  readonly method: string
  /** `group.endpoint`, or `-` where no endpoint was reached. */
  readonly operation: string
  readonly status: number
  readonly duration_ms: number
  readonly key_id: string | undefined
  /** The trace that it is recorded in; undefined where it is not recorded. */
  readonly trace_id: string | undefined
  /** The code of the error that was answered; undefined for a success. */
  readonly error: ErrorCode | undefined
  /** Whose rate limit refused the request. */
  readonly limited: LimitedBy | undefined
  /** Whether the key could not be checked, so that the request was served as anonymous. */
  readonly unchecked: boolean
  /** The charge; undefined if the request is not metered. */
  readonly charge: AnswerCharge | undefined
}

/** What an answer cost, and the environment of the balance that paid. */
export interface AnswerCharge {
  readonly credits: number
  readonly environment: Environment
  /** The level that was served; undefined where there is none. */
  readonly level: AccessLevel | undefined
}

/** @throws Error that names the option that is wrong, and what would be right */
export const assertOptions = (options: GatewayOptions): void => {
  const { operatorToken } = options
  if (!Redacted.isRedacted(operatorToken))
    throw new Error("operatorToken: expected a Redacted string, Redacted.make(…)")
  if (!isStrongSecret(Redacted.value(operatorToken))) throw new Error(`operatorToken: expected ${strongSecretForm}`)
  const { publicOrigin } = options
  if (publicOrigin !== undefined && URL.parse(publicOrigin)?.origin !== publicOrigin) {
    throw new Error("publicOrigin: expected a web origin as browsers send it, such as https://postcode.example")
  }
  for (const name of rateLimits) {
    const limit = options[name]
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
      throw new Error(`${name}: expected a whole number, 1 or more`)
    }
  }
}

const rateLimits = [
  "keyRateLimit_per_minute",
  "publishableKeyRateLimit_per_minute",
  "organizationRateLimit_per_minute",
  "addressRateLimit_per_minute",
  "sessionRateLimit_per_minute"
] as const
