/** The row of the import through the management API. */
import type {
  DirectoryImport,
  ImportCheck,
  ImportedEdition,
  ImportPhase,
  ImportProgress
} from "@postcode/gateway/directory/imports/DirectoryImports"
import { isRunning, lostRun } from "@postcode/gateway/directory/imports/ImportRules"

export interface ImportRow {
  readonly id: string
  readonly actor: string
  readonly opened_at: Date
  readonly phase: ImportPhase
  readonly places_name: string
  readonly places_bytes: bigint
  readonly places_received: bigint
  readonly units_name: string
  readonly units_bytes: bigint
  readonly units_received: bigint
  readonly progress: ImportProgress | null
  readonly checked: ImportCheck | null
  readonly imported: ImportedEdition | null
  readonly problem: string | null
  /** Whether its process reports nothing any more, if it runs. */
  readonly is_lost: boolean
}

export const importOf = (row: ImportRow): DirectoryImport => {
  const { actor, checked, id, imported, opened_at, phase, problem, progress } = row
  const shown = {
    id,
    actor,
    opened_at: opened_at.toISOString(),
    phase,
    places: uploaded(row.places_name, row.places_bytes, row.places_received),
    units: uploaded(row.units_name, row.units_bytes, row.units_received),
    ...(checked !== null && { check: checked })
  }
  if (isRunning(phase) && row.is_lost) return { ...shown, phase: "failed", problem: lostRun }
  return {
    ...shown,
    ...(progress !== null && { progress }),
    ...(imported !== null && { imported }),
    ...(problem !== null && { problem })
  }
}

const uploaded = (name: string, size: bigint, received: bigint) => ({
  name,
  size_bytes: Number(size),
  received_bytes: Number(received)
})
