import { useSignal } from "@preact/signals"
import { hasPasskeys, signInWithPasskey } from "../client/passkeys.ts"
import { send } from "../client/send.ts"
import { useAction } from "../hooks/useAction.ts"
import { ProblemNotice } from "../kit/feedback/ProblemNotice.tsx"
import { Button } from "../kit/forms/Button.tsx"
import { TextField } from "../kit/forms/Field.tsx"
import { Form } from "../kit/forms/Form.tsx"
import { enter } from "../state/session.ts"

/** Sign-in by email and password, or by passkey. */
export const SignInForm = ({ email: given = "" }: { readonly email?: string }) => {
  const email = useSignal(given)
  const password = useSignal("")
  const byPassword = async () => {
    const body = { email: email.value, password: password.value }
    enter((await send("POST /v1/admin/account/sign-in", { body })).account)
  }
  const byPasskey = useAction(async () => enter(await signInWithPasskey()))
  return (
    <div class="stack">
      <Form onSubmit={byPassword} submit="Sign in">
        <TextField label="Email" type="email" autocomplete="username webauthn" value={email} hasFocus={given === ""} />
        <TextField
          label="Password"
          type="password"
          autocomplete="current-password"
          value={password}
          hasFocus={given !== ""}
        />
      </Form>
      {hasPasskeys() && (
        <>
          <p class="or">or</p>
          <Button icon="key" isBusy={byPasskey.isBusy} onClick={byPasskey.run}>
            Sign in with a passkey
          </Button>
          <ProblemNotice problem={byPasskey.problem} onRetry={byPasskey.run} />
        </>
      )}
    </div>
  )
}
