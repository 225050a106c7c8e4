import { maxAddressText } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { send } from "../../client/send.ts"
import { testKeyFault, testKeyIn } from "../../client/testKey.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { ConfidenceBadge } from "./ConfidenceBadge.tsx"

type Answer = DataOf<"GET /v1/search/address">

/** Finds the postcode of an address. The text and the key are only in the memory of this page. */
export const AddressSearch = () => {
  const text = useSignal("")
  const key = useSignal("")
  const answer = useSignal<Answer | undefined>(undefined)
  const search = async () => {
    answer.value = undefined
    const query = { q: text.value, limit: 5 }
    answer.value = await send("GET /v1/search/address", { query }, { key: testKeyIn(key.value) })
  }
  return (
    <>
      <Form onSubmit={search} submit="Find">
        <TextField
          name="q"
          label="Address"
          hint="Such as 12 Allen Avenue, Ikeja."
          type="search"
          value={text}
          maxLength={maxAddressText}
        />
        <TextField
          label="Test key"
          hint="A key with the scope search and access level 2 finds units, for a test credit. Without a key, the search finds states and local government areas."
          type="password"
          value={key}
          error={testKeyFault(key.value)}
          isOptional
        />
      </Form>
      {answer.value && <FoundAddress answer={answer.value} />}
    </>
  )
}

const FoundAddress = ({ answer }: { readonly answer: Answer }) => {
  const { code, confidence, label, message, precision, understood } = answer
  const candidates = answer.candidates.filter(({ probability }) => probability >= leastShown)
  return (
    <div class="address">
      <p role="status">{sentenceOf(message)}</p>
      {code !== null && (
        <Facts
          facts={[
            ["Postcode", <Copyable key="code" value={code} label="the postcode" />],
            ["Place", label],
            ["Precision", precision === "lga" ? "LGA" : precision],
            ["Confidence", <ConfidenceBadge key="confidence" status={confidence} />],
            ["Part of the building", understood.subpremise],
            ["Set aside", understood.ignored.map(({ text }) => text).join(", ") || undefined],
            ["Not understood", understood.unmatched.join(", ") || undefined]
          ]}
        />
      )}
      {candidates.length > 1 && (
        <Table
          caption="Candidates, most likely first"
          rows={candidates}
          keyOf={(candidate) => candidate.code}
          empty={null}
          columns={[
            { head: "Candidate", cell: ({ code }) => <Copyable value={code} label={code} /> },
            { head: "Place", cell: (candidate) => candidate.label },
            { head: "Probability", cell: ({ probability }) => `${Math.round(probability * 100)} %`, isNumber: true }
          ]}
        />
      )}
    </div>
  )
}

/** Less is shown as 0 %. */
const leastShown = 0.005

/** Messages of the service start in lower case. */
const sentenceOf = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith("?") ? "" : "."}`
