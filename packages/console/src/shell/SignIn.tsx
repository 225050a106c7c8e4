import { send } from "../client/send.ts"
import { useWork } from "../hooks/useLoad.ts"
import { PageHeader } from "../kit/layout/PageHeader.tsx"
import { SignInForm } from "./SignInForm.tsx"

/** The sign-in page; afterwards the requested screen is shown. */
export const SignIn = () => {
  // Without an answer, the page is that of a service that takes no sign-ups.
  const { data } = useWork("sign-up", (signal) => send("GET /v1/admin/account/sign-up", {}, { signal }))
  return (
    <>
      <PageHeader title="Sign in" />
      <SignInForm />
      {data?.sends_mail && (
        <p class="muted">
          <a href="#/forgotten">Forgot your password?</a>
        </p>
      )}
      {data?.is_open ? (
        <p class="muted">
          No account yet? <a href="#/sign-up">Create one</a>
        </p>
      ) : (
        <p class="muted">
          You need an invitation to create an account: open its link. When the service starts, it prints the link for
          the first operator.
        </p>
      )}
    </>
  )
}
