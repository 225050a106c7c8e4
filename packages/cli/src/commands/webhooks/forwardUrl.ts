/** Where a listener posts: a server on this computer, or one that it reaches. */
import { webhookLimits } from "@postcode/gateway/InputLimits"
import { Result } from "effect"
import type { Reader } from "../../Parameters.ts"

/** An http or https URL. `localhost:4000/hook` and `4000` mean http on this computer. */
export const forwardUrl: Reader<string> = (given) => {
  const text = /^\d+(\/|$)/.test(given) ? `localhost:${given}` : given
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) return Result.fail(expected)
  const { hash, href, password, protocol, username } = new URL(address)
  const isWeb = protocol === "http:" || protocol === "https:"
  const isPlain = `${hash}${password}${username}` === "" && !href.endsWith("#") && href.length <= webhookLimits.url
  return isWeb && isPlain ? Result.succeed(href) : Result.fail(expected)
}

const expected = "an address such as http://localhost:4000/hook, without user, password and #"
