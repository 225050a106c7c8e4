import { useSignal } from "@preact/signals"
import { send } from "../../client/send.ts"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { linkToken } from "../../router/address.ts"
import { noticeNames } from "./noticeNames.ts"

/** The page of the link in a mail that stops mail of its kind. It asks, because mail programs open links by themselves. */
export const UnsubscribeScreen = () => {
  const stopped = useSignal<string | undefined>(undefined)
  const token = linkToken.value
  if (stopped.value !== undefined) {
    return (
      <>
        <PageHeader title="Switched off" />
        <p>You get no more mail of the kind “{stopped.value}”. You can switch it on again under Your account.</p>
        <ButtonLink to="/account">Your account</ButtonLink>
      </>
    )
  }
  if (token === undefined) {
    return (
      <>
        <PageHeader title="Open the link again" />
        <p>The link was lost when the page was reloaded.</p>
        <ButtonLink to="/account">Your account</ButtonLink>
      </>
    )
  }
  const stop = async () => {
    const { kind } = await send("POST /v1/mail/unsubscribe", { query: { token } })
    linkToken.value = undefined
    stopped.value = noticeNames[kind]
  }
  return (
    <>
      <PageHeader title="Stop this mail?" />
      <Form onSubmit={stop} submit="Stop this mail">
        <p>Then you get no more mail of this kind. Warnings about the safety of your account are always sent.</p>
      </Form>
    </>
  )
}
