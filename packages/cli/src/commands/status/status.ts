/** `postcode status` and `postcode open`. */
import { Result } from "effect"
import { Command } from "effect/cli"
import { optionalArgument, type Reader } from "../../Parameters.ts"
import { connection, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { type Page, pages } from "./pages.ts"

const { data, insecureHttp, profile, url } = connection

export const status = commandsOf(() => import("./showStatus.ts"))(
  "status",
  "Show the profile, its service and its directory, and whether its keys work\n" +
    "  Exit code 1: the service does not respond or is not ready. Exit code 4: no key is stored, or one is refused.",
  { url, profile, insecureHttp, data, json },
  ({ showStatus }) => showStatus
).pipe(Command.withShortDescription("Show whether the service and its stored keys work"))

const page: Reader<Page> = (given) =>
  given in pages ? Result.succeed(given as Page) : Result.fail(`one of ${Object.keys(pages).join(", ")}`)

export const openCommand = commandsOf(() => import("./openPage.ts"))(
  "open",
  "Open a page of the service in the browser: its console, documentation or demonstration\n" +
    "  Without a terminal, the command only prints the address.",
  {
    page: optionalArgument("PAGE", { read: page, description: "console, docs or demo; default: console" }),
    url,
    profile,
    data
  },
  ({ openPage }) => openPage
).pipe(
  Command.withShortDescription("Open the console, the documentation or the demonstration in the browser"),
  Command.withExamples([{ command: "postcode open docs" }])
)
