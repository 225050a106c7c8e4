/** A store that is unavailable for one key, to demonstrate the service's real response. */
import { Unavailable } from "@postcode/gateway/Errors"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Effect } from "effect"

/** @param hash of the key for which the store is unavailable */
export const unavailableStoreFor = (keys: ApiKeys["Service"], hash: string): ApiKeys["Service"] => ({
  ...keys,
  findByHash: (asked, now) => (asked === hash ? Effect.fail(unavailable) : keys.findByHash(asked, now))
})

const unavailable = new Unavailable({ retry_after_s: 5 })
