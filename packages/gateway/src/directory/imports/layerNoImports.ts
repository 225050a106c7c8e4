/** The port of imports of a service whose directory cannot be replaced. */
import { Effect, Layer } from "effect"
import { Conflict } from "../../Errors.ts"
import { DirectoryImports } from "./DirectoryImports.ts"
import { unknownImport } from "./ImportRules.ts"

/** @param message why nothing can be imported: the message of each refusal */
export const layerNoImports = (message: string): Layer.Layer<DirectoryImports> => {
  const refusal = Effect.fail(new Conflict({ message }))
  return Layer.succeed(DirectoryImports, {
    maximum_bytes: 0,
    current: Effect.succeed(undefined),
    open: () => refusal,
    append: () => Effect.fail(unknownImport),
    run: () => Effect.fail(unknownImport),
    cancel: () => Effect.fail(unknownImport)
  })
}
