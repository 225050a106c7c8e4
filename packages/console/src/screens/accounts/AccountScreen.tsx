import { useAction } from "../../hooks/useAction.ts"
import { Facts } from "../../kit/data/Facts.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { account, call, leave } from "../../state/session.ts"
import { MailSection } from "../mail/MailSection.tsx"
import { AddressForm } from "./AddressForm.tsx"
import { NameForm } from "./NameForm.tsx"
import { OrganizationsSection } from "./OrganizationsSection.tsx"
import { PasskeysSection } from "./PasskeysSection.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { roleNames } from "./roles.ts"

/** The user's own account. */
export const AccountScreen = () => {
  const own = account.value
  const signOut = useAction(() => call("POST /v1/admin/account/sign-out", {}).then(leave))
  const signOutEverywhere = useAction(() => call("POST /v1/admin/account/sign-out-everywhere", {}).then(leave))
  if (own === undefined) return null
  return (
    <>
      <PageHeader title="Your account" lead={own.email}>
        <Button isBusy={signOut.isBusy} onClick={signOut.run}>
          Sign out
        </Button>
      </PageHeader>
      <ProblemNotice problem={signOut.problem} onRetry={signOut.run} />
      <Section title="You">
        {own.is_operator && <Facts facts={[["Role", roleNames.operator]]} />}
        <NameForm account={own} />
      </Section>
      {!own.is_operator && <OrganizationsSection />}
      <Section
        title="Email"
        lead="The new address confirms the change with a link. The present one can undo it for 7 days."
      >
        <AddressForm />
      </Section>
      <Section title="Password" lead="Changing the password signs you out everywhere else.">
        <PasswordForm email={own.email} />
      </Section>
      <PasskeysSection />
      <MailSection />
      <Section
        title="Sessions"
        lead="A session ends 12 hours after its last use, and 7 days after sign-in at the latest. If you left one open elsewhere, sign out everywhere."
      >
        <ProblemNotice problem={signOutEverywhere.problem} onRetry={signOutEverywhere.run} />
        <div class="actions">
          <Button kind="danger" isBusy={signOutEverywhere.isBusy} onClick={signOutEverywhere.run}>
            Sign out everywhere
          </Button>
        </div>
      </Section>
    </>
  )
}
