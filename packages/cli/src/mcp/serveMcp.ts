/** Serves the tools over standard input and output until the client closes them. Messages go to standard error. */
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { type DirectoryFlags, openDirectory } from "@postcode/server/directory/openDirectory"
import { CommandFailure, exitCodes, failUsage, toFailure } from "@postcode/server/process/ExitCode"
import { host } from "@postcode/server/process/Host"
import { lazily } from "@postcode/server/process/Lazy"
import { say } from "@postcode/server/process/Output"
import { counted } from "@postcode/server/process/Progress"
import { untilTerminated } from "@postcode/server/process/RunMain"
import { Effect, Redacted, type Scope } from "effect"
import { clientWithKey, hasKey, type KeyFlags, requireKey, resolveKey } from "../management/apiKey.ts"
import type { McpService } from "./McpService.ts"
import { makeMcpServer, toolsOf } from "./makeMcpServer.ts"
import { quoted } from "./quoted.ts"
import { SessionBudget } from "./SessionBudget.ts"
import { askForPrices, pricesAtStart } from "./servicePrices.ts"

/** Where the tools search, and what they may spend. */
export interface McpInput extends KeyFlags, DirectoryFlags {
  /** Credits; undefined hides the tools that may cost some. */
  readonly budget: number | undefined
}

/** `postcode mcp` */
export const serveMcp = (input: McpInput): Effect.Effect<void, CommandFailure> =>
  untilTerminated(
    Effect.scoped(
      Effect.gen(function* () {
        const service = yield* openService(input)
        const budget = input.budget === undefined ? undefined : new SessionBudget(input.budget)
        const prices = yield* pricesAtStart(service)
        const tools = toolsOf(service, budget, prices)
        say(`ready: ${tools.map(({ name }) => name).join(", ")} on ${service.name}; ${costs(service, budget)}`)
        yield* untilClosed(() => makeMcpServer(service, tools, budget, prices))
      })
    )
  )

const costs = ({ isMetered }: McpService, budget: SessionBudget | undefined): string => {
  if (!isMetered) return "all calls are free"
  return budget === undefined
    ? "tools that may cost credits are hidden (--budget shows them)"
    : `this session may spend ${counted(budget.credits, "credit")}`
}

const openService = (input: McpInput): Effect.Effect<McpService, CommandFailure, Scope.Scope> => {
  const { budget, directory, profile, url } = input
  if (url === undefined && profile === undefined) {
    if (budget !== undefined)
      return failUsage("--budget is for a service, whose calls cost credits: add --url or --profile")
    return openLocal(input)
  }
  if (directory === undefined) return connectTo(input)
  return failUsage(`choose ${url === undefined ? "--profile" : "--url"} or --directory`)
}

const openLocal = ({ data, directory }: DirectoryFlags): Effect.Effect<McpService, CommandFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const opened = yield* openDirectory({ data, directory, quiet_ms: 1_000, addresses: true })
    const name =
      directory === undefined && data === undefined
        ? "the demonstration directory, whose units and addresses are made up"
        : `a directory on this machine, edition ${quoted(opened.directory.version, 60)}`
    return yield* lazily(
      () => import("./openOffline.ts"),
      ({ openOffline }) => openOffline(opened, name)
    )
  })

/** With a budget, there must be a key, whose organization pays. */
const connectTo = ({ budget, ...flags }: McpInput): Effect.Effect<McpService, CommandFailure> =>
  Effect.gen(function* () {
    const connection = yield* budget === undefined ? resolveKey(flags) : requireKey(flags)
    const { key, source, url } = connection
    if (budget !== undefined && key !== undefined && Redacted.value(key).startsWith("svc_pk_")) {
      return yield* Effect.fail(new CommandFailure(needsSecretKey, exitCodes.notAllowed))
    }
    const client = yield* Effect.try({ try: () => clientWithKey(connection), catch: toFailure })
    const payer = { isMetered: true, hasKey: hasKey(connection), prices: askForPrices(client) }
    return { client, url, source, name: `the service at ${url}`, ...payer }
  })

const needsSecretKey =
  "--budget needs a secret key, svc_test_… or svc_live_…: this one is publishable, and the service does not report what " +
  "its calls cost"

/** Serves one client until it closes standard input, or until it is interrupted. */
const untilClosed = (makeServer: () => ReturnType<typeof makeMcpServer>): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const { stdin, stdout } = host()
    const transport = new StdioServerTransport(stdin, stdout)
    const { close } = serveStdio(makeServer, {
      transport,
      // The error may quote what the client sent.
      onerror: () => say("a message of the client could not be read or answered, and is ignored")
    })
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resume(Effect.void)
    }
    return Effect.promise(close)
  })
