import { Copyable } from "../../kit/data/Copyable.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { verification } from "./verification.ts"

/** The format of an event, and how an endpoint verifies it. */
export const EventFormat = () => (
  <Section
    title="What is sent"
    lead={
      <>
        By the convention of Standard Webhooks, for which there are packages in many languages. All calls are in the{" "}
        <a href="/v1/docs">documentation</a>.
      </>
    }
  >
    <p>
      A POST with JSON, when a balance falls below what counts as low (<code>credits.low</code>), when an operator
      decides about the organization (<code>organization.…</code>, <code>access_request.decided</code>), when something
      happens to a key (<code>key.…</code>), and when you ask for a test (<code>webhook.test</code>):
    </p>
    <Copyable value={example} label="the example of a body" isBlock />
    <p>
      The headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> prove that
      it is from here. Verify them over the body as it came, before it is parsed:
    </p>
    <Copyable value={verification} label="the example of a receiver" isBlock />
    <p>
      Anything but 2xx is sent again after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14 and 20 hours, always with the
      same <code>webhook-id</code>: take one that you have seen for done. An endpoint that answers 410 is told nothing
      any more.
    </p>
  </Section>
)

const example = `{
  "type": "credits.low",
  "timestamp": "2026-01-31T12:00:00.000Z",
  "data": {
    "organization_id": "org_…",
    "environment": "live",
    "balance": 99,
    "threshold": 100
  }
}`
