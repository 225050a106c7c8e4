import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { useAction } from "../../../hooks/useAction.ts"
import { useLoad } from "../../../hooks/useLoad.ts"
import { counted } from "../../../kit/data/Amount.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../../kit/dialogs/openedDialog.ts"
import { announce } from "../../../kit/feedback/announce.ts"
import { Loading } from "../../../kit/feedback/Loading.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../../kit/feedback/ProblemNotice.tsx"
import { Button, ButtonLink } from "../../../kit/forms/Button.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { account, call } from "../../../state/session.ts"
import { CheckReport } from "./CheckReport.tsx"
import { type EditionDraft, EditionForm, makeEditionDraft } from "./EditionForm.tsx"
import { FilesForm } from "./FilesForm.tsx"
import { ProgressBar } from "./ProgressBar.tsx"
import { type FollowedImport, type Import, useImport } from "./useImport.ts"
import "../directory.css"

/** Imports a new edition from two files: upload, check, and import. */
export const ImportScreen = () => {
  const isSending = useSignal(false)
  const followed = useImport(!isSending.value)
  const { found, problem, reload } = followed
  const draft = useMemo(makeEditionDraft, [found?.id])
  useAnnouncements(found)
  return (
    <>
      <PageHeader
        title="Import files"
        lead="Replaces the directory by that of two files. First they are checked: nothing changes until you import them."
      >
        <ButtonLink to="/directory">Directory</ButtonLink>
      </PageHeader>
      <ProblemNotice problem={problem} onRetry={reload} />
      {found === undefined && problem === undefined && <Loading />}
      {found !== undefined && <Stage followed={followed} found={found} isSending={isSending} draft={draft} />}
    </>
  )
}

interface StageProps {
  readonly followed: FollowedImport
  readonly found: Import | null
  readonly isSending: { value: boolean }
  readonly draft: EditionDraft
}

const Stage = ({ draft, followed, found, isSending }: StageProps) => {
  const { show } = followed
  const files = (
    <FilesForm
      onBusy={(isBusy) => {
        isSending.value = isBusy
        if (!isBusy) followed.reload()
      }}
      onChecking={show}
    />
  )
  if (found === null || isSending.value) return <Section title="Files">{files}</Section>
  switch (found.phase) {
    case "uploading":
      return (
        <>
          <Owner open={found} onGone={show} />
          {isMine(found) && <Section title="Files">{files}</Section>}
        </>
      )
    case "checking":
    case "importing":
      return <Running open={found} />
    case "imported":
      return <Imported open={found} onNext={() => show(null)} />
    case "checked":
    case "failed":
      return <Decision open={found} draft={draft} onStarted={show} onGone={show} />
  }
}

const isMine = ({ actor }: Import): boolean => actor === account.value?.id

interface OwnerProps {
  readonly open: Import
  readonly onGone: (found: null) => void
}

/** An upload that is not this page's: of another operator, or one that was interrupted. */
const Owner = ({ onGone, open }: OwnerProps) => {
  const { places, units } = open
  const share = (places.received_bytes + units.received_bytes) / (places.size_bytes + units.size_bytes)
  return isMine(open) ? (
    <Notice tone="warning" title="An upload of yours is not complete">
      <p>It may be open in another tab. Otherwise choose the files again: they replace it.</p>
    </Notice>
  ) : (
    <Section title="Another import is open">
      <p>
        <Name of={open.actor} /> began to upload {places.name} and {units.name} <Time at={open.opened_at} />. There is
        one import at a time.
      </p>
      <ProgressBar label="Their upload" share={share}>{`${Math.round(share * 100)} %`}</ProgressBar>
      <Cancel open={open} onGone={onGone} label="Cancel their import" />
    </Section>
  )
}

const Name = ({ of: actor }: { readonly of: string }) => {
  const { data } = useLoad("GET /v1/admin/operators", { query: { limit: 100 } })
  const known = data?.accounts.find(({ id }) => id === actor)?.name
  return <strong class="name">{known ?? (actor === "operator" ? "The operator token" : actor)}</strong>
}

