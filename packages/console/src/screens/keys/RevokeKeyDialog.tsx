import { useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { localHour } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { Dialog } from "../../kit/dialogs/Dialog.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { call } from "../../state/session.ts"
import type { KeyDialogProps } from "./RotateKeyDialog.tsx"

/** Revokes a key. If the key is in use, or its use is unknown, its name has to be typed. */
export const RevokeKeyDialog = ({ apiKey: { id, name }, onDone }: KeyDialogProps) => {
  const { data, isLoading, problem, reload } = useLoad("GET /v1/admin/keys/:id/traffic", { params: { id } })
  const title = `Revoke “${name}”?`
  if (isLoading && data === undefined) {
    return (
      <Dialog title={title}>
        <Loading>Checking whether the key is in use</Loading>
      </Dialog>
    )
  }
  const isUnused = data?.requests === 0
  return (
    <ConfirmDialog
      title={title}
      confirm="Revoke key"
      {...(!isUnused && { typed: name })}
      onConfirm={async () => {
        await call("DELETE /v1/admin/keys/:id", { params: { id } })
        onDone()
        return `${name} is revoked`
      }}
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {data && !isUnused && (
        <Notice tone="warning" title="This key is in use">
          <p>
            {formatAmount(data.requests)} {data.requests === 1 ? "request" : "requests"} since {localHour(data.since)},{" "}
            {formatAmount(data.refused)} of them refused. To replace the key without an interruption, rotate it instead.
          </p>
        </Notice>
      )}
      {isUnused && <p>No requests since {localHour(data.since)}.</p>}
      <p>From the next request, the service refuses this key. This cannot be undone. Its widget sessions end, too.</p>
    </ConfirmDialog>
  )
}
