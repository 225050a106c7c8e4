import { noticeKindNames, noticeStatuses } from "@postcode/gateway/notices/Notice"
import { Command } from "effect/cli"
import { oneOf, optionalFlag, optionalText } from "../../Parameters.ts"
import { page } from "../CommonFlags.ts"
import { managementCommandsOf } from "../commandsOf.ts"

const command = managementCommandsOf(() => import("./showNotices.ts"))

export const notices = command(
  "notices",
  "The mail of the last 30 days, newest first: for operators",
  {
    status: optionalFlag("status", {
      read: oneOf(noticeStatuses),
      metavar: "STATUS",
      description: `Only mail with this status: ${noticeStatuses.join(", ")}`
    }),
    kind: optionalFlag("kind", {
      read: oneOf(noticeKindNames),
      metavar: "KIND",
      description: `Only mail of this kind: ${noticeKindNames.slice(2, 4).join(", ")} …`
    }),
    email: optionalText("email", "ADDRESS", "Only mail to this address"),
    page
  },
  ({ showNotices }) => showNotices
).pipe(
  Command.withExamples([
    { command: "postcode notices --status failed" },
    { command: "postcode notices --email ada@example.ng" }
  ])
)
