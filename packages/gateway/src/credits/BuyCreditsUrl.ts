/** The operator's page where an organization buys credits. */

import type { CreditAccount } from "@postcode/core/Credits"
import { Context } from "effect"

/**
 * The address of the page, with `{organization_id}` and perhaps `{environment}` where these belong; undefined if credits
 * are not bought on a page. Override it with `Layer.succeed(BuyCreditsUrl, …)`.
 */
export const BuyCreditsUrl = Context.Reference<string | undefined>("@postcode/gateway/BuyCreditsUrl", {
  defaultValue: () => undefined
})

/**
 * The page for a balance; undefined if there is none. An address without `{environment}` sells live credits only.
 *
 * @example buyUrlFor("https://pay.example/{organization_id}", { organization_id: "org_1", environment: "live" })
 *   // https://pay.example/org_1
 */
export const buyUrlFor = (
  template: string | undefined,
  { environment, organization_id }: CreditAccount
): string | undefined =>
  template === undefined || (environment === "test" && !template.includes("{environment}"))
    ? undefined
    : template
        .replaceAll("{organization_id}", encodeURIComponent(organization_id))
        .replaceAll("{environment}", environment)

/** What a valid address is, for messages. */
export const buyCreditsUrlForm =
  "an https address with {organization_id}, such as https://pay.example/credits?organization={organization_id}&environment={environment}; http only for localhost; at most 1000 characters, without a user name"

/** Whether a text is a valid address. The host is fixed: the names in braces are in the path, the query or the fragment. */
export const isBuyCreditsUrl = (text: unknown): text is string =>
  typeof text === "string" &&
  text.length <= 1000 &&
  text.includes("{organization_id}") &&
  /^(?:https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:[/?#](?:[\w.~:/?#[\]@!$&()*+,;=%-]|\{organization_id\}|\{environment\})*)$/i.test(
    text
  )
