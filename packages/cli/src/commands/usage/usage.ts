import { usageGroupings } from "@postcode/core/usage/UsageLog"
import { Result } from "effect"
import { Command } from "effect/cli"
import { flag, oneOf, optionalFlag, type Reader, text } from "../../Parameters.ts"
import { environment, organizationId } from "../CommonFlags.ts"
import { commandsOf } from "../ManagementCommand.ts"

const day: Reader<string> = (given) =>
  /^\d{4}-\d\d-\d\d$/.test(given) ? Result.succeed(given) : Result.fail("a day as YYYY-MM-DD")

const command = commandsOf(() => import("./showUsage.ts"))

export const usage = command(
  "usage",
  "Requests and credits by day, and by operation, level, key or status",
  {
    id: organizationId,
    environment,
    by: flag("by", {
      read: oneOf(usageGroupings),
      metavar: "WHAT",
      description: "What to group by: operation, level, key or status; default: operation",
      fallback: "operation"
    }),
    key_id: optionalFlag("key", { read: text, metavar: "KEY", description: "Of one key alone, by its id: key_…" }),
    from: optionalFlag("from", {
      read: day,
      metavar: "DAY",
      description: "First day in UTC, YYYY-MM-DD; default: 30 days ago"
    }),
    to: optionalFlag("to", { read: day, metavar: "DAY", description: "Last day in UTC; default: today" })
  },
  ({ showUsage }) => showUsage
).pipe(Command.withExamples([{ command: "postcode credits usage org_… --environment live --by status --key key_…" }]))
