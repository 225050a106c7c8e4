import { useLoad } from "../../hooks/useLoad.ts"
import { Amount } from "../../kit/data/Amount.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import type { ApiKey } from "./keyLabels.tsx"

/** A key's requests in about the last hour. */
export const KeyTraffic = ({ apiKey: { id } }: { readonly apiKey: ApiKey }) => {
  const { data, isLoading, problem, reload } = useLoad("GET /v1/admin/keys/:id/traffic", { params: { id } })
  return (
    <Section
      title="Last hour"
      lead={data && `Since ${timeOf(data.since)}.`}
      actions={
        <Button isBusy={isLoading} onClick={reload}>
          Look again
        </Button>
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {isLoading && data === undefined && <Loading />}
      {data && (
        <Facts
          facts={[
            ["Requests", <Amount key="requests" value={data.requests} />],
            ["Refused", <Amount key="refused" value={data.refused} />],
            ["Credits", <Amount key="credits" value={data.credits} />]
          ]}
        />
      )}
    </Section>
  )
}

/** `19:45 UTC` */
export const timeOf = (at: string): string => `${at.slice(11, 16)} UTC`
