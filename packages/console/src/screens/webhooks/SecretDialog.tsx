import type { ComponentChildren } from "preact"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { OnceDialog } from "../../kit/dialogs/OnceDialog.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { verification } from "./verification.ts"

export interface SecretDialogProps {
  readonly secret: string
  /** An additional message. */
  readonly children?: ComponentChildren
}

/** Shows a secret once. */
export const SecretDialog = ({ children, secret }: SecretDialogProps) => (
  <OnceDialog
    title="The secret of the webhook"
    loss="After you close this, the secret cannot be shown again. If you lose it, rotate it."
  >
    {(onCopied) => (
      <>
        <div onCopy={onCopied}>
          <Copyable value={secret} label="the secret" isBlock onCopied={onCopied} />
        </div>
        <Notice tone="warning" title="The secret is shown only once">
          <p>Your endpoint needs it to verify events. If you lose it, rotate it.</p>
        </Notice>
        {children}
        <h3>Verify events</h3>
        <Copyable value={verification} label="the example" isBlock />
      </>
    )}
  </OnceDialog>
)
