/** The prices of the service that the tools call. */
import type { PostcodeClient } from "@postcode/client"
import { assertPriceList, defaultPriceList, type PriceList } from "@postcode/core/Prices"
import { say } from "@postcode/server/process/Output"
import { Effect } from "effect"
import type { McpService } from "./McpService.ts"
import type { ToolPrices } from "./Tool.ts"

/**
 * A function that asks the service for its prices, once; again after a failure.
 *
 * @throws the client's error, or an error if the service sends no valid price list
 */
export const askForPrices = (client: PostcodeClient): McpService["prices"] => {
  let known: Promise<ToolPrices> | undefined
  const ask = async () => {
    const { data } = await client.request("GET /v1/reference/prices", {})
    if (isPriceList(data)) return data
    // Without the text that was sent: agents would read it.
    throw new Error("the service sends no valid prices, so the call was not sent")
  }
  return () => {
    known ??= ask().catch((error) => {
      known = undefined
      throw error
    })
    return known
  }
}

const isPriceList = (prices: PriceList): boolean => {
  try {
    assertPriceList(prices)
    return true
  } catch {
    return false
  }
}

/** For the list of tools. While the service is down, its prices count as the default ones: a paid call asks again. */
export const pricesAtStart = ({ isMetered, prices }: McpService): Effect.Effect<ToolPrices> =>
  isMetered
    ? Effect.tryPromise(prices).pipe(
        Effect.timeout(patience_ms),
        Effect.catch(() =>
          Effect.sync(() => {
            say(
              "the prices of the service cannot be read now: until then, the default prices decide which tools are free"
            )
            return defaultPriceList
          })
        )
      )
    : Effect.promise(prices)

/** Programs that start the tools wait for them. */
const patience_ms = 5_000
