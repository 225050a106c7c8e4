import type { DataOf } from "../../client/Contract.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Amount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { type Fact, Facts } from "../../kit/data/Facts.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { ButtonLink } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Tabs } from "../../kit/layout/Tabs.tsx"
import { may } from "../../state/permissions.ts"
import { AddressSearch } from "./AddressSearch.tsx"
import { CodeSearch } from "./CodeSearch.tsx"
import { Editions } from "./Editions.tsx"
import { PlaceSearch } from "./PlaceSearch.tsx"
import { type Warnings, WarningTable } from "./WarningTable.tsx"
import "./directory.css"

/** The current edition and its contents. */
export const DirectoryScreen = () => {
  const loaded = useLoad("GET /v1/admin/directory", {})
  return (
    <>
      <PageHeader title="Directory" lead="The data that the service uses.">
        {may("openImport") && <ButtonLink to="/directory/import">Import files</ButtonLink>}
      </PageHeader>
      <Section title="Current data">
        <WhenLoaded loaded={loaded}>{(data) => <Facts class="facts counts" facts={factsOf(data)} />}</WhenLoaded>
      </Section>
      {loaded.data?.warnings && <EditionWarnings warnings={loaded.data.warnings} />}
      {may("listOperators") && <Editions directory={loaded} />}
      <Section title="Search" lead="Searches are free. Finding units by address needs a key.">
        <Tabs
          label="Search"
          tabs={[
            { name: "code", label: "By code or name", content: () => <CodeSearch /> },
            { name: "address", label: "By address", content: () => <AddressSearch /> },
            { name: "place", label: "By coordinates", content: () => <PlaceSearch /> }
          ]}
        />
      </Section>
      <Section title="About this service">
        <Facts
          facts={[
            ["Version", CONSOLE_VERSION],
            ["Data version", loaded.data?.version || "Not set"],
            [
              "HTTP interface",
              <a key="docs" href="/v1/docs">
                Documentation
              </a>
            ],
            [
              "OpenAPI",
              <a key="openapi" href="/v1/openapi.json">
                openapi.json
              </a>
            ]
          ]}
        />
      </Section>
    </>
  )
}

const EditionWarnings = ({ warnings }: { readonly warnings: Warnings }) => (
  <Section
    title="Warnings"
    lead="What the import found in the files of this edition. Changes since then are not looked at. Rows can be right although they are listed."
  >
    <WarningTable warnings={warnings} isCurrent />
  </Section>
)

const factsOf = (data: DataOf<"GET /v1/admin/directory">): ReadonlyArray<Fact> => [
  ["Version", data.version ? <Copyable key="version" value={data.version} label="the version" /> : "Not set"],
  ["Edition date", data.date || undefined],
  ["Current since", data.current_since && <Time key="since" at={data.current_since} />],
  ["Active units", <Amount key="active" value={data.active_units} />],
  ["Retired units", <Amount key="retired" value={data.retired_units} />],
  ["States", <Amount key="states" value={data.states} />],
  ["Local government areas", <Amount key="lgas" value={data.lgas} />],
  ["Districts", <Amount key="districts" value={data.districts} />],
  ["Areas", <Amount key="areas" value={data.areas} />]
]
