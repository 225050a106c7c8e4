import { useSignal } from "@preact/signals"
import { useAction } from "../../hooks/useAction.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { ConfirmDialog } from "../../kit/dialogs/ConfirmDialog.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { announce } from "../../kit/feedback/announce.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button, ButtonLink } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { goTo } from "../../router/address.ts"
import { may } from "../../state/permissions.ts"
import { call } from "../../state/session.ts"
import { Deliveries } from "./Deliveries.tsx"
import { RotateSecretDialog } from "./RotateSecretDialog.tsx"
import type { Webhook } from "./Webhook.ts"

interface WebhookScreenProps {
  readonly params: { readonly organization: string; readonly webhook: string }
}

/** One endpoint and its deliveries. */
export const WebhookScreen = ({ params: { organization, webhook: id } }: WebhookScreenProps) => {
  const loaded = useLoad("GET /v1/admin/organizations/:id/webhooks", { params: { id: organization } })
  const webhook = loaded.data?.webhooks.find((one) => one.id === id)
  if (webhook !== undefined) return <Found webhook={webhook} onChange={loaded.reload} />
  return (
    <>
      <PageHeader title="Webhook" />
      <WhenLoaded loaded={loaded}>
        {() => (
          <div class="empty">
            <p>Not found. It may have been removed.</p>
            <ButtonLink to={listPath(organization)}>All webhooks</ButtonLink>
          </div>
        )}
      </WhenLoaded>
    </>
  )
}

const listPath = (organization: string): string => `/organizations/${organization}/webhooks`

interface FoundProps {
  readonly webhook: Webhook
  readonly onChange: () => void
}

const Found = ({ onChange, webhook }: FoundProps) => {
  const tests = useSignal(0)
  const test = useAction(async () => {
    await call("POST /v1/admin/webhooks/:id/test", { params: { id: webhook.id } })
    tests.value++
    announce("The test is being sent")
  })
  const rotate = () => openDialog(<RotateSecretDialog id={webhook.id} onDone={onChange} />)
  return (
    <>
      <PageHeader title={webhook.host} lead={<a href={`#${listPath(webhook.organization_id)}`}>All webhooks</a>}>
        {may("testWebhook") && webhook.status === "active" && (
          <Button icon="play" isBusy={test.isBusy} onClick={test.run}>
            Send a test
          </Button>
        )}
        {may("rotateWebhookSecret") && webhook.listened_at === undefined && (
          <Button onClick={rotate}>Rotate secret</Button>
        )}
        {may("removeWebhook") && (
          <Button kind="danger" onClick={() => openDialog(<RemoveDialog webhook={webhook} />)}>
            Remove
          </Button>
        )}
      </PageHeader>
      <ProblemNotice problem={test.problem} onRetry={test.run} />
      {webhook.status === "disabled" && (
        <Notice tone="warning" title="This webhook is disabled">
          <p>The endpoint returned 410. To use it again, remove the webhook and add it again.</p>
        </Notice>
      )}
      <About webhook={webhook} />
      <Deliveries key={tests.value} webhook={webhook} />
    </>
  )
}

const RemoveDialog = ({ webhook: { host, id, organization_id, url = host } }: { readonly webhook: Webhook }) => (
  <ConfirmDialog
    title="Remove the webhook?"
    confirm="Remove webhook"
    onConfirm={async () => {
      await call("DELETE /v1/admin/webhooks/:id", { params: { id } })
      goTo(listPath(organization_id))
      return "Removed"
    }}
  >
    <p>{url} is told nothing any more. What was sent there is forgotten, and what is on its way is not sent.</p>
  </ConfirmDialog>
)

const About = ({ webhook: { created_at, description, former_secret_until, url } }: { readonly webhook: Webhook }) => (
  <Section title="About">
    {url !== undefined && <Copyable value={url} label="the address" />}
    <Facts
      facts={[
        ["Description", description],
        ["Added", <Time key="added" at={created_at} />],
        [
          "The old secret also signs",
          former_secret_until !== undefined && Date.parse(former_secret_until) > Date.now() ? (
            <>
              until <Time key="until" at={former_secret_until} />
            </>
          ) : undefined
        ]
      ]}
    />
  </Section>
)
