import type { DataOf } from "../../client/Contract.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"

/** The prices of this service. */
export const PricesSection = () => (
  <Section
    title="Prices"
    lead="The prices of this service. The response header X-Credits-Charged reports what a request with a secret key cost."
  >
    <WhenLoaded loaded={useLoad("GET /v1/reference/prices", {})}>
      {(prices) => (
        <Table
          caption="Prices"
          rows={rowsOf(prices)}
          keyOf={({ what }) => what}
          empty={null}
          columns={[
            { head: "Request", cell: ({ what }) => what },
            { head: "Returns", cell: ({ holds }) => holds },
            { head: "Credits", cell: ({ credits }) => credits, isNumber: true }
          ]}
        />
      )}
    </WhenLoaded>
    <p class="muted">
      A lookup costs the price of the highest access level that its response contains data of. Unknown data is free. A
      batch costs the sum of its units, each counted once. Free are other searches, nearby, checking and assembling
      postcodes, lists of codes, and all requests that are refused or find nothing.
    </p>
  </Section>
)

const rowsOf = ({ address_search, lookup, widget_session }: DataOf<"GET /v1/reference/prices">) => [
  ...Object.entries(lookup).map(([level, credits]) => ({
    what: `Lookup, level ${level}`,
    holds: levelContents[level],
    credits
  })),
  {
    what: "Widget session",
    holds: "bookmarks, 30 searches and lookups, and 60 address searches on your page",
    credits: widget_session
  },
  { what: "Address search", holds: "a postcode, or a part of one below the LGA", credits: address_search }
]

const levelContents: Readonly<Record<string, string>> = {
  1: "whether the postcode exists",
  2: "the address",
  3: "also the use of the building",
  4: "also the type, owner and delivery point of the building",
  5: "also the coordinates; granted after a review"
}