const Running = ({ open }: { readonly open: Import }) => {
  const { phase, progress } = open
  const { rows = 0, share, step = "reading" } = progress ?? {}
  const doing = phase === "checking" ? "Checking the files" : "Importing"
  return (
    <Section title={doing}>
      <ProgressBar label={steps[step]} share={step === "reading" || step === "publishing" ? share : undefined}>
        {counted(rows, "row")}
      </ProgressBar>
      <p class="muted">You can leave this page: the service continues.</p>
      <Cancel open={open} onGone={() => {}} label="Cancel" />
    </Section>
  )
}

const steps = {
  reading: "Reading",
  indexing: "Indexing",
  comparing: "Comparing with the current edition",
  publishing: "Publishing"
} as const

interface CancelProps {
  readonly open: Import
  readonly onGone: (found: null) => void
  readonly label: string
}

/** Asks first if the import is that of another operator. */
const Cancel = ({ label, onGone, open }: CancelProps) => {
  const cancel = async () => {
    await call("DELETE /v1/admin/directory/import/:id", { params: { id: open.id } })
    onGone(null)
  }
  const action = useAction(async () => {
    if (isMine(open)) return cancel()
    openDialog(
      <ConfirmDialog title="Cancel the import of another operator?" confirm="Cancel their import" onConfirm={cancel}>
        <p>Their files are removed from the service. The current edition stays.</p>
      </ConfirmDialog>
    )
  })
  return (
    <>
      <ProblemNotice problem={action.problem} />
      <div class="actions">
        <Button isBusy={action.isBusy} onClick={action.run}>
          {label}
        </Button>
      </div>
    </>
  )
}

const Imported = ({ onNext, open: { imported } }: { readonly open: Import; readonly onNext: () => void }) => {
  const version = imported?.data_version
  const isNew = imported?.outcome === "imported"
  return (
    <Section title="Imported">
      <Notice tone="good" title={isNew ? `${version} is current` : `${version} was current already`}>
        <p>
          {isNew ? (
            <>
              Replicas switch to it as soon as they have loaded it. To return to the edition before, run{" "}
              <code>postcode directory revert</code>.
            </>
          ) : (
            "It was made of the same files, so nothing was changed."
          )}
        </p>
      </Notice>
      <div class="actions">
        <ButtonLink kind="primary" to="/directory">
          Open the directory
        </ButtonLink>
        <Button onClick={onNext}>Import other files</Button>
      </div>
    </Section>
  )
}

interface DecisionProps {
  readonly open: Import
  readonly draft: EditionDraft
  readonly onStarted: (started: Import) => void
  readonly onGone: (found: null) => void
}

/** After a check, or a failed run: what was found, and how to go on. */
const Decision = ({ draft, onGone, onStarted, open }: DecisionProps) => {
  const { check, id, phase, problem } = open
  const again = useAction(async () =>
    onStarted(await call("POST /v1/admin/directory/import/:id/run", { params: { id }, body: { dry_run: true } }))
  )
  const isImportable = check?.is_readable === true && check.total_units > 0
  return (
    <>
      {!isMine(open) && (
        <Notice title="Files of another operator">
          <p>
            <Name of={open.actor} /> uploaded them <Time at={open.opened_at} />.
          </p>
        </Notice>
      )}
      {phase === "failed" && (
        <Notice tone="bad" title="Nothing was changed">
          <p>{problem && sentenceOf(problem)}</p>
          {check === undefined && (
            <Button isBusy={again.isBusy} onClick={again.run}>
              Check again
            </Button>
          )}
        </Notice>
      )}
      <ProblemNotice problem={again.problem} />
      {check && <CheckReport open={open} check={check} onChecking={onStarted} />}
      {check && isImportable && <EditionForm key={id} id={id} check={check} draft={draft} onImporting={onStarted} />}
      <Section title="Other files" lead="The uploaded files are removed. The current edition stays.">
        <Cancel open={open} onGone={onGone} label="Choose other files" />
      </Section>
    </>
  )
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Says when a run ends: its progress is not spoken. */
const useAnnouncements = (found: Import | null | undefined): void => {
  const before = useRef<Import["phase"] | undefined>(undefined)
  const phase = found?.phase
  useEffect(() => {
    const wasRunning = before.current === "checking" || before.current === "importing"
    before.current = phase
    if (!wasRunning) return
    if (phase === "checked") announce("The files are checked")
    if (phase === "imported") announce("The edition is current")
    if (phase === "failed") announce("The import failed. Nothing was changed")
    if (phase === undefined) announce("The import was cancelled")
  }, [phase])
}
