import { Unavailable } from "@postcode/gateway/Errors"
import type { DatabaseState, StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { Exit } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"

/**
 * The service is ready even if the database is down: searches work without it, and otherwise all replicas would be
 * taken out of service at once.
 *
 * @param isDraining whether the service is about to stop; it is not ready then, so that it gets no new requests
 */
export const healthHandlers = (isDraining: () => boolean, { database }: StoreHealth): GroupHandlers<"health"> => ({
  live: () => Exit.succeed({ data: { status: "live" } }),
  ready: ({ directory: { activeSize, addresses, changes, date, size, version } }) =>
    isDraining()
      ? Exit.fail(new Unavailable({ retry_after_s: 1 }))
      : Exit.succeed({
          data: {
            status: "ready",
            directory: {
              ...(version !== "" && { version }),
              ...(date !== "" && { date }),
              changes,
              units: size,
              active_units: activeSize,
              addresses: addresses !== undefined
            },
            ...databaseState(database())
          }
        })
})

const databaseState = (state: DatabaseState): { readonly database?: "connected" | "unavailable" } =>
  state === "none" ? {} : { database: state }
