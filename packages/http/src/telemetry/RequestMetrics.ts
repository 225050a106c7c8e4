/**
 * What the service's answers are counted as: rate, errors and duration by operation, credits, and who was refused. What
 * they are told apart by are closed sets: never a path, a key, an organization or an address.
 */
import { Api, errorCodes } from "@postcode/api"
import { accessLevels } from "@postcode/core/AccessLevel"
import { environments } from "@postcode/core/Credits"
import { HttpApi } from "effect/http-api"
import type { LimitedBy } from "../pipeline/Admission.ts"
import type { AnswerRecord } from "../pipeline/GatewayOptions.ts"
import { addNumber, type BlockOptions, type MetricLayout, observeNumber } from "./MetricBlocks.ts"

const contractOperations = (): ReadonlyArray<string> => {
  const names: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => names.push(`${group.identifier}.${endpoint.identifier}`)
  })
  return names
}

/** Every operation of the contract by its name, and before them what is none: documents, and paths that do not exist. */
const operationNames: ReadonlyArray<string> = ["-", ...contractOperations()]

/** Every status of a success, and every error with its code. */
const successes = ["200", "201", "204", "304"]
const errors = Object.entries(errorCodes).flatMap(([status, codes]) => codes.map((error) => ({ status, error })))
const outcomes = [...successes.map((status) => ({ status })), ...errors]

const statusClasses = ["2xx", "3xx", "4xx", "5xx"]

/** In seconds: from what is in memory to what gives up waiting. */
const durationBounds_s = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
]

const labelled = (label: string, values: ReadonlyArray<string | number>) =>
  values.map((value) => ({ [label]: String(value) }))

const byOperation = labelled("operation", operationNames)
/** The first stands for a charge for what has no level. */
const byLevel = [{}, ...labelled("level", accessLevels)]

const requests: BlockOptions = {
  name: "postcode_http_requests_total",
  help: "Answers by operation, status, and the code of the error where it is one.",
  type: "counter",
  dimensions: [byOperation, outcomes],
  sparse: true
}

const durations: BlockOptions = {
  name: "postcode_http_request_duration_seconds",
  help: "From a request's headers to its answer, by operation and class of status.",
  type: "histogram",
  dimensions: [byOperation, labelled("status_class", statusClasses)],
  bounds: durationBounds_s,
  sparse: true
}

const credits: BlockOptions = {
  name: "postcode_credits_charged_total",
  help: "Credits charged, by operation, level served and environment of the key.",
  type: "counter",
  dimensions: [byOperation, byLevel, labelled("environment", environments)],
  sparse: true
}

const limitedBy: ReadonlyArray<LimitedBy> = ["address", "key", "organization"]

const refusals: BlockOptions = {
  name: "postcode_rate_limit_refusals_total",
  help: "Requests refused by the rate limit of their address, their key, or its organization.",
  type: "counter",
  dimensions: [labelled("subject", limitedBy)]
}

const unchecked: BlockOptions = {
  name: "postcode_unchecked_key_answers_total",
  help: "Successes whose key could not be checked, as the database was away: they show what nobody needs a key for.",
  type: "counter"
}

/** Counts answers. */
export type RequestRecorder = (record: AnswerRecord) => void

export interface RequestMetrics {
  /** One that counts in numbers of its layout. */
  readonly recorder: (numbers: Float64Array) => RequestRecorder
}

/** Adds its families to a layout. */
export const makeRequestMetrics = (layout: MetricLayout): RequestMetrics => {
  const requestsAt = layout.add(requests)
  const durationsAt = layout.add(durations)
  const creditsAt = layout.add(credits)
  const refusalsAt = layout.add(refusals)
  const uncheckedAt = layout.add(unchecked)

  const countCharge = (numbers: Float64Array, operation: number, charge: AnswerRecord["charge"]): void => {
    if (charge === undefined || charge.credits === 0) return
    const { environment, level = 0 } = charge
    const place = (operation * byLevel.length + level) * environments.length + environments.indexOf(environment)
    addNumber(numbers, creditsAt.start + place, charge.credits)
  }

  return {
    recorder: (numbers) => (record) => {
      const { duration_ms, error, limited, status } = record
      const operation = operationPlaces.get(record.operation) ?? 0
      addNumber(numbers, requestsAt.start + operation * outcomes.length + outcomeOf(status, error), 1)
      const place = operation * statusClasses.length + classOf(status)
      observeNumber(numbers, durationsAt.start + place * durationsAt.width, durationBounds_s, duration_ms / 1_000)
      countCharge(numbers, operation, record.charge)
      if (limited !== undefined) addNumber(numbers, refusalsAt.start + limitedBy.indexOf(limited), 1)
      else if (record.unchecked && error === undefined) addNumber(numbers, uncheckedAt.start, 1)
    }
  }
}

const operationPlaces = new Map(operationNames.map((name, place) => [name, place]))
const successPlaces = new Map(successes.map((status, place) => [Number(status), place]))
const errorPlaces = new Map(errors.map(({ error }, place) => [error as string, successes.length + place]))

const outcomeOf = (status: number, error: AnswerRecord["error"]): number =>
  (error === undefined ? successPlaces.get(status) : errorPlaces.get(error)) ?? 0

const classOf = (status: number): number =>
  Math.min(Math.max(Math.floor(status / 100) - 2, 0), statusClasses.length - 1)
