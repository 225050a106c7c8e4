import type { ComponentChildren } from "preact"
import { Button } from "../../kit/Button.tsx"
import { Copyable } from "../../kit/Copyable.tsx"
import { Dialog } from "../../kit/Dialog.tsx"
import { Notice } from "../../kit/Notice.tsx"
import { verification } from "./verification.ts"

export interface SecretDialogProps {
  readonly secret: string
  /** What else is to know. */
  readonly children?: ComponentChildren
  readonly onClose: () => void
}

/** Shows a secret, the one time that there is. */
export const SecretDialog = ({ children, onClose, secret }: SecretDialogProps) => (
  <Dialog title="The secret of the webhook" onClose={onClose}>
    <div class="stack">
      <Copyable value={secret} label="the secret" isBlock />
      <Notice tone="warning" title="It is shown this once">
        <p>Store it where your receiver finds it. If it is lost, make a new one.</p>
      </Notice>
      {children}
      <h3>Verify what arrives</h3>
      <Copyable value={verification} label="the example" isBlock />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </div>
  </Dialog>
)
