/** An import through the management API, for the process that runs it. */
import type {
  ImportCheck,
  ImportedEdition,
  ImportFileName,
  ImportProgress,
  ImportTask
} from "@postcode/gateway/directory/imports/DirectoryImports"
import { Client } from "pg"
import { withPlainMode } from "../../connection/DatabaseUrl.ts"

/** A run of an import. */
export interface StoredImport {
  readonly actor: string
  readonly task: ImportTask
  /** The names of the files, as the operator chose them. */
  readonly names: Readonly<Record<ImportFileName, string>>
  /** Aborted when the operator cancels the import, or it is gone. */
  readonly signal: AbortSignal
  /** The bytes of a file, in their order. */
  readonly parts: (file: ImportFileName) => AsyncGenerator<Uint8Array>
  /** Stores how far the run is, at most twice a second. */
  readonly progress: (progress: ImportProgress) => void
  readonly end: (result: ImportEnd) => Promise<void>
  readonly close: () => Promise<void>
}

/** How a run ended. */
export type ImportEnd =
  | { readonly phase: "checked"; readonly check: ImportCheck }
  | { readonly phase: "imported"; readonly imported: ImportedEdition }
  | { readonly phase: "failed"; readonly problem: string }

/** A run that reports nothing is taken for lost, so it does while it works. */
const report_ms = 500

/** Opens the run with this id, on a separate connection. Rejects if it is gone. */
export const openStoredImport = async (url: string, id: string): Promise<StoredImport> => {
  const client = new Client({ connectionString: withPlainMode(url), application_name: "postcode import" })
  client.on("error", () => {})
  await client.connect()
  const { rows } = await client.query<RunRow>(
    "SELECT actor, task, places_name, units_name FROM postcode.directory_import WHERE id = $1",
    [id]
  )
  const [row] = rows
  if (row === undefined) {
    await client.end()
    throw new Error("the import is gone")
  }
  return new StoredRun(client, id, row)
}

interface RunRow {
  readonly actor: string
  readonly task: ImportTask
  readonly places_name: string
  readonly units_name: string
}

class StoredRun implements StoredImport {
  readonly actor: string
  readonly task: ImportTask
  readonly names: StoredImport["names"]
  private readonly client: Client
  private readonly id: string
  private readonly cancelling = new AbortController()
  private readonly timer: NodeJS.Timeout
  private last: ImportProgress | undefined
  private reporting: Promise<void> | undefined

  constructor(client: Client, id: string, { actor, places_name, task, units_name }: RunRow) {
    this.client = client
    this.id = id
    this.actor = actor
    this.task = task
    this.names = { places: places_name, units: units_name }
    this.timer = setInterval(() => this.report(), report_ms)
  }

  get signal(): AbortSignal {
    return this.cancelling.signal
  }

  async *parts(file: ImportFileName): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; ) {
      const { rows } = await this.client.query<{ readonly bytes: Uint8Array }>(
        "SELECT bytes FROM postcode.directory_import_parts WHERE import_id = $1 AND file = $2 AND first_byte = $3",
        [this.id, file, at]
      )
      const [row] = rows
      if (row === undefined) return
      yield row.bytes
      at += row.bytes.length
    }
  }

  progress(progress: ImportProgress): void {
    this.last = progress
  }

  async end(result: ImportEnd): Promise<void> {
    clearInterval(this.timer)
    await this.reporting
    // What is imported is current, even if it was cancelled a moment ago.
    if (this.signal.aborted && result.phase !== "imported") return this.remove()
    const [checked, imported, problem] = [
      "check" in result ? JSON.stringify(result.check) : null,
      "imported" in result ? JSON.stringify(result.imported) : null,
      "problem" in result ? result.problem : null
    ]
    const { rowCount } = await this.client.query(
      `UPDATE postcode.directory_import SET phase = $2, progress = NULL, active_at = now(),
        checked = coalesce($3::jsonb, checked), imported = $4::jsonb, problem = $5
      WHERE id = $1 AND (NOT is_cancelled OR $2 = 'imported')`,
      [this.id, result.phase, checked, imported, problem]
    )
    if (rowCount === 0) return this.remove()
    if (result.phase === "imported") await this.removeParts()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.reporting
    await this.client.end()
  }

  /** One statement at a time; a failure is that of the work, too. */
  private report(): void {
    if (this.reporting !== undefined || this.signal.aborted) return
    const { last } = this
    this.reporting = this.client
      .query<{ readonly is_cancelled: boolean }>(
        `UPDATE postcode.directory_import SET progress = coalesce($2::jsonb, progress), active_at = now()
        WHERE id = $1 RETURNING is_cancelled`,
        [this.id, last === undefined ? null : JSON.stringify(last)]
      )
      .then(
        ({ rows }) => {
          if (rows[0]?.is_cancelled !== false) this.cancelling.abort(new Error("the import was cancelled"))
        },
        () => {}
      )
      .finally(() => {
        this.reporting = undefined
      })
  }

  private async remove(): Promise<void> {
    await this.client.query("DELETE FROM postcode.directory_import WHERE id = $1", [this.id])
    await this.removeParts()
  }

  private async removeParts(): Promise<void> {
    await this.client.query("DELETE FROM postcode.directory_import_parts WHERE import_id = $1", [this.id])
  }
}
