/** Endpoints for operators: mail, and the reviews that wait. */
import { noticeKindNames, noticeStatuses } from "@postcode/gateway/notices/Notice"
import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Data, NextCursor, Timestamp } from "../../answers.ts"
import { documented } from "../../documented.ts"
import { failures } from "../../errors.ts"
import { oneOf, pageQuery } from "../../parameters.ts"

/** A list of all would be too long for a message. */
const NoticeKind = Schema.Literals(noticeKindNames).annotate({
  message: "expected a kind of mail, such as invitation or balance_low"
})
const NoticeStatus = oneOf(noticeStatuses)

const Notice = Schema.Struct({
  id: Schema.String,
  kind: NoticeKind,
  email: Schema.String.annotate({ description: "The address that the mail goes to." }),
  account_id: Schema.optionalKey(Schema.String),
  organization_id: Schema.optionalKey(Schema.String),
  status: NoticeStatus.annotate({
    description:
      "`sent`: the mail server took it. `failed`: it is not tried again. `skipped`: it was out of date, or there was no account to send it to."
  }),
  attempts: Schema.Int,
  fault: Schema.optionalKey(Schema.String).annotate({
    description: "Why the last attempt failed, or why the notice is not sent."
  }),
  created_at: Timestamp,
  last_attempt_at: Schema.optionalKey(Timestamp),
  next_attempt_at: Schema.optionalKey(Timestamp).annotate({ description: "Only while it is pending." })
}).annotate({ identifier: "Notice", description: "A mail to one person. Neither its text nor its link is stored." })

const WaitingReviews = Schema.Struct({
  count: Schema.Int,
  oldest_at: Schema.NullOr(Timestamp).annotate({ description: "When the oldest one was submitted." })
}).annotate({
  identifier: "WaitingReviews",
  description: "Verifications and access requests that wait for a decision, of all organizations."
})

/** The endpoints. */
export const noticeEndpoints = [
  HttpApiEndpoint.get("listNotices", "/v1/admin/notices", {
    query: {
      ...pageQuery,
      status: Schema.optionalKey(NoticeStatus),
      kind: Schema.optionalKey(NoticeKind),
      email: Schema.optionalKey(Schema.String)
    },
    success: Data(Schema.Struct({ notices: Schema.Array(Notice), next_cursor: NextCursor })),
    error: failures.managementRead
  }).annotateMerge(documented("List the mail of the last 30 days, newest first")),
  HttpApiEndpoint.get("countReviews", "/v1/admin/reviews", {
    success: Data(WaitingReviews),
    error: failures.managementRead
  }).annotate(OpenApi.Summary, "Count the reviews that wait for an operator")
] as const
