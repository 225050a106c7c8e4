import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { useAction } from "../../hooks/useAction.ts"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { goTo, redirectTo } from "../../router/address.ts"
import {
  organization as looked,
  type Organization,
  organizationProblem,
  reloadOrganization
} from "../../state/organization.ts"
import { call } from "../../state/session.ts"
import { bodyOf, newDraft } from "./KeyDraft.ts"
import { KindFields, LimitFields, OriginsField, ScopeFields } from "./KeyFields.tsx"
import { keysPath } from "./keyLabels.tsx"
import { type NewKey, SecretDialog } from "./SecretDialog.tsx"
import "./keys.css"

/** Creates a key. Its permissions are immutable, so each is explained beforehand. */
export const NewKeyScreen = () => {
  const shown = looked.value
  return (
    <>
      <PageHeader title="New key" lead="What a key may do never changes: for other terms, make another key." />
      <ProblemNotice problem={organizationProblem.value} onRetry={reloadOrganization} />
      {shown === undefined && organizationProblem.value === undefined && <Loading />}
      {shown && <NewKeyForm key={shown.id} organization={shown} />}
    </>
  )
}

const NewKeyForm = ({ organization }: { readonly organization: Organization }) => {
  const draft = useMemo(() => newDraft(organization), [])
  const made = useSignal<NewKey | undefined>(undefined)
  const action = useAction(async () => {
    made.value = await call("POST /v1/admin/organizations/:id/keys", {
      params: { id: organization.id },
      body: bodyOf(draft)
    })
  })
  const place = keysPath(organization.id)
  return (
    <>
      <Form action={action} submit="Make key" onCancel={() => goTo(place)}>
        <Section title="What it is for">
          <KindFields draft={draft} organization={organization} problem={action.problem} />
        </Section>
        {draft.kind.value === "publishable" && (
          <Section title="Where it may be used">
            <OriginsField value={draft.origins} problem={action.problem} />
          </Section>
        )}
        <Section title="What it may do">
          <ScopeFields draft={draft} organization={organization} />
        </Section>
        <Section title="Limits">
          <LimitFields draft={draft} problem={action.problem} />
        </Section>
      </Form>
      {made.value && <SecretDialog apiKey={made.value} onClose={() => redirectTo(`${place}/${made.value?.id}`)} />}
    </>
  )
}
