import { ButtonLink } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"

/** After a reload the token of a link, which was only in memory, is lost. */
export const LinkLost = () => (
  <>
    <PageHeader title="Open the link again" />
    <p>The link was lost when the page was reloaded. Open it again. If you have used it already, sign in.</p>
    <ButtonLink to="/">Sign in</ButtonLink>
  </>
)
