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
      <PageHeader title="Webhooks" lead="The service sends signed events to your endpoints, such as low balances.">
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
              No endpoints yet. {add ? "Add one." : "An owner or a developer can add one."}{" "}
              {may("setLowBalance") ? (
                <a href={`#/organizations/${organization}/credits`}>Set the low-balance threshold.</a>
              ) : (
                "An owner or billing can set the low-balance threshold."
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
            {
              head: "Status",
              cell: ({ listened_at, status }) => (
                <WebhookBadge status={listened_at === undefined ? status : "listens"} />
              )
            },
            { head: "Added", cell: ({ created_at }) => <Time at={created_at} /> }
          ]}
        />
      </Section>
      <EventFormat />
    </>
  )
}

const WebhookBadge = badgeOf({
  active: ["Active", "good"],
  disabled: ["Disabled", "bad"],
  listens: ["Listens on a computer", "info"]
})
