import { compact, display, fromSegments, segments } from "@postcode/core/Postcode"
import { InvalidParameter } from "@postcode/gateway/Errors"
import { Exit } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"

export const assemblyHandlers: GroupHandlers<"assembly"> = {
  assemble: ({ payload }) => {
    const result = fromSegments(payload)
    if (!result.ok) {
      return Exit.fail(new InvalidParameter({ parameter: result.error.segment, message: result.error.message }))
    }
    const { postcode } = result
    return Exit.succeed({ data: { postcode, display: display(postcode), compact: compact(postcode) } })
  },
  disassemble: ({ query }) => Exit.succeed({ data: segments(query.code) })
}
