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
    loss="Once this is closed, nobody sees the secret again. Without it, nothing that arrives can be verified until there is another one."
  >
    {(onCopied) => (
      <>
        <div onCopy={onCopied}>
          <Copyable value={secret} label="the secret" isBlock onCopied={onCopied} />
        </div>
        <Notice tone="warning" title="It is shown this once">
          <p>Store it where your receiver finds it. If it is lost, make a new one.</p>
        </Notice>
        {children}
        <h3>Verify what arrives</h3>
        <Copyable value={verification} label="the example" isBlock />
      </>
    )}
  </OnceDialog>
)
