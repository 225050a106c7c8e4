import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { announce } from "../../kit/feedback/announce.ts"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { CheckField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { instance } from "../../state/instance.ts"
import { call } from "../../state/session.ts"
import { noticeNames } from "./noticeNames.ts"

type Preferences = DataOf<"GET /v1/admin/account/mail">

/** Which mail the account gets. Warnings about its safety are always sent. */
export const MailSection = () => {
  const loaded = useLoad("GET /v1/admin/account/mail", {})
  const lead =
    instance.value?.sendsMail === false ? "This service sends no mail." : "Warnings about your account are always sent."
  return (
    <Section title="Mail" lead={lead}>
      <WhenLoaded loaded={loaded}>{(preferences) => <Choices preferences={preferences} />}</WhenLoaded>
    </Section>
  )
}

const Choices = ({ preferences: { notices } }: { readonly preferences: Preferences }) => {
  const off = useSignal<ReadonlyArray<Kind>>(notices.filter(({ is_on }) => !is_on).map(({ kind }) => kind))
  const save = async () => {
    await call("PUT /v1/admin/account/mail", { body: { off: [...off.value] } })
    announce("Saved which mail you get")
  }
  return (
    <Form onSubmit={save} submit="Save">
      {notices.map(({ kind }) => (
        <CheckField
          key={kind}
          label={noticeNames[kind]}
          value={{
            get value() {
              return !off.value.includes(kind)
            },
            set value(isOn) {
              off.value = isOn ? off.value.filter((other) => other !== kind) : [...off.value, kind]
            }
          }}
        />
      ))}
    </Form>
  )
}

type Kind = Preferences["notices"][number]["kind"]
