/**
 * Flags and arguments, each with one strict reader, whether its value comes from the command line or from the
 * environment. A value that cannot be read is named together with what would have been right.
 */
import { parseDecimal } from "@postcode/core/Decimal"
import { Effect, Option, Result } from "effect"
import { Argument, CliError, Flag } from "effect/cli"
import { host } from "./Host.ts"

/** Reads a text, or answers what was expected instead: `a whole number from 1 to 100`. */
export type Reader<A> = (text: string) => Result.Result<A, string>

/** How a flag is read and shown. */
export interface FlagOptions<A> {
  readonly read: Reader<A>
  /** What its value is called in the help: `N`, `PATH`. */
  readonly metavar: string
  readonly description: string
  /** The environment variable that is asked where the flag is not given. An empty one counts as not set. */
  readonly environment?: string
  /** Whether its value may hold a secret, so that no message repeats it. */
  readonly secret?: boolean
}

/** A flag that may be left out. */
export const optionalFlag = <A>(name: string, options: FlagOptions<A>): Flag.Flag<A | undefined> => {
  const { environment, metavar, read, secret = false } = options
  const description = environment === undefined ? options.description : `${options.description} [${environment}]`
  const readAs = secret ? readSecretAs : readShownAs
  return Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.mapEffect((given) => {
      if (Option.isSome(given)) return readAs(`--${name}`, given.value, read)
      return environment === undefined ? Effect.succeed(undefined) : fromEnvironment(environment, read, readAs)
    })
  )
}

/** A flag that stands for a value of its own where it is left out. */
export const flag = <A>(name: string, options: FlagOptions<A> & { readonly fallback: NoInfer<A> }): Flag.Flag<A> =>
  Flag.map(optionalFlag(name, options), (value) => value ?? options.fallback)

/** A flag that has to be there. */
export const requiredFlag = <A>(name: string, options: FlagOptions<A>): Flag.Flag<A> =>
  optionalFlag(name, { ...options, description: `${options.description} (required)` }).pipe(
    Flag.mapEffect((value) =>
      value === undefined ? Effect.fail(new CliError.MissingOption({ option: name })) : Effect.succeed(value)
    )
  )

/** A flag that is either there or not. It takes no value, so an argument behind it stays an argument. */
export const switchFlag = (
  name: string,
  description: string,
  fallback?: { readonly environment: string; readonly read: Reader<boolean> }
): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(
    Flag.withDescription(fallback === undefined ? description : `${description} [${fallback.environment}]`),
    Flag.withOptionalValue("true"),
    Flag.withoutNegation,
    Flag.optional,
    Flag.mapEffect((given) => {
      if (Option.isSome(given)) return Effect.succeed(given.value)
      if (fallback === undefined) return Effect.succeed(false)
      return Effect.map(fromEnvironment(fallback.environment, fallback.read), (value) => value ?? false)
    })
  )

/** An argument that has to be there. */
export const argument = <A>(
  name: string,
  options: { readonly read: Reader<A>; readonly description: string }
): Argument.Argument<A> =>
  Argument.String(name).pipe(
    Argument.withDescription(options.description),
    Argument.mapEffect((text) => readShownAs(name, text, options.read))
  )

/** Text as it is, but not empty. */
export const text: Reader<string> = (given) =>
  given.trim() === "" ? Result.fail("a text that is not empty") : Result.succeed(given)

/** Any text. */
export const anyText: Reader<string> = (given) => Result.succeed(given)

/** Digits alone: neither `1e3` nor `0x10` nor a sign but the minus. */
export const wholeNumber =
  (minimum: number, maximum: number): Reader<number> =>
  (given) => {
    const value = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN
    return Number.isSafeInteger(value) && value >= minimum && value <= maximum
      ? Result.succeed(value)
      : Result.fail(`a whole number from ${minimum} to ${maximum}`)
  }

/** A length of time in whole minutes, hours or days, as milliseconds. */
export const duration: Reader<number> = (given) => {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(given) ?? []
  return count === undefined
    ? Result.fail("a length of time such as 90d, 12h or 30m")
    : Result.succeed(Number(count) * (unit_ms[unit as keyof typeof unit_ms] ?? 0))
}

const unit_ms = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A decimal number, as coordinates and radii are written. */
export const decimal =
  (minimum: number, maximum: number, expected: string): Reader<number> =>
  (given) => {
    const value = parseDecimal(given)
    return value >= minimum && value <= maximum ? Result.succeed(value) : Result.fail(expected)
  }

/** One of some words, as they are. */
export const oneOf =
  <const A extends string>(values: ReadonlyArray<A>): Reader<A> =>
  (given) => {
    const value = values.find((one) => one === given)
    return value === undefined ? Result.fail(`one of ${values.join(", ")}`) : Result.succeed(value)
  }

/** Values with commas between them; white space around each is left out. */
export const list =
  <A>(read: Reader<A>): Reader<ReadonlyArray<A>> =>
  (given) => {
    const values: Array<A> = []
    for (const part of given.split(",")) {
      const value = read(part.trim())
      if (Result.isFailure(value)) return Result.fail(`${value.failure}, with commas between several`)
      values.push(value.success)
    }
    return Result.succeed(values)
  }

const fromEnvironment = <A>(
  name: string,
  read: Reader<A>,
  readAs: typeof readShownAs = readShownAs
): Effect.Effect<A | undefined, CliError.CliError> => {
  const given = host().env[name]
  return given === undefined || given === "" ? Effect.succeed(undefined) : readAs(name, given, read)
}

/** Reads what a message may show. */
const readShownAs = <A>(name: string, given: string, read: Reader<A>): Effect.Effect<A, CliError.CliError> =>
  Effect.fromResult(Result.mapError(read(given), (expected) => wrongValue(name, `${expected}, ${found(given)}`)))

/** Reads what no message may repeat. */
const readSecretAs = <A>(name: string, given: string, read: Reader<A>): Effect.Effect<A, CliError.CliError> =>
  Effect.fromResult(Result.mapError(read(given), (expected) => wrongValue(name, expected)))

const wrongValue = (name: string, expected: string): CliError.CliError =>
  new CliError.ValidationError({ message: `${name}: expected ${expected}` })

const longestQuote = 60

const found = (given: string): string => {
  if (given === "") return "found nothing"
  return `not "${given.length > longestQuote ? `${given.slice(0, longestQuote)}…` : given}"`
}
