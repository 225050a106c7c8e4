/** `postcode find`. */
import { maxSearchText } from "@postcode/gateway/InputLimits"
import { Effect, Result } from "effect"
import { Argument, CliError, Command } from "effect/cli"
import { flag, optionalFlag, wholeNumber } from "../../Parameters.ts"
import { directoryFlags, insecureHttp, json, profile, serviceUrl } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

/** The words of the text, which need no quotes. */
const words = Argument.String("TEXT").pipe(
  Argument.withDescription(`An address as people write it, up to ${maxSearchText} characters`),
  Argument.atLeast(1),
  Argument.mapEffect((words) => Effect.fromResult(checked(words.join(" ").trim())))
)

const checked = (text: string): Result.Result<string, CliError.CliError> =>
  text !== "" && text.length <= maxSearchText
    ? Result.succeed(text)
    : Result.fail(
        new CliError.ValidationError({
          message: `TEXT: expected 1 to ${maxSearchText} characters, found ${text.length === 0 ? "nothing" : text.length}`
        })
      )

export const find = commandsOf(() => import("./findAddress.ts"))(
  "find",
  "Find the postcode of an address as people write it, offline or by a service\n" +
    "  The result is never more precise than the text: a unit, an area, a district, an LGA, a state, or a question.\n" +
    "  With --url or --profile a service searches. It returns more than states and LGAs only to an API key with the scope\n" +
    "  search and level 2, and a result finer than an LGA costs a credit. The key is the one in POSTCODE_KEY, or the one that\n" +
    "  postcode login stored for that service.",
  {
    text: words,
    limit: flag("limit", {
      read: wholeNumber(1, 20),
      metavar: "N",
      description: "Maximum number of candidates, 1 to 20; default: 5",
      fallback: 5
    }),
    ...directoryFlags,
    url: optionalFlag("url", {
      read: serviceUrl,
      metavar: "URL",
      description: "Search by the service there, instead of a directory"
    }),
    profile,
    insecureHttp,
    json
  },
  ({ findAddress }) => findAddress
).pipe(
  Command.withShortDescription("Find the postcode of an address, offline or by a service"),
  Command.withExamples([
    { command: "postcode find 12 Allen Avenue, Ikeja" },
    { command: 'postcode find "opposite Ikeja City Mall" --directory nigeria.snapshot' },
    { command: "postcode find Allen Avenue --url https://postcode.example" }
  ])
)
