import { defaultPriceList, type PriceList } from "@postcode/core/Prices"
import { Context } from "effect"

/** The active price list. Override it with `Layer.succeed(Prices, …)`. */
export const Prices = Context.Reference<PriceList>("@postcode/gateway/Prices", { defaultValue: () => defaultPriceList })
