import { useDebouncedText } from "../../hooks/useFieldText.ts"
import { usePages } from "../../hooks/usePages.ts"
import { badgeOf, type States } from "../../kit/data/Badge.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { Notice as Box } from "../../kit/feedback/Notice.tsx"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { queryField } from "../../router/queryField.ts"
import { instance } from "../../state/instance.ts"
import { type Notice, type NoticeKind, noticeNames } from "./noticeNames.ts"

const fields = { status: queryField("status"), kind: queryField("kind"), email: queryField("email") }

/** The mail of the instance, for operators. */
export const NoticesScreen = () => {
  const { email, kind, status } = fields
  const loaded = usePages("GET /v1/admin/notices", {
    query: {
      ...(isStatus(status.value) && { status: status.value }),
      ...(isKind(kind.value) && { kind: kind.value }),
      ...(email.value !== "" && { email: email.value })
    }
  })
  return (
    <>
      <PageHeader
        title="Mail"
        lead="What the service told people in the last 30 days. Texts and links are not kept, so nobody can read them here."
      />
      {instance.value?.sendsMail === false && (
        <Box title="This service sends no mail">
          <p>Invitations are links that you pass on. To send mail, set POSTCODE_SMTP_URL and restart the service.</p>
        </Box>
      )}
      <Filters label="Filter mail">
        <SelectField label="State" value={status} options={[["", "All"], ...stateOptions]} isOptional />
        <SelectField label="Kind" value={kind} options={[["", "All"], ...kindOptions]} isOptional />
        <TextField label="Address" type="search" value={useDebouncedText(email, pause_ms)} isOptional />
      </Filters>
      <Table
        caption="Mail"
        loaded={loaded}
        rows={loaded.data?.notices}
        keyOf={({ id }) => id}
        empty={<p>No mail of this kind.</p>}
        columns={columns}
      />
    </>
  )
}

const states: States<Notice["status"]> = {
  pending: ["Waiting", "info"],
  sent: ["Sent", "good"],
  failed: ["Failed", "bad"],
  skipped: ["Not sent", "plain"]
}

const StateBadge = badgeOf(states)

const columns = [
  { head: "Kind", cell: ({ kind }: Notice) => noticeNames[kind] },
  { head: "To", cell: ({ email }: Notice) => email },
  { head: "State", cell: ({ status }: Notice) => <StateBadge status={status} /> },
  { head: "Raised", cell: ({ created_at }: Notice) => <Time at={created_at} /> },
  { head: "Attempts", cell: ({ attempts }: Notice) => attempts, isNumber: true },
  {
    head: "Next attempt",
    cell: ({ next_attempt_at: at }: Notice) => (at === undefined ? "None" : <Time at={at} />)
  },
  { head: "Reason", cell: ({ fault }: Notice) => fault ?? "" }
]

const stateOptions = Object.entries(states).map(([status, [words]]) => [status, words] as const)
const kindOptions = Object.entries(noticeNames)

const isStatus = (text: string): text is Notice["status"] => Object.hasOwn(states, text)
const isKind = (text: string): text is NoticeKind => Object.hasOwn(noticeNames, text)

/** Long enough for typing an address. */
const pause_ms = 400
