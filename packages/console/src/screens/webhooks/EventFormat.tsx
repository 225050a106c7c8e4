import { Copyable } from "../../kit/data/Copyable.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { verification } from "./verification.ts"

/** The format of an event, and how an endpoint verifies it. */
export const EventFormat = () => (
  <Section
    title="Format"
    lead={
      <>
        Events follow Standard Webhooks, which has libraries in many languages. See the{" "}
        <a href="/docs/webhooks/">guide to webhooks</a>.
      </>
    }
  >
    <p>
      The service sends a POST with JSON when a balance falls below its threshold (<code>credits.low</code>), when an
      operator decides about the organization (<code>organization.…</code>, <code>access_request.decided</code>), when a
      key changes (<code>key.…</code>), when the directory changes (<code>directory.…</code>), and when you send a test
      (<code>webhook.test</code>):
    </p>
    <Copyable value={example} label="the example of a body" isBlock />
    <p>
      The headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code> prove that
      this service sent it. Verify them with the raw body, before you parse it:
    </p>
    <Copyable value={verification} label="the example of an endpoint" isBlock />
    <p>
      If the response is not 2xx, the service tries again after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14 and 20
      hours, always with the same <code>webhook-id</code>. Ignore an id that you have already processed. An endpoint
      that returns 410 is disabled.
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
