import { formatAmount } from "../../kit/data/Amount.tsx"
import { Badge } from "../../kit/data/Badge.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Json } from "./Json.tsx"
import type { Answer } from "./sendWithKey.ts"

/** A raw response. */
export const AnswerView = ({ answer: { headers, status, text, time_ms } }: { readonly answer: Answer }) => (
  <Section title="Response">
    <p role="status">
      <Badge tone={status < 400 ? "good" : "bad"}>{`Status ${status}`}</Badge> in{" "}
      {formatAmount(Math.max(1, Math.round(time_ms)))} ms
    </p>
    <Facts class="headers" facts={headers} />
    <Json text={text} />
  </Section>
)
