import { useSignal } from "@preact/signals"
import { useLoad } from "../../hooks/useLoad.ts"
import { Badge } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { may } from "../../state/permissions.ts"
import { EventFormat } from "./EventFormat.tsx"
import { NewWebhookDialog } from "./NewWebhookDialog.tsx"

interface WebhooksScreenProps {
  readonly params: { readonly organization: string }
}

/** The webhook endpoints of an organization. */
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
      <EventFormat />
      {isAdding.value && (
        <NewWebhookDialog organization={organization} onClose={() => (isAdding.value = false)} onDone={reload} />
      )}
    </>
  )
}

const WebhookBadge = ({ status }: { readonly status: "active" | "disabled" }) =>
  status === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Disabled</Badge>
