/** What is allowed in each phase of an import, the same for all stores. */
import { Conflict, NotFound } from "../../Errors.ts"
import type { DirectoryImport, ImportPart, ImportPhase } from "./DirectoryImports.ts"

/** An import that waits for its operator this long can be replaced by others. */
export const idle_s = 1_800

/** A run that reports nothing for this long has ended without a result: its process is gone. */
export const lost_s = 120

/** Phases of a run. */
export const isRunning = (phase: ImportPhase): boolean => phase === "checking" || phase === "importing"

/** Phases after which nothing more comes. */
export const hasEnded = (phase: ImportPhase): boolean => phase === "imported"

/** The problem of a run whose process is gone. */
export const lostRun = "the process that worked on the import ended: start it again"

/** The refusal for an id of another import, or of none. */
export const unknownImport = new NotFound({
  message: "there is no such import: it was cancelled, or replaced by another one"
})

/** The refusal to open a second import. */
export const openElsewhere = ({ actor, opened_at, phase }: DirectoryImport): Conflict =>
  new Conflict({
    message: `another import is open since ${opened_at}, by ${actor} (${phase}): wait for its end, or cancel it`
  })

/** Why a part is not taken; undefined if it is there already. */
export const partRefusal = (current: DirectoryImport, { bytes, file, offset }: ImportPart): Conflict | undefined => {
  const { received_bytes, size_bytes } = current[file]
  const end = offset + bytes.length
  if (offset < received_bytes && end <= received_bytes) return undefined
  if (current.phase !== "uploading") return new Conflict({ message: "the files of this import are complete" })
  if (offset !== received_bytes) {
    return new Conflict({ message: `offset: expected ${received_bytes}, the number of bytes that have arrived` })
  }
  return new Conflict({ message: `${file}: expected ${size_bytes} bytes, as the import was opened with` })
}

/** Why a run is not started; undefined if it may be. */
export const runRefusal = ({ phase, places, units }: DirectoryImport): Conflict | undefined => {
  if (isRunning(phase)) return new Conflict({ message: "the import is running: wait for its end, or cancel it" })
  if (hasEnded(phase)) return new Conflict({ message: "the edition is imported: open another import" })
  const isComplete = [places, units].every(({ received_bytes, size_bytes }) => received_bytes === size_bytes)
  return isComplete ? undefined : new Conflict({ message: "the files have not arrived: send their parts first" })
}
