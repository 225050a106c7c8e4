/** `postcode find`. */
import { Effect, Result } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { flag, optionalFlag, wholeNumber } from "../../Parameters.ts"
import { directory, json, serviceUrl } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

/** As over HTTP. */
const maxTextLength = 200

/** The words of the text, which need no quotes. */
const words = Argument.String("TEXT").pipe(
  Argument.withDescription(`An address as people write it, up to ${maxTextLength} characters`),
  Argument.atLeast(1),
  Argument.mapEffect((words) => Effect.fromResult(checked(words.join(" ").trim())))
)

const checked = (text: string): Result.Result<string, CliError.CliError> =>
  text !== "" && text.length <= maxTextLength
    ? Result.succeed(text)
    : Result.fail(
        new CliError.ValidationError({
          message: `TEXT: expected 1 to ${maxTextLength} characters, found ${text.length === 0 ? "nothing" : text.length}`
        })
      )

export const find = commandsOf(() => import("./findAddress.ts"))(
  "find",
  "Find the postcode of an address as people write it, offline or by a service\n" +
    "  The answer is never more precise than the text: a unit, an area, a district, an LGA, a state, or a question.\n" +
    "  A service answers more than states and LGAs to a key in POSTCODE_KEY with the scope search and level 2; what is\n" +
    "  finer than an LGA costs it a credit.",
  {
    text: words,
    limit: flag("limit", {
      read: wholeNumber(1, 20),
      metavar: "N",
      description: "How many candidates to show at most, 1 to 20; default: 5",
      fallback: 5
    }),
    directory,
    url: optionalFlag("url", {
      read: serviceUrl,
      metavar: "URL",
      description: "Ask the service there, with the key in POSTCODE_KEY, in place of a directory"
    }),
    json
  },
  ({ findAddress }) => findAddress
).pipe(
  Command.withShortDescription("Find the postcode of an address, offline or by a service"),
  Command.withExamples([
    { command: "postcode find 12 Allen Avenue, Ikeja" },
    { command: 'postcode find "opposite Ikeja City Mall" --directory nigeria.snapshot' },
    { command: "POSTCODE_KEY=… postcode find Allen Avenue --url https://postcode.example" }
  ])
)
