/** The credits that a new organization starts with. */
import { type Environment, openingCredits } from "@postcode/core/Credits"
import { Context } from "effect"

/** By environment. Override it with `Layer.succeed(OpeningCredits, …)`. */
export const OpeningCredits = Context.Reference<Readonly<Record<Environment, number>>>(
  "@postcode/gateway/OpeningCredits",
  { defaultValue: () => openingCredits }
)
