/** Port: attributes of units: names, addresses, use, building. */

import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"

export class Units extends Context.Service<
  Units,
  {
    /**
     * The attributes of each postcode, in order; an empty record for an unknown one. An adapter may answer
     * synchronously with an `Exit`, so call this once per request and run the effect once.
     *
     * @param directory in which the postcodes were found, so that the answer is of one version; by default the current
     *   one
     */
    readonly attributes: (
      postcodes: ReadonlyArray<Postcode>,
      directory?: Pick<Directory, "changes" | "version">
    ) => Effect.Effect<ReadonlyArray<UnitAttributes>, Unavailable>
  }
>()("@postcode/gateway/Units") {}
