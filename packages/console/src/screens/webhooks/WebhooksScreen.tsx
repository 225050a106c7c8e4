import { useLoad } from "../../hooks/useLoad.ts"
import { badgeOf } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import type { OrganizationParams } from "../../router/Screen.ts"
import { may } from "../../state/permissions.ts"
import { EventFormat } from "./EventFormat.tsx"
import { NewWebhookDialog } from "./NewWebhookDialog.tsx"

/** The webhook endpoints of an organization. */
export const WebhooksScreen = ({ params: { organization } }: OrganizationParams) => {
  const loaded = useLoad("GET /v1/admin/organizations/:id/webhooks", { params: { id: organization } })
  const open = () => openDialog(<NewWebhookDialog organization={organization} onDone={loaded.reload} />)
  const add = may("createWebhook") && (
    <Button kind="primary" icon="plus" onClick={open}>
      Add a webhook
    </Button>
  )
  return (
    <>
      <PageHeader title="Webhooks" lead="Addresses of yours that are told, signed, when credits run low.">
        {add}
      </PageHeader>
      <Section title="Endpoints">
        <Table
          caption="Webhooks"
          loaded={loaded}
          rows={loaded.data?.webhooks}
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
    </>
  )
}

const WebhookBadge = badgeOf({ active: ["Active", "good"], disabled: ["Disabled", "bad"] })
