/**
 * Flags and arguments, each with one strict parser for values from the command line and from the environment. An error
 * names the value and the expected format.
 */
import { parseDecimal } from "@postcode/core/Decimal"
import { host } from "@postcode/server/process/Host"
import { Effect, Option, Result } from "effect"
import { Argument, CliError, Flag } from "effect/cli"

/** Parses a text, or returns the expected format: `a whole number from 1 to 100`. */
export type Reader<A> = (text: string) => Result.Result<A, string>

/** The definition of a flag. */
export interface FlagOptions<A> extends ValueOptions<A> {
  /** The placeholder of the value in the help: `N`, `PATH`. */
  readonly metavar: string
  readonly description: string
  /** The environment variable to use if the flag is absent. An empty variable counts as not set. */
  readonly environment?: string
}

interface ValueOptions<A> {
  readonly read: Reader<A>
  /** Whether the value may be a secret: then no message repeats it. */
  readonly secret?: boolean
}

/** An optional flag. */
export const optionalFlag = <A>(name: string, options: FlagOptions<A>): Flag.Flag<A | undefined> => {
  const { environment, metavar } = options
  const description = environment === undefined ? options.description : `${options.description} [${environment}]`
  return Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.mapEffect((given) => {
      if (Option.isSome(given)) return parseValue(`--${name}`, given.value, options)
      return environment === undefined ? Effect.undefined : fromEnvironment(environment, options)
    })
  )
}

/** A flag with a default value. */
export const flag = <A>(name: string, options: FlagOptions<A> & { readonly fallback: NoInfer<A> }): Flag.Flag<A> =>
  Flag.map(optionalFlag(name, options), (value) => value ?? options.fallback)

/** A required flag. */
export const requiredFlag = <A>(name: string, options: FlagOptions<A>): Flag.Flag<A> =>
  optionalFlag(name, { ...options, description: `${options.description} (required)` }).pipe(
    Flag.mapEffect((value) =>
      value === undefined ? Effect.fail(new CliError.MissingOption({ option: name })) : Effect.succeed(value)
    )
  )

/** A flag that may be given several times. */
export const repeatedFlag = <A>(name: string, options: FlagOptions<A>): Flag.Flag<ReadonlyArray<A>> =>
  Flag.String(name).pipe(
    Flag.withMetavar(options.metavar),
    Flag.withDescription(options.description),
    Flag.atLeast(0),
    Flag.mapEffect((all) => Effect.forEach(all, (given) => parseValue(`--${name}`, given, options)))
  )

/** A boolean flag. It takes no value, so a following argument stays an argument. */
export const booleanFlag = (
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
      return Effect.map(fromEnvironment(fallback.environment, fallback), (value) => value ?? false)
    })
  )

interface ArgumentOptions<A> extends ValueOptions<A> {
  readonly description: string
}

/** A required argument. */
export const argument = <A>(name: string, options: ArgumentOptions<A>): Argument.Argument<A> =>
  Argument.String(name).pipe(
    Argument.withDescription(options.description),
    Argument.mapEffect((text) => parseValue(name, text, options))
  )

/** An optional argument. */
export const optionalArgument = <A>(name: string, options: ArgumentOptions<A>): Argument.Argument<A | undefined> =>
  Argument.String(name).pipe(
    Argument.withDescription(options.description),
    Argument.optional,
    Argument.mapEffect((given) => (Option.isSome(given) ? parseValue(name, given.value, options) : Effect.undefined))
  )

/** Non-empty text. */
export const text: Reader<string> = (given) =>
  given.trim() === "" ? Result.fail("a text that is not empty") : Result.succeed(given)

/** An optional flag with a text. */
export const optionalText = (name: string, metavar: string, description: string): Flag.Flag<string | undefined> =>
  optionalFlag(name, { read: text, metavar, description })

/** A required flag with a text. */
export const requiredText = (name: string, metavar: string, description: string): Flag.Flag<string> =>
  requiredFlag(name, { read: text, metavar, description })

/** A required argument with a text. */
export const textArgument = (name: string, description: string): Argument.Argument<string> =>
  argument(name, { read: text, description })

/** Any text. */
export const anyText: Reader<string> = (given) => Result.succeed(given)

/** Digits with an optional minus sign: `1e3`, `0x10` and `+1` are refused. */
export const wholeNumber =
  (minimum: number, maximum: number): Reader<number> =>
  (given) => {
    const value = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN
    return Number.isSafeInteger(value) && value >= minimum && value <= maximum
      ? Result.succeed(value)
      : Result.fail(`a whole number from ${minimum} to ${maximum}`)
  }

/** A duration in whole minutes, hours or days, in milliseconds. */
export const duration: Reader<number> = (given) => {
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(given) ?? []
  return count === undefined
    ? Result.fail("a length of time such as 90d, 12h or 30m")
    : Result.succeed(Number(count) * (unit_ms[unit as keyof typeof unit_ms] ?? 0))
}

const unit_ms = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A decimal number, for coordinates and radii. */
export const decimal =
  (minimum: number, maximum: number, expected: string): Reader<number> =>
  (given) => {
    const value = parseDecimal(given)
    return value >= minimum && value <= maximum ? Result.succeed(value) : Result.fail(expected)
  }

/** `true` or `false`, for the environment. */
export const booleanText: Reader<boolean> = (given) =>
  given === "true" || given === "1"
    ? Result.succeed(true)
    : given === "false" || given === "0"
      ? Result.succeed(false)
      : Result.fail("true or false")

/** One of a set of words. */
export const oneOf =
  <const A extends string>(values: ReadonlyArray<A>): Reader<A> =>
  (given) => {
    const value = values.find((one) => one === given)
    return value === undefined ? Result.fail(`one of ${values.join(", ")}`) : Result.succeed(value)
  }

/** Values separated by commas, trimmed. */
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
  options: ValueOptions<A>
): Effect.Effect<A | undefined, CliError.CliError> => {
  const given = host().env[name]
  return given === undefined || given === "" ? Effect.undefined : parseValue(name, given, options)
}

/** Parses a value. Messages show it unless it may be a secret. */
const parseValue = <A>(
  name: string,
  given: string,
  { read, secret = false }: ValueOptions<A>
): Effect.Effect<A, CliError.CliError> =>
  Effect.fromResult(
    Result.mapError(
      read(given),
      (expected) =>
        new CliError.ValidationError({ message: `${name}: expected ${expected}${secret ? "" : `, ${found(given)}`}` })
    )
  )

const maxQuoteLength = 60

const found = (given: string): string => {
  if (given === "") return "found nothing"
  return `not "${given.length > maxQuoteLength ? `${given.slice(0, maxQuoteLength)}…` : given}"`
}
