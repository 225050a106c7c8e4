import { ButtonLink } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { account } from "../../state/session.ts"

/** After a reload the token of a link, which was only in memory, is lost. */
export const LinkLost = () => (
  <>
    <PageHeader title="Open the link again" />
    {account.value === undefined ? (
      <p>The link was lost when the page was reloaded. Open it again. If you have used it already, sign in.</p>
    ) : (
      <p>You are signed in as {account.value.email}. If you have not used the link yet, open it again.</p>
    )}
    <ButtonLink to="/">{account.value === undefined ? "Sign in" : "Go to the home page"}</ButtonLink>
  </>
)
