import { Amount } from "../../kit/Amount.tsx"
import { Button } from "../../kit/Button.tsx"
import { Facts } from "../../kit/Facts.tsx"
import { Loading } from "../../kit/Loading.tsx"
import { ProblemNotice } from "../../kit/ProblemNotice.tsx"
import { Section } from "../../kit/Section.tsx"
import { useLoad } from "../../kit/useLoad.ts"
import type { ApiKey } from "./keyWords.tsx"

/** What a key was used for in about the last hour. */
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
