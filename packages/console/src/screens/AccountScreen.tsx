import { Button } from "../kit/Button.tsx"
import { Facts } from "../kit/Facts.tsx"
import { PageHeader } from "../kit/PageHeader.tsx"
import { ProblemNotice } from "../kit/ProblemNotice.tsx"
import { Section } from "../kit/Section.tsx"
import { useAction } from "../kit/useAction.ts"
import { organization } from "../state/organization.ts"
import { account, call, leave } from "../state/session.ts"
import { NameForm } from "./account/NameForm.tsx"
import { PasskeysSection } from "./account/PasskeysSection.tsx"
import { PasswordForm } from "./account/PasswordForm.tsx"
import { roleNames } from "./people/roles.ts"

/** One's own account. */
export const AccountScreen = () => {
  const own = account.value
  const signOut = useAction(async () => {
    await call("POST /v1/admin/account/sign-out", {})
    leave()
  })
  const signOutEverywhere = useAction(async () => {
    await call("POST /v1/admin/account/sign-out-everywhere", {})
    leave()
  })
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
        <Facts
          facts={[
            ["Role", roleNames[own.role]],
            ...(own.organization_id === undefined ? [] : [["Organization", organization.value?.name ?? "…"] as const])
          ]}
        />
        <NameForm account={own} />
      </Section>
      <Section title="Password" lead="Changing it signs you out everywhere else.">
        <PasswordForm email={own.email} />
      </Section>
      <PasskeysSection />
      <Section
        title="Sessions"
        lead="A session ends 12 hours after it was last used, and after 7 days at the latest. Where you left one open, end all."
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
