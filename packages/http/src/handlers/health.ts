import { Unavailable } from "@postcode/core/Errors"
import { CurrentDirectory } from "@postcode/core/ports/CurrentDirectory"
import { Effect, Exit } from "effect"
import type { GroupHandlers } from "../Handler.ts"

/** @param isDraining whether the service is about to stop: it is not ready then, so that no new work is sent to it */
export const healthHandlers = (isDraining: () => boolean) =>
  Effect.gen(function* () {
    const current = yield* CurrentDirectory

    const handlers: GroupHandlers<"health"> = {
      live: () => Exit.succeed({ data: { status: "live" } }),
      ready: () => {
        if (isDraining()) return Exit.fail(new Unavailable({ retry_after_s: 1 }))
        const { activeSize, date, size, version } = current.get()
        return Exit.succeed({
          data: { status: "ready", directory: { version, date, units: size, active_units: activeSize } }
        })
      }
    }
    return handlers
  })
