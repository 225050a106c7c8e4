import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { Problem } from "../../../client/Problem.ts"
import { useAction } from "../../../hooks/useAction.ts"
import { formatAmount } from "../../../kit/data/Amount.tsx"
import { announce } from "../../../kit/feedback/announce.ts"
import { ProblemNotice } from "../../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../../kit/forms/Button.tsx"
import { call } from "../../../state/session.ts"
import { ProgressBar } from "./ProgressBar.tsx"
import { type ChosenFiles, uploadFiles } from "./uploadFiles.ts"
import type { Import } from "./useImport.ts"

export interface FilesFormProps {
  /** Whether files are sent at present. */
  readonly onBusy: (isBusy: boolean) => void
  /** The check of the files has begun. */
  readonly onChecking: (started: Import) => void
}

/** Takes both files, sends them, and has them checked. Leaving the screen stops it, and leaves nothing. */
export const FilesForm = ({ onBusy, onChecking }: FilesFormProps) => {
  const places = useSignal<File | undefined>(undefined)
  const units = useSignal<File | undefined>(undefined)
  const sent = useSignal<number | undefined>(undefined)
  const stopping = useRef(new AbortController())
  useEffect(() => () => stopping.current.abort(), [])
  const action = useAction(async () => {
    const files = chosen(places.value, units.value)
    stopping.current = new AbortController()
    sent.value = 0
    onBusy(true)
    try {
      const { id } = await uploadFiles(files, stopping.current.signal, (bytes) => {
        sent.value = bytes
      })
      onChecking(await call("POST /v1/admin/directory/import/:id/run", { params: { id }, body: { dry_run: true } }))
    } catch (error) {
      if (!stopping.current.signal.aborted) throw error
      announce("The upload was cancelled")
    } finally {
      sent.value = undefined
      onBusy(false)
    }
  })
  const total = (places.value?.size ?? 0) + (units.value?.size ?? 0)
  if (sent.value !== undefined) {
    return (
      <>
        <ProgressBar label="Uploading" share={total === 0 ? 0 : sent.value / total}>
          {`${megabytes(sent.value)} of ${megabytes(total)} MB`}
        </ProgressBar>
        <div class="actions">
          <Button onClick={() => stopping.current.abort()}>Cancel</Button>
        </div>
      </>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void action.run()
      }}
    >
      <FileField
        label="Places"
        hint="The names of states and LGAs: columns code and name."
        file={places.value}
        onChoose={(file) => (places.value = file)}
      />
      <FileField
        label="Units"
        hint="A row for each unit: columns postcode, lat and lon, and others. Other names can be mapped afterwards."
        file={units.value}
        onChoose={(file) => (units.value = file)}
      />
      <ProblemNotice problem={action.problem} onRetry={action.run} />
      <div class="actions">
        <Button type="submit" kind="primary" isBusy={action.isBusy}>
          Upload and check
        </Button>
      </div>
    </form>
  )
}

const chosen = (places: File | undefined, units: File | undefined): ChosenFiles => {
  const missing = places === undefined ? "places" : units === undefined ? "units" : undefined
  if (places === undefined || units === undefined) throw invalid(`choose a file of ${missing}`)
  for (const { name, size } of [places, units]) if (size === 0) throw invalid(`${name} is empty: choose another file`)
  return { places, units }
}

const invalid = (message: string) => new Problem({ status: 400, code: "invalid_parameter", message })

const megabytes = (bytes: number): string =>
  bytes < 10_000_000 ? (bytes / 1e6).toFixed(1) : formatAmount(Math.round(bytes / 1e6))

interface FileFieldProps {
  readonly label: string
  readonly hint: string
  readonly file: File | undefined
  readonly onChoose: (file: File | undefined) => void
}

const FileField = ({ hint, label, onChoose }: FileFieldProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <input
        id={id}
        type="file"
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0])}
      />
    </div>
  )
}
