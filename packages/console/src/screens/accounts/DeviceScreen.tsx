import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { useAction } from "../../hooks/useAction.ts"
import { useLoad, useWork } from "../../hooks/useLoad.ts"
import { Time } from "../../kit/data/Time.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button, ButtonLink } from "../../kit/forms/Button.tsx"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { query, setQuery } from "../../router/address.ts"
import { organizationId } from "../../state/organization.ts"
import { account, call } from "../../state/session.ts"
import { roleNames } from "./roles.ts"

type Login = DataOf<"POST /v1/admin/device-logins/find">
type OwnOrganization = DataOf<"GET /v1/admin/account/organizations">["organizations"][number]

/** The page that `postcode login` opens: the account agrees to a management key for a computer, or refuses. */
export const DeviceScreen = () => {
  const code = query.value.get("code") ?? ""
  return (
    <>
      <PageHeader
        title="Log in a computer"
        lead="A program, such as postcode login, asks for access to an organization."
      />
      {account.value?.is_operator ? <ForOperators /> : code === "" ? <CodeForm /> : <Found key={code} code={code} />}
    </>
  )
}

const ForOperators = () => (
  <Notice tone="info" title="Operators log in with the operator token">
    <p>
      A login gives a management key, and each reaches one organization. You run the instance, whose only key for
      programs is the operator token. Stop the command, and store that token with <code>postcode login --with-key</code>
      .
    </p>
  </Notice>
)

const CodeForm = () => {
  const code = useSignal("")
  return (
    <Form onSubmit={async () => setQuery({ code: code.value.trim() })} submit="Continue">
      <TextField label="Code" hint="The terminal shows it, such as WDJB-MJHT." name="user_code" value={code} hasFocus />
    </Form>
  )
}

const Found = ({ code }: { readonly code: string }) => {
  const found = useWork(code, (signal) =>
    call("POST /v1/admin/device-logins/find", { body: { user_code: code } }, signal)
  )
  const organizations = useLoad("GET /v1/admin/account/organizations", {})
  const done = useSignal<"agreed" | "refused" | undefined>(undefined)
  if (done.value !== undefined) return <Done machine={found.data?.machine ?? "The computer"} answer={done.value} />
  return (
    <>
      <WhenLoaded loaded={found} waiting="Loading the login">
        {(login) => (
          <WhenLoaded loaded={organizations}>
            {({ organizations: own }) => (
              <Decision code={code} login={login} own={own} onDone={(answer) => (done.value = answer)} />
            )}
          </WhenLoaded>
        )}
      </WhenLoaded>
      {found.problem !== undefined && (
        <p>
          <Button onClick={() => setQuery({ code: undefined })}>Enter another code</Button>
        </p>
      )}
    </>
  )
}

interface DecisionProps {
  readonly code: string
  readonly login: Login
  readonly own: ReadonlyArray<OwnOrganization>
  readonly onDone: (answer: "agreed" | "refused") => void
}

const Decision = ({ code, login: { created_at, expires_at, machine }, onDone, own }: DecisionProps) => {
  const organization = useSignal(organizationId.value ?? "")
  const chosen = own.find(({ organization_id }) => organization_id === organization.value) ?? own[0]
  const body = { user_code: code }
  const refuse = useAction(async () => {
    await call("POST /v1/admin/device-logins/deny", { body })
    announce("Refused")
    onDone("refused")
  })
  const agree = async () => {
    await call("POST /v1/admin/organizations/:id/device-logins", {
      params: { id: chosen?.organization_id ?? "" },
      body
    })
    onDone("agreed")
    return `${machine} is logged in`
  }
  if (chosen === undefined) return <p>You belong to no organization, so there is nothing to give access to.</p>
  return (
    <>
      <Notice tone="warning" title={`Agree only if your terminal shows the code ${code.toUpperCase()}`}>
        <p>If somebody sent you a link to this page, or the code: refuse. You would give them your access.</p>
      </Notice>
      <p>
        <strong>{machine}</strong> asked <Time at={created_at} />. Its code expires <Time at={expires_at} />. It gets a
        management key for 90 days, with your role <strong>{roleNames[chosen.role]}</strong> in{" "}
        <strong>{chosen.organization_name}</strong>: it may do what you may, except manage members and management keys.
        The key is listed as “Login of {machine}”, and <code>postcode logout</code> or an owner revokes it.
      </p>
      <Form onSubmit={agree} submit="Agree">
        {own.length > 1 && (
          <SelectField
            label="Organization"
            value={organization}
            options={own.map(({ organization_id, organization_name }) => [organization_id, organization_name])}
          />
        )}
      </Form>
      <p>
        <Button kind="danger" isBusy={refuse.isBusy} onClick={refuse.run}>
          Refuse
        </Button>
      </p>
      <ProblemNotice problem={refuse.problem} onRetry={refuse.run} />
    </>
  )
}

const Done = ({ answer, machine }: { readonly answer: "agreed" | "refused"; readonly machine: string }) =>
  answer === "agreed" ? (
    <Notice tone="good" title={`${machine} is logged in`}>
      <p>Return to the terminal. The command ends within 5 seconds.</p>
      <ButtonLink to="/">Home</ButtonLink>
    </Notice>
  ) : (
    <Notice tone="info" title={`${machine} gets no access`}>
      <p>The command ends within 5 seconds.</p>
      <ButtonLink to="/">Home</ButtonLink>
    </Notice>
  )
