import { Dialog } from "../kit/dialogs/Dialog.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { account, hasSessionEnded, leave } from "../state/session.ts"
import { SignInForm } from "./SignInForm.tsx"

/** Signs in again over the current screen after the session has ended, so that typed input is kept. */
export const SignInDialog = () => (
  <Dialog
    title="Your session has ended"
    onClose={() => {
      hasSessionEnded.value = false
    }}
  >
    <div class="stack">
      <p class="muted">Sign in again to continue. Your input is still there, and you can send it again.</p>
      <SignInForm email={account.value?.email ?? ""} />
      <div class="actions">
        <Button kind="quiet" onClick={leave}>
          Leave the console
        </Button>
      </div>
    </div>
  </Dialog>
)
