import { usageGroupings } from "@postcode/core/usage/UsageLog"
import { Result } from "effect"
import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { flag, oneOf, optionalFlag, type Reader, text } from "../../Parameters.ts"
import { connection, environment, json } from "../CommonFlags.ts"
import { organizationId } from "../organizations/orgs.ts"

const load = () => import("./showUsage.ts")

const day: Reader<string> = (given) =>
  /^\d{4}-\d\d-\d\d$/.test(given) ? Result.succeed(given) : Result.fail("a day as YYYY-MM-DD")

export const usage = Command.make(
  "usage",
  {
    organization: organizationId,
    environment,
    by: flag("by", {
      read: oneOf(usageGroupings),
      metavar: "WHAT",
      description: "What to group by: operation, level, key or status; default: operation",
      fallback: "operation"
    }),
    key: optionalFlag("key", { read: text, metavar: "KEY", description: "Of one key alone, by its id: key_…" }),
    from: optionalFlag("from", {
      read: day,
      metavar: "DAY",
      description: "First day in UTC, YYYY-MM-DD; default: 30 days ago"
    }),
    to: optionalFlag("to", { read: day, metavar: "DAY", description: "Last day in UTC; default: today" }),
    ...connection,
    json
  },
  (input) => lazily(load, ({ showUsage }) => showUsage(input))
).pipe(
  Command.withDescription("Requests and credits by day, and by operation, level, key or status"),
  Command.withExamples([{ command: "postcode credits usage org_… --environment live --by status --key key_…" }])
)
