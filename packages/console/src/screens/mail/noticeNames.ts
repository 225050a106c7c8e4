/** The kinds of mail in words. */
import type { DataOf } from "../../client/Contract.ts"

/** A mail as operators see it. */
export type Notice = DataOf<"GET /v1/admin/notices">["notices"][number]

/** A kind of mail. */
export type NoticeKind = Notice["kind"]

export const noticeNames: Readonly<Record<NoticeKind, string>> = {
  confirm_address: "Confirm an address",
  already_has_account: "Has an account already",
  invitation: "Invitation",
  reset_password: "Reset the password",
  confirm_new_address: "Confirm a new address",
  address_changed: "Address changed",
  password_changed: "Password changed",
  passkey_changed: "Passkey added or removed",
  signed_out_everywhere: "Signed out everywhere",
  verification_decided: "Verification decided",
  access_decided: "Level decided",
  balance_low: "Low balance",
  balance_used_up: "Credits used up",
  daily_limit_reached: "Daily limit of a key reached",
  key_expires: "Key expires within 7 days",
  webhook_disabled: "Webhook disabled",
  review_waiting: "Review waiting",
  organization_will_close: "Organization will be closed"
}
