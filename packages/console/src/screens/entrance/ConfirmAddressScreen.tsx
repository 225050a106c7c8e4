import { useSignal } from "@preact/signals"
import { send } from "../../client/send.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { linkToken } from "../../router/address.ts"
import { account } from "../../state/session.ts"
import { LinkLost } from "./LinkLost.tsx"

/** The page of the link to a new address. It has a button, because programs that check mail open links, too. */
export const ConfirmAddressScreen = () => {
  const done = useSignal<string | undefined>(undefined)
  const token = linkToken.value
  const confirm = async () => {
    const { email } = await send("POST /v1/admin/account/address/confirm", { body: { token: token ?? "" } })
    done.value = email
    linkToken.value = undefined
    if (account.value !== undefined) account.value = await send("GET /v1/admin/account", {})
  }
  if (done.value !== undefined) {
    return (
      <>
        <PageHeader title="Your address is changed" />
        <Notice tone="good" title={`You sign in as ${done.value} from now on`} isSpoken />
        <ButtonLink to="/">Continue</ButtonLink>
      </>
    )
  }
  if (token === undefined) return <LinkLost />
  return (
    <>
      <PageHeader title="Use this address?" />
      <p>Your account then has the address to which this link was sent. The former address can undo it for 7 days.</p>
      <Form onSubmit={confirm} submit="Use this address">
        {null}
      </Form>
    </>
  )
}
