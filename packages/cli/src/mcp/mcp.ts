/** `postcode mcp`. */
import { Command } from "effect/cli"
import { directoryFlags, insecureHttp, profile, serviceUrl } from "../commands/CommonFlags.ts"
import { commandsOf } from "../commands/commandsOf.ts"
import { optionalFlag, wholeNumber } from "../Parameters.ts"

export const mcp = commandsOf(() => import("./serveMcp.ts"))(
  "mcp",
  "Give an AI agent tools for postcodes, over the Model Context Protocol on standard input and output\n" +
    "  The tools are validate, complete, find, reverse, nearby and lookup. They search a directory on this machine, and nothing\n" +
    "  costs credits. With --url or --profile a service responds; the key is the one in POSTCODE_KEY, or the one that postcode\n" +
    "  login stored for that service. Tools that may cost credits are hidden unless --budget allows them.",
  {
    ...directoryFlags,
    url: optionalFlag("url", {
      read: serviceUrl,
      metavar: "URL",
      description: "Call the service there, instead of a directory"
    }),
    profile,
    insecureHttp,
    budget: optionalFlag("budget", {
      read: wholeNumber(1, 1_000_000),
      metavar: "N",
      description: "Show the tools that cost credits, and let this session spend N; needs a service and a key"
    })
  },
  ({ serveMcp }) => serveMcp
).pipe(
  Command.withShortDescription("Give an AI agent tools for postcodes, over MCP"),
  Command.withExamples([
    { command: "postcode mcp" },
    { command: "postcode mcp --directory nigeria.snapshot" },
    { command: "postcode mcp --url https://postcode.example --budget 100" }
  ])
)
