import { describeDirectory } from "@postcode/core/directory/describeDirectory"
import type { Manager } from "@postcode/core/ManagementAccess"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"

export const directoryHandlers = Effect.gen(function* () {
  const describe = yield* describeDirectory

  const handlers: Pick<GroupHandlers<"management">, "directory"> = {
    directory: ({ directory, manager }) => Effect.map(describe(directory, manager as Manager), asData)
  }
  return handlers
})
