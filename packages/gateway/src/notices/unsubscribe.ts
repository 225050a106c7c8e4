/** Links that switch off one kind of notice for one account, without signing in (RFC 8058). */
import { Redacted } from "effect"
import { isOptional, type NoticeKind, type OptionalNotice } from "./Notice.ts"
import type { NoticeSecrets } from "./NoticeSecrets.ts"

/** What a link switches off. */
export interface Subscription {
  readonly account_id: string
  readonly kind: OptionalNotice
}

/** The path that mail programs post to. */
export const unsubscribePath = "/v1/mail/unsubscribe"

const context = "unsubscribe"

/** The token of a link for a subscription. It does not expire, and opens nothing else. */
export const unsubscribeToken = ({ seal }: NoticeSecrets["Service"], { account_id, kind }: Subscription): string =>
  seal(context, Redacted.make(`${account_id} ${kind}`))

/** The subscription of a link's token; undefined if the token is invalid. */
export const subscriptionOf = (
  { open }: NoticeSecrets["Service"],
  token: Redacted.Redacted<string>
): Subscription | undefined => {
  const text = open(context, Redacted.value(token))
  if (text === undefined) return undefined
  const [account_id = "", kind = ""] = Redacted.value(text).split(" ")
  return isOptional(kind as NoticeKind) ? { account_id, kind: kind as OptionalNotice } : undefined
}
