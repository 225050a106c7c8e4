/** `postcode notices`. */
import type { InputOf } from "@postcode/client"
import { type Paged, printList } from "../../management/lists.ts"
import type { Work } from "../commandsOf.ts"

type Filter = InputOf<"GET /v1/admin/notices">["query"] & object

/** Prints pages of the mail. */
export const showNotices: Work<Paged & Filter> = ({ page, ...filter }, options) =>
  printList(options, "GET /v1/admin/notices", { query: filter }, page, {
    columns: {
      AT: "created_at",
      KIND: "kind",
      TO: "email",
      STATUS: "status",
      ATTEMPTS: "attempts",
      NEXT: "next_attempt_at",
      FAULT: "fault"
    },
    empty: "there is no mail of that kind; without POSTCODE_SMTP_URL, the service sends none"
  })
