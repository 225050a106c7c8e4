import { endUserLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { Problem } from "../../client/Problem.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { call } from "../../state/session.ts"
import { type EndUser, EndUserSection } from "./EndUserSection.tsx"

/** The number of end users, and a search by identifier. */
export const EndUsersScreen = () => {
  const found = useSignal<EndUser | undefined>(undefined)
  const loaded = useLoad("GET /v1/admin/end-users", {})
  const { data, reload } = loaded
  return (
    <>
      <PageHeader
        title="End users"
        lead="The people whose bookmarks the widget shows. Their identifiers are stored as keyed hashes."
      />
      <Section
        title="Find an end user"
        lead={data && `There ${data.count === 1 ? "is one" : `are ${formatAmount(data.count)}`}.`}
      >
        <WhenLoaded loaded={loaded} />
        <FindForm
          onFound={(endUser) => {
            found.value = endUser
          }}
        />
      </Section>
      {found.value && (
        <EndUserSection
          key={found.value.id}
          endUser={found.value}
          onRemoved={() => {
            found.value = undefined
            reload()
          }}
        />
      )}
      <ImportSection />
    </>
  )
}

/** The identifier is cleared after the response, and is never put into the address. */
const FindForm = ({ onFound }: { readonly onFound: (endUser: EndUser | undefined) => void }) => {
  const identifier = useSignal("")
  const isUnknown = useSignal(false)
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [leaving])
  const find = async () => {
    isUnknown.value = false
    onFound(undefined)
    try {
      const body = { identifier: identifier.value }
      onFound(await call("POST /v1/admin/end-users/find", { body }, leaving.signal))
      identifier.value = ""
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error
      identifier.value = ""
      isUnknown.value = true
    }
  }
  return (
    <Form onSubmit={find} submit="Find">
      <TextField
        label="Identifier"
        hint="A NIN of 11 digits or an email address. It is not stored."
        value={identifier}
        maxLength={320}
      />
      {isUnknown.value && <Notice title="No end user has that identifier" isSpoken />}
    </Form>
  )
}

const ImportSection = () => (
  <Section
    title="Import end users"
    lead="The command line imports a CSV file with the columns identifier, postcode and label. It checks all rows before it sends any."
  >
    <Copyable value="postcode end-users import people.csv" label="the command" isBlock />
    <p>
      Programs can save up to {endUserLimits.batch} in one request:{" "}
      <a href="/docs/http/end-users/#put-v1adminend-usersbatch">PUT /v1/admin/end-users/batch</a>.
    </p>
  </Section>
)
