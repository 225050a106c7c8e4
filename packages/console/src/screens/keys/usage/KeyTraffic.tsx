import { useLoad } from "../../../hooks/useLoad.ts"
import { Amount } from "../../../kit/data/Amount.tsx"
import { Facts } from "../../../kit/data/Facts.tsx"
import { localHour } from "../../../kit/data/Time.tsx"
import { WhenLoaded } from "../../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../../kit/forms/Button.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import type { ApiKey } from "../keyLabels.tsx"

/** A key's requests in about the last hour. */
export const KeyTraffic = ({ apiKey: { id } }: { readonly apiKey: ApiKey }) => {
  const loaded = useLoad("GET /v1/admin/keys/:id/traffic", { params: { id } })
  const { data, isLoading, reload } = loaded
  return (
    <Section
      title="Last hour"
      lead={data && `Since ${localHour(data.since)}.`}
      actions={
        <Button isBusy={isLoading} onClick={reload}>
          Refresh
        </Button>
      }
    >
      <WhenLoaded loaded={loaded}>
        {({ credits, refused, requests }) => (
          <Facts
            facts={[
              ["Requests", <Amount key="requests" value={requests} />],
              ["Refused", <Amount key="refused" value={refused} />],
              ["Credits", <Amount key="credits" value={credits} />]
            ]}
          />
        )}
      </WhenLoaded>
    </Section>
  )
}
