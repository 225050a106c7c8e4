/** Port: attributes of units: names, addresses, use, building. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import type { UnitAttributes } from "./UnitAttributes.ts"

export class Units extends Context.Service<
  Units,
  {
    /**
     * The attributes of each postcode, in order; an empty record for an unknown one. An adapter may answer
     * synchronously with an `Exit`, so call this once per request and run the effect once.
     *
     * @param version of the directory in which the postcodes were found, so that the answer is of one version; by
     *   default the current one
     */
    readonly attributes: (
      postcodes: ReadonlyArray<Postcode>,
      version?: string
    ) => Effect.Effect<ReadonlyArray<UnitAttributes>, Unavailable>
  }
>()("@postcode/core/Units") {}
