/** Port: what is known of units beyond the directory's index: names, addresses, use, building. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import type { UnitAttributes } from "./UnitAttributes.ts"

export class Units extends Context.Service<
  Units,
  {
    /**
     * The attributes of each postcode, in the order given; an empty record for one that is not known. The answer may be
     * there at once, as an `Exit`: so each call is for one request, and its effect is run once.
     *
     * @param version of the directory that they were found in, so that an answer is of one version also where another
     *   has come meanwhile; the one in force unless told
     */
    readonly attributes: (
      postcodes: ReadonlyArray<Postcode>,
      version?: string
    ) => Effect.Effect<ReadonlyArray<UnitAttributes>, Unavailable>
  }
>()("@postcode/core/Units") {}
