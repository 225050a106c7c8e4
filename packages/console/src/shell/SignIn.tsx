import { PageHeader } from "../kit/layout/PageHeader.tsx"
import { SignInForm } from "./SignInForm.tsx"

/** The sign-in page; afterwards the requested screen is shown. */
export const SignIn = () => (
  <>
    <PageHeader title="Sign in" />
    <SignInForm />
    <p class="muted">
      You need an invitation to create an account: open its link. When the service starts, it prints the link for the
      first operator.
    </p>
  </>
)
