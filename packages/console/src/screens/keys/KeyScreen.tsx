import { useEffect } from "preact/hooks"
import { useLoad } from "../../hooks/useLoad.ts"
import { ExactTime, Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { redirectTo } from "../../router/address.ts"
import { may } from "../../state/permissions.ts"
import { ChangeKeyDialog } from "./ChangeKeyDialog.tsx"
import { KeyFacts } from "./KeyFacts.tsx"
import { keysPath } from "./keyLabels.tsx"
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx"
import { type KeyDialogProps, RotateKeyDialog } from "./RotateKeyDialog.tsx"
import { KeyOutcomes } from "./usage/KeyOutcomes.tsx"
import { KeyTraffic } from "./usage/KeyTraffic.tsx"
import "./keys.css"

interface KeyScreenProps {
  readonly params: { readonly organization: string; readonly key: string }
}

/** One key: its permissions, its use and its end. */
export const KeyScreen = ({ params: { key: id, organization } }: KeyScreenProps) => {
  const loaded = useLoad("GET /v1/admin/keys/:id", { params: { id } })
  const { data: apiKey, reload } = loaded
  const owner = apiKey?.organization_id ?? organization
  // Operators can load every key: one of another organization must not be shown here.
  useEffect(() => {
    if (owner !== organization) redirectTo(`${keysPath(owner)}/${id}`)
  }, [owner])
  return (
    <>
      <PageHeader
        title={apiKey?.name ?? "Key"}
        lead={apiKey ? <code>{apiKey.prefix}…</code> : <a href={`#${keysPath(organization)}`}>All keys</a>}
      >
        {apiKey?.status === "active" && <Endings apiKey={apiKey} onDone={reload} />}
      </PageHeader>
      <WhenLoaded loaded={loaded}>
        {(apiKey) => (
          <>
            <Chain apiKey={apiKey} />
            {apiKey.status === "active" && <Meanings apiKey={apiKey} />}
            <KeyFacts apiKey={apiKey} />
            {may("keyTraffic") && apiKey.status === "active" && <KeyTraffic apiKey={apiKey} />}
            {may("usage") && <KeyOutcomes apiKey={apiKey} />}
          </>
        )}
      </WhenLoaded>
    </>
  )
}

const Endings = (props: KeyDialogProps) => (
  <>
    {may("updateKey") && <Button onClick={() => openDialog(<ChangeKeyDialog {...props} />)}>Change</Button>}
    {may("rotateKey") && props.apiKey.replaced_by === undefined && (
      <Button onClick={() => openDialog(<RotateKeyDialog {...props} />)}>Rotate</Button>
    )}
    {may("revokeKey") && (
      <Button kind="danger" onClick={() => openDialog(<RevokeKeyDialog {...props} />)}>
        Revoke
      </Button>
    )}
  </>
)

/** What the buttons do, where an account has them. */
const Meanings = ({ apiKey: { kind, replaced_by } }: Pick<KeyDialogProps, "apiKey">) => (
  <div class="muted">
    {may("updateKey") && (
      <p>
        <strong>Change</strong> sets this key’s name, {kind === "secret" ? "allowed IP addresses" : "origins"} and
        limits.
      </p>
    )}
    {may("rotateKey") && replaced_by === undefined && (
      <p>
        <strong>Rotate</strong> creates a new key. This key continues to work for the time that you select.
      </p>
    )}
    {may("revokeKey") && (
      <p>
        <strong>Revoke</strong> ends this key at once. You cannot undo it.
      </p>
    )}
  </div>
)

/** The predecessor and the successor of the key. */
const Chain = ({ apiKey }: Pick<KeyDialogProps, "apiKey">) => {
  const { expires_at, organization_id, replaced_by, replaces, status } = apiKey
  const place = (id: string) => `#${keysPath(organization_id)}/${id}`
  return (
    <>
      {replaced_by !== undefined && (
        <Notice tone={status === "active" ? "warning" : "info"} title="Replaced by another key">
          {status === "active" && expires_at && (
            <p>
              It works until <ExactTime at={expires_at} />, <Time at={expires_at} />. Replace it with{" "}
              <a href={place(replaced_by)}>the new key</a> before then.
            </p>
          )}
          {status !== "active" && <a href={place(replaced_by)}>The new key</a>}
        </Notice>
      )}
      {replaces !== undefined && (
        <p class="muted">
          It replaces <a href={place(replaces)}>another key</a>.
        </p>
      )}
    </>
  )
}
