import { Unavailable } from "@postcode/core/Errors"
import { Exit } from "effect"
import type { GroupHandlers } from "../Handler.ts"

/** @param isDraining whether the service is about to stop: it is not ready then, so that no new work is sent to it */
export const healthHandlers = (isDraining: () => boolean): GroupHandlers<"health"> => ({
  live: () => Exit.succeed({ data: { status: "live" } }),
  ready: ({ directory: { activeSize, changes, date, size, version } }) =>
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
              active_units: activeSize
            }
          }
        })
})
