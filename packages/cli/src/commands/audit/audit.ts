import { auditActions } from "@postcode/gateway/audit/AuditLog"
import { Result } from "effect"
import { Command } from "effect/cli"
import { list, oneOf, optionalFlag, optionalText, type Reader } from "../../Parameters.ts"
import { csvFile, page } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"
import { isDay } from "../Days.ts"

/** @param daysOn the days to add to a day without a time: 0 for its own midnight, 1 for the next */
const moment =
  (daysOn: 0 | 1): Reader<string> =>
  (given) => {
    const [, day = "", time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$/.exec(given) ?? []
    const at_ms = time === undefined ? Date.parse(day) + daysOn * day_ms : Date.parse(given)
    return isDay(day) && !Number.isNaN(at_ms)
      ? Result.succeed(new Date(at_ms).toISOString())
      : Result.fail("a day or a time in UTC such as 2026-01-31T12:00:00Z")
  }

const day_ms = 86_400_000

const command = managementCommandsOf(() => import("./showAuditTrail.ts"))

export const audit = command(
  "audit",
  "Who did what, newest first",
  {
    organization_id: optionalText("organization", "ORG", "Only events of this organization"),
    action: optionalFlag("action", {
      read: list(oneOf(auditActions)),
      metavar: "LIST",
      description: `Only these: ${auditActions.slice(0, 2).join(",")} …`
    }),
    actor: optionalText(
      "actor",
      "WHO",
      "Only events by this actor: an account's id, operator for the operator token, command for an import"
    ),
    subject: optionalText("subject", "ID", "Only events about this subject: the id of a key, an account …"),
    from: optionalFlag("from", {
      read: moment(0),
      metavar: "TIME",
      description: "Nothing before this day or time, UTC"
    }),
    to: optionalFlag("to", {
      read: moment(1),
      metavar: "TIME",
      description: "Nothing after this day, or from this time on, UTC"
    }),
    csv: optionalFlag("csv", csvFile),
    page
  },
  ({ showAuditTrail }) => showAuditTrail
).pipe(
  Command.withExamples([
    { command: "postcode audit --organization org_… --action key.created,key.revoked" },
    { command: "postcode audit --from 2026-01-01 --to 2026-01-31 --csv january.csv" }
  ])
)
