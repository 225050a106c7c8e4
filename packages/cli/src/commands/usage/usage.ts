import { usageGroupings } from "@postcode/gateway/usage/UsageLog"
import { Command } from "effect/cli"
import { flag, oneOf, optionalText } from "../../Parameters.ts"
import { environment } from "../CommonFlags.ts"
import { organizationCommandsOf } from "../commandsOf.ts"
import { reportDays } from "../Days.ts"

const ofOrganization = organizationCommandsOf(() => import("./showUsage.ts"))

export const usage = ofOrganization(
  "usage",
  "Requests and credits by day, and by operation, level, key or status",
  {
    environment,
    by: flag("by", {
      read: oneOf(usageGroupings),
      metavar: "WHAT",
      description: "What to group by: operation, level, key or status; default: operation",
      fallback: "operation"
    }),
    key_id: optionalText("key", "KEY", "Of one key alone, by its id: key_…"),
    ...reportDays
  },
  ({ showUsage }) => showUsage
).pipe(Command.withExamples([{ command: "postcode credits usage org_… --environment live --by status --key key_…" }]))
