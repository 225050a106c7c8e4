import { useSignalEffect } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { WithOrganization } from "../../kit/feedback/WithOrganization.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { goTo, redirectTo } from "../../router/address.ts"
import type { Organization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"
import { bodyOf, highestLevel, newDraft } from "./KeyDraft.ts"
import { AllowedIpsField, KindFields, LimitFields, OriginsField, ScopeFields } from "./KeyFields.tsx"
import { keysPath } from "./keyLabels.tsx"
import { SecretDialog } from "./SecretDialog.tsx"
import "./keys.css"

/** Creates a key. What cannot be changed later is explained beforehand. */
export const NewKeyScreen = () => (
  <>
    <PageHeader
      title="Create a key"
      lead="Kind, environment, scopes and access level cannot be changed later. Name, origins, IP addresses and limits can."
    />
    <WithOrganization>{(shown) => <NewKeyForm key={shown.id} organization={shown} />}</WithOrganization>
  </>
)

const NewKeyForm = ({ organization }: { readonly organization: Organization }) => {
  const draft = useMemo(() => newDraft(organization), [])
  const place = keysPath(organization.id)
  useSignalEffect(() => {
    const highest = highestLevel(draft, organization)
    if (Number(draft.level.value) > highest) draft.level.value = String(highest)
  })
  const make = async () => {
    const made = await call("POST /v1/admin/organizations/:id/keys", {
      params: { id: organization.id },
      body: bodyOf(draft)
    })
    openDialog(<SecretDialog apiKey={made} onClose={() => redirectTo(`${place}/${made.id}`)} />)
  }
  return (
    <Form onSubmit={make} submit="Create key" onCancel={() => goTo(place)}>
      <Section title="Purpose">
        <KindFields draft={draft} organization={organization} />
      </Section>
      <Section title="Where it works">
        {draft.kind.value === "publishable" ? (
          <OriginsField value={draft.origins} />
        ) : (
          <AllowedIpsField value={draft.allowedIps} />
        )}
      </Section>
      <Section title="Permissions">
        <ScopeFields draft={draft} organization={organization} />
      </Section>
      <Section title="Limits">
        <LimitFields draft={draft} />
      </Section>
    </Form>
  )
}
