import { useSignal } from "@preact/signals"
import { Badge } from "../kit/Badge.tsx"
import { Button } from "../kit/Button.tsx"
import { PageHeader } from "../kit/PageHeader.tsx"
import { ProblemNotice } from "../kit/ProblemNotice.tsx"
import { Section } from "../kit/Section.tsx"
import { Table } from "../kit/Table.tsx"
import { Time } from "../kit/Time.tsx"
import { useLoad } from "../kit/useLoad.ts"
import { may } from "../state/permissions.ts"
import { NewWebhookDialog } from "./webhooks/NewWebhookDialog.tsx"
import { WhatIsSent } from "./webhooks/WhatIsSent.tsx"

interface WebhooksScreenProps {
  readonly params: { readonly organization: string }
}

/** Where an organization wants to be told of things. */
export const WebhooksScreen = ({ params: { organization } }: WebhooksScreenProps) => {
  const isAdding = useSignal(false)
  const { data, isLoading, problem, reload } = useLoad("GET /v1/admin/organizations/:id/webhooks", {
    params: { id: organization }
  })
  const add = may("createWebhook") && (
    <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      Add a webhook
    </Button>
  )
  return (
    <>
      <PageHeader title="Webhooks" lead="Addresses of yours that are told, signed, when credits run low.">
        {add}
      </PageHeader>
      <Section title="Endpoints">
        <ProblemNotice problem={problem} onRetry={reload} />
        <Table
          caption="Webhooks"
          rows={data?.webhooks}
          isLoading={isLoading}
          keyOf={({ id }) => id}
          empty={
            <p>
              Nobody is told yet. {add ? "Add an address." : "An owner or a developer adds an address."}{" "}
              {may("setLowBalance") ? (
                <a href={`#/organizations/${organization}/credits`}>Say below what credits are low.</a>
              ) : (
                "An owner or billing says below what credits are low."
              )}
            </p>
          }
          columns={[
            {
              head: "Address",
              cell: ({ description, host, id, url = host }) => (
                <>
                  <a href={`#/organizations/${organization}/webhooks/${id}`}>{url}</a>
                  {description !== undefined && <span class="secondary">{description}</span>}
                </>
              )
            },
            { head: "Status", cell: ({ status }) => <WebhookBadge status={status} /> },
            { head: "Added", cell: ({ created_at }) => <Time at={created_at} /> }
          ]}
        />
      </Section>
      <WhatIsSent />
      {isAdding.value && (
        <NewWebhookDialog organization={organization} onClose={() => (isAdding.value = false)} onDone={reload} />
      )}
    </>
  )
}

const WebhookBadge = ({ status }: { readonly status: "active" | "disabled" }) =>
  status === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Disabled</Badge>
