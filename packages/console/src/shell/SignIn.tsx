import { PageHeader } from "../kit/layout/PageHeader.tsx"
import { SignInForm } from "./SignInForm.tsx"

/** The sign-in page; afterwards the requested screen is shown. */
export const SignIn = () => (
  <>
    <PageHeader title="Sign in" />
    <SignInForm />
    <p class="muted">
      Accounts come by invitation: open the link that you were given. The first operator’s link is printed when the
      service starts.
    </p>
  </>
)
